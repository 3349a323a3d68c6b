"""Detections to observations: what lies where, and since when."""
