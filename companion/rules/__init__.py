"""The game itself: cards, hands, awards, matches. Standard library only."""
