"""Bytes to frozen values: PE now, ELF and Mach-O later."""
