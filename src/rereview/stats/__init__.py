"""Numpy in, numbers out; no paper and no model is known here."""
