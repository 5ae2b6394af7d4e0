"""What runs of either harness left, as one table."""
