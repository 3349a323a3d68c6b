"""Observations to settled events, by weighing whole stories under the rules."""
