"""Matches as JSON objects, read as strictly as hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from companion.rules.event_form import RecordError, read_list, read_object, read_player, read_version
from companion.rules.points import Award, PointRange, Reason
from companion.rules.ruleset import RuleSetError, rules_from_json

if TYPE_CHECKING:
    from companion.rules.match import Match

__all__ = ["award_to_json", "match_fields", "match_to_json", "read_award", "read_points", "written_points"]

VERSION = 1
"""The version of the form that this program writes."""

_FIELDS = (
    "version",
    "rules",
    "next_dealer",
    "number",
    "awards",
    "earlier_marks",
    "earlier_wins",
    "earlier_series",
)
_AWARD = ("winner", "game_points", "reason", "clause", "card_points")


def match_to_json(match: Match) -> dict[str, Any]:
    """Write a match with its rules, so that it can be taken up where it stands."""
    wins = match.earlier_wins
    return {
        "version": VERSION,
        "rules": match.rules.to_json(),
        "next_dealer": int(match.next_dealer),
        "number": match.number,
        "awards": [award_to_json(award) for award in match.awards],
        "earlier_marks": list(match.earlier_marks),
        "earlier_wins": None if wins is None else list(wins),
        "earlier_series": list(match.earlier_series),
    }


def match_fields(data: object) -> dict[str, Any]:
    """Read what `match_to_json` wrote, as the fields of a match.

    Raises:
        RecordError: It is no match; the message names place and value.
    """
    fields = read_object(data, "match", _FIELDS, _FIELDS[1:])
    read_version(fields.get("version", VERSION), VERSION)
    try:
        rules = rules_from_json(fields["rules"])
    except RuleSetError as error:
        raise RecordError(f"rules: {error}") from None
    awards = read_list(fields["awards"], "awards")
    wins = fields["earlier_wins"]
    return {
        "rules": rules,
        "next_dealer": read_player(fields["next_dealer"], "next_dealer"),
        "number": _number(fields["number"], "number", 1),
        "awards": tuple(read_award(each, f"awards[{index}]") for index, each in enumerate(awards)),
        "earlier_marks": _pair(fields["earlier_marks"], "earlier_marks"),
        "earlier_wins": None if wins is None else _pair(wins, "earlier_wins"),
        "earlier_series": _pair(fields["earlier_series"], "earlier_series"),
    }


def written_points(points: PointRange) -> int | list[int]:
    """Write points: a number, or a pair of bounds where they are not known exactly."""
    return points.low if points.exact else [points.low, points.high]


def read_points(data: object, where: str) -> PointRange:
    """Read a number of points, or a pair of bounds.

    Raises:
        RecordError: Neither.
    """
    low, high = data if isinstance(data, list) and len(data) == 2 else (data, data)
    if type(low) is not int or type(high) is not int or not 0 <= low <= high:
        raise RecordError(f"{where}: {data!r:.80} is neither a number of points nor a pair of bounds")
    return PointRange(low, high)


def award_to_json(award: Award) -> dict[str, Any]:
    """Write what a hand paid."""
    return {
        "winner": None if award.winner is None else int(award.winner),
        "game_points": award.game_points,
        "reason": award.reason,
        "clause": award.clause,
        "card_points": [written_points(each) for each in award.card_points],
    }


def read_award(data: object, where: str) -> Award:
    """Read what `award_to_json` wrote.

    Raises:
        RecordError: It is no award; the message names the place and the value.
    """
    fields = read_object(data, where, _AWARD, _AWARD)
    points = read_list(fields["card_points"], f"{where}.card_points")
    if len(points) != 2:
        raise RecordError(f"{where}.card_points: {len(points)} numbers, not 2")
    reason, clause = fields["reason"], fields["clause"]
    if reason not in get_args(Reason):
        raise RecordError(f"{where}.reason: {reason!r:.80} is none of {', '.join(get_args(Reason))}")
    if not isinstance(clause, str):
        raise RecordError(f"{where}.clause: {clause!r:.80} is no clause")
    return Award(
        None if fields["winner"] is None else read_player(fields["winner"], f"{where}.winner"),
        _number(fields["game_points"], f"{where}.game_points", 0),
        reason,
        clause,
        (
            read_points(points[0], f"{where}.card_points[0]"),
            read_points(points[1], f"{where}.card_points[1]"),
        ),
    )


def _number(data: object, where: str, least: int) -> int:
    if type(data) is not int or data < least:
        raise RecordError(f"{where}: {data!r:.80} is not a number from {least}")
    return data


def _pair(data: object, where: str) -> tuple[int, int]:
    numbers = read_list(data, where)
    if len(numbers) != 2:
        raise RecordError(f"{where}: {len(numbers)} numbers, not 2")
    return _number(numbers[0], f"{where}[0]", 0), _number(numbers[1], f"{where}[1]", 0)
