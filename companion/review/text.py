"""A review for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.review.course import Course
from companion.review.findings import Finding
from companion.review.judging import Decision
from companion.review.story import Told, tricks
from companion.review.wording import event_text, filled, sentence
from companion.rules.cards import Card
from companion.rules.events import Agreed, Claimed, Conceded, GivenUp, HandShown, RevokeCalled
from companion.rules.record import result_of
from companion.rules.scoring import Count

__all__ = ["hand_text", "told_text"]

_SEATS = ("south", "north")


def hand_text(course: Course, index: int) -> str:
    """Return the story of a hand as a table of its tricks."""
    final, rules = course.final, course.record.rules
    up = "nobody saw the turned-up card"
    if final.dealt_up is not None and final.trump is not None:
        up = f"{final.dealt_up} turned up, trumps {filled('{' + final.trump.letter + '}', 'en')}"
    lines = [
        f"Hand {index + 1}: {rules.title}, {final.dealer.name.lower()} deals, {up}",
        "",
        "      lead          answer        to      south  north",
    ]
    for told in tricks(course):
        lines += _trick_lines(told)
    return "\n".join([*lines, "", _outcome(course)])


def _trick_lines(told: Told) -> Iterator[str]:
    before = [
        event
        for event in told.words
        if not isinstance(event, Claimed | Conceded | HandShown | RevokeCalled | GivenUp | Agreed)
    ]
    yield from (f"      {event_text(event, 'en', _SEATS)}" for event in before)
    if told.trick is not None:
        trick = told.trick
        lead = f"{trick.leader.name.lower()} {_card(trick.led)}"
        answer = f"{trick.leader.other.name.lower()} {_card(trick.followed)}"
        to = "?" if trick.winner is None else trick.winner.name.lower()
        south, north = (_points(each) for each in told.counts)
        yield f"{told.number:>4}  {lead:<14}{answer:<14}{to:<8}{south:>5}  {north:>5}"
    elif told.led is not None:
        yield f"{told.number:>4}  {told.led.player.name.lower()} {_card(told.led.card)}"
    yield from (f"      {event_text(event, 'en', _SEATS)}" for event in told.words if event not in before)


def _card(card: Card | None) -> str:
    return "?" if card is None else str(card)


def _points(count: Count) -> str:
    total = f"{count.total.low}-{count.total.high}" if not count.total.exact else str(count.total.low)
    return f"{total}+{count.pending.high}" if count.pending.high else total


def _outcome(course: Course) -> str:
    result, award = result_of(course.final), course.final.award
    south, north = (str(points) for points in result.card_points)
    reason = result.reason.replace("_", " ") + (f", rule {award.clause}" if award else "")
    if result.reason == "open":
        return f"What was seen does not decide who scores; card points south {south}, north {north}."
    if result.winner is None:
        return f"Nobody scores ({reason}); card points south {south}, north {north}."
    points = f"{result.game_points} game point{'s' if result.game_points != 1 else ''}"
    name = result.winner.name.lower().capitalize()
    return f"{name} wins {points} ({reason}); card points south {south}, north {north}."


def told_text(told: Sequence[Finding], decisions: Sequence[Decision], unjudged: str) -> str:
    """Return what there is to say of a hand, what cost most first."""
    lines = []
    for number, finding in enumerate(told, 1):
        cost = f"  [{finding.loss:.1f} game points]" if finding.loss else ""
        lines.append(f"{number:>3}. {sentence(finding, 'en')}{cost}")
    if not lines:
        lines.append(
            "Nothing was missed that can be shown." if not unjudged else "The rules alone show nothing."
        )
    if unjudged:
        lines.append(f"Not judged by the solver: {unjudged}.")
    else:
        flaws = sum(decision.mistake for decision in decisions)
        choices = f"{len(decisions)} decision{'s' if len(decisions) != 1 else ''} with a choice"
        lines.append(f"{choices}, {flaws} of them with a loss that can be shown.")
    return "\n".join(lines)
