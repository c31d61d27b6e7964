"""Error injection: where an error fits, what it is, and whether it is one."""
