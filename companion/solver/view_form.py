"""A moment as one player sees it, in JSON: written for a page, read from one that set it up by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.cards import Card, Player, Suit
from companion.rules.event_form import read_card, read_cards, read_object
from companion.rules.ruleset import RuleSet, rules_from_json
from companion.rules.scoring import ENOUGH
from companion.solver.position import Position, PositionError, read_counts
from companion.solver.view import View

__all__ = ["read_setting", "view_to_json"]

_REQUIRED = ("trump", "hand", "card_points", "tricks_won")
_CLOSE = ("closed_by", "opponent_at_close")
_FIELDS = (*_REQUIRED, "rules", "other", "stock", "gone", "led", "pending_marriage_points", *_CLOSE)
ME, OTHER = Player


def view_to_json(view: View) -> dict[str, Any]:
    """Write what a player sees.

    `other` and `hidden` are cards of the other hand, known and unknown; `lying` are those known to lie in the
    stock, the turned-up card last.
    """
    pack = view.rules.pack
    there = {*view.hand, *view.sure, *view.unseen, view.led, view.turned_up}
    up = () if view.turned_up is None else (view.turned_up,)
    return {
        "rules": view.rules.to_json(),
        "deck": view.rules.deck,
        "trump": view.trump.letter,
        "player": int(view.player),
        "hand": [str(card) for card in pack if card in view.hand],
        "led": None if view.led is None else str(view.led),
        "other": [str(card) for card in pack if card in view.sure],
        "hidden": view.other_size - len(view.sure),
        "lying": [str(card) for card in (*(each for each in pack if each in view.barred), *up)],
        "turned_up": None if view.turned_up is None else str(view.turned_up),
        "stock_left": view.stock_left,
        "stock": "closed" if view.closed_by is not None else "open" if view.stock_left else "exhausted",
        "card_points": list(view.card_points),
        "tricks_won": list(view.tricks_won),
        "pending_marriage_points": list(view.pending),
        "gone": [str(card) for card in pack if card not in there],
        "closed_by": None if view.closed_by is None else int(view.closed_by),
        "opponent_at_close": None if view.at_close is None else view.at_close.to_json(),
    }


def read_setting(data: object) -> Position | View:
    """Read a moment that somebody set up: with all cards placed a position, else what a player sees.

    Whoever sets it up is player 0, and it is that player's turn. `hand`, `other` (the cards of the other
    player that are known), `stock` (top first, the turned-up card last; of a hidden stock that card, and
    once closed whatever is known to lie there),
    `gone` (played), `led` (the card to be answered); cards that are not named are unknown. The rest is as in
    a position.

    Raises:
        PositionError: It cannot be.
        RecordError: It cannot be read.
        RuleSetError: Its rules do not exist.
    """
    fields = read_object(data, "setting", _FIELDS, _REQUIRED)
    rules = rules_from_json(fields.get("rules", {"preset": "schnapsen"}))
    places = {name: read_cards(fields.get(name, []), name) for name in ("hand", "other", "stock", "gone")}
    led = None if fields.get("led") is None else read_card(fields["led"], "led")
    named = [*places["hand"], *places["other"], *places["stock"], *places["gone"], *([led] if led else [])]
    twice = next((card for card in named if named.count(card) > 1), None)
    if twice is not None:
        raise PositionError(f"{twice} is there twice")
    won = read_counts(fields["tricks_won"], "tricks_won")
    points = read_counts(fields["card_points"], "card_points")
    if led is None and any(points[player] >= ENOUGH for player in _claimants(rules, won)):
        text = f"with {ENOUGH} points there is nothing to decide but the claim"
        raise PositionError(text, "claim", n=ENOUGH)
    unknown = [card for card in rules.pack if card not in named]
    tricks = sum(won)
    gone = len(places["gone"])
    if gone != 2 * tricks:
        text = f"{gone} cards were played, but {tricks} tricks won"
        raise PositionError(text, "gone", cards=gone, tricks=tricks)
    size = len(places["hand"]) - (led is not None)
    if not unknown:
        stock, other = places["stock"], places["other"]
    else:
        # any way to deal the unknown cards will do to have the rest checked
        missing = max(0, size - len(places["other"]))
        if len(unknown) > missing and not places["stock"] and fields.get("closed_by") is None:
            raise PositionError("the turned-up card is missing", "turned_up")
        other, stock = (*places["other"], *unknown[:missing]), (*unknown[missing:], *places["stock"])
    position = Position.from_json(
        {
            "rules": rules.to_json(),
            "trump": fields["trump"],
            "to_lead": int(ME if led is None else OTHER),
            "hands": [[str(card) for card in hand] for hand in (places["hand"], other)],
            "stock": [str(card) for card in stock],
            "card_points": fields["card_points"],
            "tricks_won": fields["tricks_won"],
            "pending_marriage_points": fields.get("pending_marriage_points", [0, 0]),
            "closed_by": fields.get("closed_by"),
            "opponent_at_close": fields.get("opponent_at_close"),
            "led": None if led is None else str(led),
        }
    )
    return position if not unknown else _seen(position, unknown, places["other"], places["stock"])


def _claimants(rules: RuleSet, tricks_won: tuple[int, int]) -> Sequence[Player]:
    """Who may claim before the lead (clause 7.2); once a card lies there nobody may, until it is answered."""
    if rules.claim_window == "any_player_between_tricks":
        return tuple(Player) if any(tricks_won) else ()
    return (ME,) if tricks_won[ME] else ()


def _seen(position: Position, unknown: list[Card], other: tuple[Card, ...], stock: tuple[Card, ...]) -> View:
    """Return what the player sees of a position in which the unknown cards were dealt anyhow."""
    lying, up = stock[:-1], stock[-1] if stock else None
    if position.is_open and lying:
        text = "of an open stock with unknown cards only the turned-up one is known"
        raise PositionError(text, "stock_known")
    if position.is_open and up is None:
        raise PositionError("the turned-up card is missing", "turned_up")
    return View(
        position.rules,
        Suit(position.trump),
        ME,
        position.hands[ME],
        position.led,
        frozenset(other),
        frozenset((*unknown, *lying)),
        frozenset(lying),
        frozenset(),
        len(position.hands[OTHER]),
        up,
        len(position.stock),
        position.card_points,
        position.tricks_won,
        position.pending,
        position.closed_by,
        position.at_close,
    )
