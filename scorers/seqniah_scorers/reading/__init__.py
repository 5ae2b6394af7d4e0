"""An answer read into the items that it states."""
