"""What makes it work."""
