"""The append-only event log."""
