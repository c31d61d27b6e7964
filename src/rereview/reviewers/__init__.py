"""Reviewers: procedures that read a manuscript and return a draft."""
