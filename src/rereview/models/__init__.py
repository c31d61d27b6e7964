"""Models, and the ledger of their calls."""
