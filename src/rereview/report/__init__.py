"""What a person sees. Nothing is computed here."""
