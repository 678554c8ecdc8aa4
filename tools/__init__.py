"""What keeps the project's data true; no part of the package."""
