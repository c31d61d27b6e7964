"""The study: its ledger, and the making of what is missing."""
