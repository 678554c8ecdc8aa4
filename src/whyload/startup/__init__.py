"""Reads the start-up source of packages as data: which folders are added, which libraries load, in which order."""
