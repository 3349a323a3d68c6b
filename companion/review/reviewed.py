"""What there is to say of a hand: what was found and what was decided badly, what cost most first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.review.course import Course
from companion.review.findings import Finding, findings
from companion.review.judging import Decision
from companion.rules.cards import Card, Player
from companion.rules.events import MarriageDeclared
from companion.rules.hand import check

__all__ = ["mistakes", "ranked"]

_ONCE = ("exchange_missed", "close_missed")
"""What is left undone for several tricks is told once, where it cost most."""


def ranked(course: Course, decisions: Iterable[Decision] = ()) -> tuple[Finding, ...]:
    """Return everything that is to be said, what cost most first, each thing once.

    What the solver shows to be a forgotten exchange or marriage is the same as what the rules show; it
    then says what it cost, and in which trick most.
    """
    shown = list(mistakes(course, decisions))
    told: list[Finding] = []
    for finding in findings(course):
        same = [each for each in shown if _same(each, finding)]
        shown = [each for each in shown if each not in same]
        if same:
            worst = max(same, key=_loss)
            known = {**worst.known, **finding.known}
            finding = replace(finding, trick=worst.trick, at=worst.at, loss=worst.loss, known=known)
        told.append(finding)
    for each in sorted(shown, key=_loss, reverse=True):
        if each.kind not in _ONCE or not any(
            each.kind == other.kind and each.player is other.player for other in told
        ):
            told.append(each)
    return tuple(sorted(told, key=lambda each: (-_loss(each), each.at)))


def _loss(finding: Finding) -> float:
    return finding.loss or 0.0


def _same(mistake: Finding, finding: Finding) -> bool:
    """Whether a mistake is what was found without the solver."""
    if mistake.player is not finding.player:
        return False
    if finding.kind == "exchange_missed":
        return mistake.kind == finding.kind
    return finding.kind == "marriage_missed" and mistake.at == finding.at


def mistakes(course: Course, decisions: Iterable[Decision]) -> Iterator[Finding]:
    """Yield a finding for each decision that can be shown to be a mistake."""
    for decision in decisions:
        if not decision.mistake:
            continue
        moment, known = decision.moment, _known(decision)
        if moment.action == "close":
            kind = "close_bad"
        elif decision.best in ("close", "exchange"):
            kind = f"{decision.best}_missed"
        elif moment.leads:
            kind = "lead"
            best = Card.parse(decision.best.removeprefix("play:"))
            if _makes_pair(course, moment.at, best):
                kind = "marriage_missed"
                known |= {"suit": best.suit.letter, "card": str(best), "declares": best.suit.letter}
        else:
            kind = "answer"
        yield Finding(kind, moment.player, moment.trick, moment.at, decision.loss, known)


def _makes_pair(course: Course, at: int, card: Card) -> bool:
    """Whether a lead would have declared a pair that was not declared."""
    state = course.states[at]
    player = state.leader
    if player is None or card.partner is None or course.events[at] == _word(player, card):
        return False
    return {card, card.partner} <= course.held(at, player) and check(state, _word(player, card)) is None


def _word(player: Player, card: Card) -> MarriageDeclared:
    return MarriageDeclared(player, card.suit)


def _known(decision: Decision) -> dict[str, object]:
    return {
        "done": decision.moment.action,
        "best": decision.best,
        "done_wins": decision.done.wins,
        "best_wins": decision.other.wins,
        "done_points": decision.done.game_points,
        "best_points": decision.other.game_points,
        "certain": decision.certain,
        "layouts": decision.layouts,
        "error": decision.error,
    }
