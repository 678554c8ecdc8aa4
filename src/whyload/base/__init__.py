"""What everything else rests on: errors, architectures, Windows paths, versions, bytes at positions."""
