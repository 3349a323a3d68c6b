"""The phone's server: HTTP to commands and snapshots, and back."""
