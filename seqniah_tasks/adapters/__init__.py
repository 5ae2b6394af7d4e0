"""The only places that import a harness."""
