"""Facts to rules to remedies to a report, for any world."""
