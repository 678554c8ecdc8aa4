"""Finding, Evidence, Certainty, Severity."""
