"""Findings as sentences of players, in German with the Austrian terms and in English.

A sentence is a pattern first: `{0}` and `{1}` stand for south and north, `{KH}` for a card, `{H}` for a
suit, so that a phone can put in the players' names and the names of its own pack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.review.findings import Finding
from companion.review.sentences import CARDS, DUTIES, EVENTS, SEATS, SENTENCES, SUITS
from companion.rules.cards import Card
from companion.rules.events import Agreed, Closed, Event

__all__ = ["LANGUAGES", "event_text", "filled", "pattern", "sentence"]

LANGUAGES = ("de", "en")
_TELLING = 0.15
"""With less between two shares of layouts the game points say more."""


def sentence(finding: Finding, language: str, names: tuple[str, str] = ("", "")) -> str:
    """Return what there is to say of a finding, cards and players by name."""
    return filled(pattern(finding, language), language, names)


def pattern(finding: Finding, language: str) -> str:
    """Return the sentence with places for names."""
    said, known = SENTENCES[language], finding.known
    values: dict[str, Any] = {
        **{name: value for name, value in known.items() if value is not None},
        "who": f"{{{int(finding.player)}}}",
        "other": f"{{{int(finding.player.other)}}}",
        "trick": finding.trick,
    }
    for name in ("card", "up", "led", "shown", "suit"):
        values[name] = f"{{{known[name]}}}" if known.get(name) is not None else "?"
    which = _which(finding)
    text = said[which].format(**values, **_more(finding, language))
    if "best" in known:
        compared = _compared(finding, language)
        if which != "turn":
            compared = compared[0].upper() + compared[1:]  # a sentence of its own
        text = f"{text} {compared}"
    return text


def _which(finding: Finding) -> str:
    """Return which of the sentences of a kind fits."""
    known, kind = finding.known, finding.kind
    match kind:
        case "claim_late":
            return kind if known["claimed"] is not None else "claim_never"
        case "claim_early":
            return "claim_early_pending" if known["pending"] else kind
        case "marriage_missed":
            if "made" in known:
                return "marriage_enough"
            other = known.get("done", f"play:{known['card']}") != f"play:{known['card']}"
            return "marriage_unsaid" if other else kind
        case "exchange_missed":
            return kind if "up" in known else "turn"  # without it, the solver alone: it came later
        case "revoke":
            return "revoke_shown" if known["shown_in"] is not None else kind
        case "close_bad" | "close_missed" | "lead" | "answer":
            return "turn"
        case _:
            return kind


def _more(finding: Finding, language: str) -> dict[str, str]:
    known = finding.known
    if finding.kind == "revoke":
        undone = SENTENCES[language]["undone"] if known["taken_back"] else ""
        return {"duty_text": DUTIES[language][known["duty"]], "undone": undone}
    if finding.kind == "claim_late" and finding.loss and known["would"]:
        cost = SENTENCES[language]["cost_one" if known["would"] == 1 else "cost"]
        return {"cost": cost.format(would=known["would"])}
    return {"cost": ""}


def _compared(finding: Finding, language: str) -> str:
    """Return what was best against what was done."""
    said, known = SENTENCES[language], finding.known
    best = _marriage(finding, language) or _action(known["best"], language)
    done = _action(known["done"], language)
    if known["certain"]:
        promised = [_points(round(known[name]), language) for name in ("best_points", "done_points")]
        return said["certain"].format(best=best, done=done, best_gets=promised[0], done_gets=promised[1])
    shares = [_share(known[name], language) for name in ("best_wins", "done_wins")]
    if known["best_wins"] - known["done_wins"] >= _TELLING:
        return said["wins"].format(best=best, done=done, best_wins=shares[0], done_wins=shares[1])
    means = [_mean(known[name], language) for name in ("best_points", "done_points")]
    return said["means"].format(best=best, done=done, best_mean=means[0], done_mean=means[1])


def _marriage(finding: Finding, language: str) -> str:
    """Return what the best action is called where it declares a pair; empty where it does not."""
    suit = finding.known.get("declares")
    return "" if suit is None else SENTENCES[language]["act_marriage"].format(suit=f"{{{suit}}}")


def _action(action: str, language: str) -> str:
    said = SENTENCES[language]
    if not action.startswith("play:"):
        return said[f"act_{action}"]
    return said["act_play"].format(card=f"{{{action.removeprefix('play:')}}}")


def _share(wins: float, language: str) -> str:
    """Return a share of layouts as people say it; never all or none where it is not."""
    said = SENTENCES[language]
    if wins > 0.995:
        return said["in_all"]
    if wins < 0.005:
        return said["in_none"]
    if wins >= 0.95:
        return said["in_most"]
    return said["in_few"] if wins < 0.05 else said["in_some"].format(n=min(9, max(1, round(10 * wins))))


def _points(points: int, language: str) -> str:
    said = SENTENCES[language]
    if points == 0:
        return said["gets_nothing"]
    name = ("gets" if points > 0 else "loses") + ("_one" if abs(points) == 1 else "")
    return said[name].format(n=abs(points))


def _mean(points: float, language: str) -> str:
    text = f"{round(points, 1) + 0.0:+.1f}".replace("-", "\N{MINUS SIGN}")
    return text.replace(".", ",") if language == "de" else text


def filled(text: str, language: str, names: tuple[str, str] = ("", "")) -> str:
    """Put names in for the places of a pattern; players without a name are south and north.

    >>> filled("{0}: {KH}", "en")
    'South: king of hearts'
    """
    return re.sub(r"\{(\w+)\}", lambda found: _name(found[1], language, names), text)


def _name(code: str, language: str, names: tuple[str, str]) -> str:
    if code in "01":
        return names[int(code)] or SEATS[language][int(code)]
    if len(code) == 1:
        return SUITS[language][code]
    ranks: Mapping[str, str] = CARDS[language]
    return ranks["card"].format(rank=ranks[code[0]], suit=SUITS[language][code[1]])


def event_text(
    event: Event, language: str, names: tuple[str, str], card: Callable[[Card | None], str] = str
) -> str:
    """Return what happened in words.

    Args:
        event: What happened, after the deal.
        language: One of `LANGUAGES`.
        names: Of south and north.
        card: Writes a card; `None` is one that nobody could name.
    """
    kind = type(event).__name__
    if isinstance(event, Closed) and event.before_draw:
        kind = "ClosedEarly"
    elif isinstance(event, Agreed) and event.winner is None:
        kind = "AgreedNone"
    player, suit = getattr(event, "player", getattr(event, "winner", None)), getattr(event, "suit", None)
    return EVENTS[language][kind].format(
        points=getattr(event, "game_points", 0),
        who="" if player is None else _name(str(int(player)), language, names),
        suit="" if suit is None else SUITS[language][suit.letter],
        card=card(getattr(event, "card", None)),
        cards=" ".join(card(each) for each in getattr(event, "cards", ())),
    )
