"""Every native module of an environment in one pass: survey, screening in each package's context, confirmation."""
