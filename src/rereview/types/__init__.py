"""The nouns. They import nothing else of the package."""
