"""Everything that is served of hands that have been played."""

from __future__ import annotations

from flask import Blueprint

from companion.server.history import history_routes
from companion.server.open_hands import OpenHands, PlayedHands
from companion.server.practice import practice_routes
from companion.server.review import Reviews, Stills, review_routes
from companion.server.stream import Feed

__all__ = ["played_routes"]


def played_routes(
    feed: Feed, hands: PlayedHands, reviews: Reviews, pictures: Stills | None = None
) -> tuple[Blueprint, ...]:
    """Build the routes around the hands of a log.

    Args:
        feed: Of the table that writes the log: what it shows decides who may see what.
        hands: The log's hands.
        reviews: Works reviews out.
        pictures: What is kept of the table.
    """
    opened = OpenHands(hands, feed)
    return (
        review_routes(opened, reviews, pictures),
        practice_routes(opened),
        history_routes(opened, reviews, pictures),
    )
