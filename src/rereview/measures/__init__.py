"""Frames in, tables out; no model is called here."""
