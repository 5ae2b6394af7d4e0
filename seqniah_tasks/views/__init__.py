"""What the command line prints, one file a view."""
