"""A played hand, afterwards: what happened, what was missed, what would have been best."""
