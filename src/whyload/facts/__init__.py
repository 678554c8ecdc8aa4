"""What is true of the world: Python, packages and their RECORD, runtimes."""
