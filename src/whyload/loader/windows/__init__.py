"""The Windows loader, one module per search step."""
