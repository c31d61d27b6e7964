"""Review a manuscript with AI again and again, and review the reviewer."""

__version__ = "0.1.0"
