"""What the players pressed on the phone, kept beside a recording as JSON Lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.rules.cards import Player, Suit
from companion.rules.events import Claimed, Closed, Knocked, MarriageDeclared, RevokeCalled
from companion.table.entry import phone_of
from companion.vision.fault import why_unreadable

__all__ = ["Tap", "TapError", "read_taps"]

Pressed = Claimed | Closed | MarriageDeclared | Knocked | RevokeCalled


class TapError(ValueError):
    """A line of a tap file that is no tap; the message names file, line and what was expected."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Something that a player pressed.

    Attributes:
        time: Seconds on the recording's clock.
        player: Who pressed.
        event: What it says.
    """

    time: float
    player: Player
    event: Pressed

    @property
    def source(self) -> str:
        """As in `companion.table.entry.Settled.source`."""
        return phone_of(self.player)

    @classmethod
    def from_json(cls, value: object) -> Tap:
        """Read a tap from its JSON object.

        >>> Tap.from_json({"t": 83.2, "type": "claim", "player": 1}).event
        Claimed(player=<Player.NORTH: 1>)

        Raises:
            TapError: Not a tap; the message names the field.
        """
        if not isinstance(value, dict):
            raise TapError(f"expected a JSON object, got {type(value).__name__}")
        time = value.get("t")
        if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < 1e9:
            raise TapError(f"t: expected seconds from 0, got {time!r:.80}")
        number = value.get("player")
        if type(number) is not int or number not in (0, 1):
            raise TapError(f"player: expected 0 (south) or 1 (north), got {number!r:.80}")
        player = Player(number)
        return cls(float(time), player, _event(value, player))


def read_taps(path: Path) -> tuple[Tap, ...]:
    """Read a tap file, one JSON object a line; empty lines are skipped.

    Returns:
        The taps in the order of their times.

    Raises:
        TapError: The file cannot be read, or a line of it is no tap.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TapError(f"{path}: {why_unreadable(error)}") from error
    except UnicodeDecodeError as error:
        raise TapError(f"{path}: the file holds no text") from error
    taps = []
    for number, line in enumerate(text.split("\n"), 1):  # a text in one may hold what else ends a line
        if not line.strip():
            continue
        try:
            taps.append(Tap.from_json(json.loads(line)))
        except json.JSONDecodeError as error:
            raise TapError(f"{path}, line {number}: not JSON ({error.msg})") from error
        except TapError as error:
            raise TapError(f"{path}, line {number}: {error}") from error
        except RecursionError as error:
            raise TapError(f"{path}, line {number}: it is nested too deeply") from error
        except ValueError as error:  # a number of thousands of digits
            raise TapError(f"{path}, line {number}: not JSON ({error})") from error
    return tuple(sorted(taps, key=lambda tap: tap.time))


def _event(value: dict[str, Any], player: Player) -> Pressed:
    match value.get("type"):
        case "claim":
            return Claimed(player)
        case "close":
            before_draw = value.get("before_draw", False)
            if not isinstance(before_draw, bool):
                raise TapError(f"before_draw: expected true or false, got {before_draw!r:.80}")
            return Closed(player, before_draw)
        case "marriage":
            suit = value.get("suit")
            if suit not in [each.letter for each in Suit]:
                raise TapError(f"suit: expected one of H D C S, got {suit!r:.80}")
            return MarriageDeclared(player, Suit(suit))
        case "knock":
            return Knocked(player)
        case "revoke":
            return RevokeCalled(player)
        case other:
            raise TapError(f"type: expected claim, close, marriage, knock or revoke, got {other!r:.80}")
