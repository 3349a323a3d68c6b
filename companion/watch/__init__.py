"""A recording or a camera read into events, without a server."""
