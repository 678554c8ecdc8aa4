"""What a run did: ordered events, loaded modules, exception, exit status."""
