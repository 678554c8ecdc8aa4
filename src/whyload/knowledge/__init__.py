"""Data files and their reader: which DLL comes from where, which versions fit, what a clean system has."""
