"""Manuscripts in."""
