"""Reads the start-up source of packages as data: which folders are added, which libraries are loaded, in which order."""
