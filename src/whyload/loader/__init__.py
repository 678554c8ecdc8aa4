"""What the operating system's loader would do; the first place where files and bytes meet."""
