"""The tables of a ledger. Rows are only ever added."""

from __future__ import annotations

SCHEMA = """
CREATE TABLE IF NOT EXISTS blobs (hash TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, model TEXT NOT NULL, host TEXT NOT NULL,
    sample TEXT NOT NULL, request TEXT NOT NULL REFERENCES blobs, completion TEXT NOT NULL REFERENCES blobs,
    started TEXT NOT NULL, seconds REAL NOT NULL, usd REAL);
CREATE TABLE IF NOT EXISTS batches (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS versions (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, paper TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS reviews (
    position INTEGER PRIMARY KEY, version TEXT NOT NULL, configuration TEXT NOT NULL, round INTEGER NOT NULL,
    state INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (version, configuration, round, state));
CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, state INTEGER NOT NULL,
    body TEXT NOT NULL, UNIQUE (kind, key, state));
"""

MANIFEST = "manifest"
"""The kind of the records that say which version carries which errors, by the name of the run."""
