"""Best play with open cards, and whole hands played at machine speed."""
