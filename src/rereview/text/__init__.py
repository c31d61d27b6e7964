"""Pure functions of text."""
