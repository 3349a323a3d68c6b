"""The Schnapsen table companion: a camera reads the table, a phone shows the game."""

__version__ = "0.1.0"
