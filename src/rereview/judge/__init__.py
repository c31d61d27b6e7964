"""Whether a comment found an error, and whether two comments are the same issue."""
