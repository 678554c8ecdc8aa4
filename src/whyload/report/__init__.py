"""Reports as text, JSON and Markdown."""
