"""What a person would look up about a machine and its environment, each with where it was read from or why it is not
known.
"""
