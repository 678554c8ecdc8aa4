"""Changes an environment for real: journalled before each step, kept so that every byte can be put back."""
