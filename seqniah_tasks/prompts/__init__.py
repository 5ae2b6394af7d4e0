"""Prompt texts, one file a benchmark; all wording is this project's own."""
