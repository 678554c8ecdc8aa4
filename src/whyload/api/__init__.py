"""The front door: picks the world and asks the engine."""
