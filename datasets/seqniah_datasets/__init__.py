"""Layer 1, data: everything from a recipe key to the exact text of a prompt."""
