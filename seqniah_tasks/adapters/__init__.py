"""The only places that import a harness, a folder each."""
