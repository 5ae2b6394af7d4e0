"""Judges of every kind under one roof, and what they are measured by."""
