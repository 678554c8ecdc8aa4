"""One module per cause."""
