"""Labelled cases made for judges: answers altered in known ways, and the reasons."""
