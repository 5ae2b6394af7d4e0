"""LOFT's data: passages, queries over them, and the sources of both (arXiv 2406.13121)."""
