"""What a house is told of the table: its state as JSON, and how Home Assistant shows it.

Both are made from what a screen beside the table shows, cut and late as it is; nothing else is looked at.
The device is announced as a whole, as Home Assistant takes it from 2024.11 on:
https://www.home-assistant.io/integrations/mqtt/, "Device discovery payload".
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256

from companion import __version__
from companion.live.doubt import Checked
from companion.live.health import Sight
from companion.live.snapshot import HandView, Role, Snapshot
from companion.rules.cards import Player, Suit
from companion.rules.points import PointRange

__all__ = ["OFFLINE", "ONLINE", "STATUS", "Topics", "messages"]

STATUS = "homeassistant/status"
"""Where Home Assistant says that it has started, by `ONLINE`."""
ONLINE, OFFLINE = "online", "offline"

_WAITING, _PLAYING, _OVER, _WON = _TABLE = ("waiting", "playing", "over", "won")
_SIDES = {Player.SOUTH: Role.SOUTH.value, Player.NORTH: Role.NORTH.value}


@dataclass(frozen=True, slots=True)
class Topics:
    """Where one table's messages go; each machine has its own, and each table with a name.

    Attributes:
        device: What stands for the table in topics and identities.
        name: What it is called.
        entity: How the names of its entities begin.
    """

    device: str
    name: str
    entity: str

    @classmethod
    def of(cls, machine: str, table: str = "") -> Topics:
        """Return those of the table called `table`, if anything, at `machine`, the name of a host.

        >>> Topics.of("küche.lan").state
        'schnapsen/k-che/state'
        >>> Topics.of("pi.lan", "Tisch 7").state
        'schnapsen/pi-Tisch-7/state'
        """
        device = _safe(machine.partition(".")[0]) or "table"
        if not table:
            return cls(device, f"Schnapsen on {device}", "schnapsen")
        told_apart = _told_apart(table)
        return cls(
            f"{device}-{told_apart}",
            f"Schnapsen, {table}",
            f"schnapsen_{told_apart.lower().replace('-', '_')}",
        )

    @property
    def config(self) -> str:
        """Announces the device."""
        return f"homeassistant/device/schnapsen-{self.device}/config"

    @property
    def state(self) -> str:
        """Says how the table stands."""
        return f"schnapsen/{self.device}/state"

    @property
    def available(self) -> str:
        """Says whether the companion runs: `ONLINE` or `OFFLINE`."""
        return f"schnapsen/{self.device}/available"


def _safe(text: str) -> str:
    return re.sub("[^A-Za-z0-9_-]", "-", text)


def _told_apart(table: str) -> str:
    """Return a table's name as a topic can hold it; a digest tells those apart that would be one."""
    safe = _safe(table)
    if re.fullmatch("[A-Za-z0-9]+(?: [A-Za-z0-9]+)*", table):
        return safe
    return f"{safe}-{sha256(table.encode()).hexdigest()[:6]}"


def messages(board: Snapshot, topics: Topics) -> dict[str, str]:
    """Return all there is to tell, by topic, in the order in which it is to be told.

    Args:
        board: A snapshot that is cut for `Role.BOARD`, as late as it has to be.
        topics: Where the messages go.
    """
    return {
        topics.config: _text(_config(board, topics)),
        topics.state: _text(_state(board)),
        topics.available: ONLINE,
    }


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _state(board: Snapshot) -> dict[str, object]:
    """How the table stands; what is not to be known is `None`."""
    match, hand, sight = board.match, board.hand, board.health.sight
    told: dict[str, object] = {
        "table": _table(board),
        "trump": None if hand is None or hand.trump is None else hand.trump.name.lower(),
        "stock": None if hand is None else hand.stock_left if hand.stock == "open" else hand.stock,
        "camera": None if sight is Sight.NONE else sight is Sight.WATCHING,
        "question": _asks(hand),
    }
    for player, side in _SIDES.items():
        told[f"{side}_points"] = None if hand is None else _points(hand.sides[player].total)
        told[f"{side}_game_points"] = match.points[player]
        told[f"{side}_bummerl"] = match.marks[player]
    return told


def _table(board: Snapshot) -> str:
    if board.match.winner is not None:
        return _WON
    if board.hand is None:
        return _WAITING
    return _OVER if board.hand.over else _PLAYING


def _points(total: PointRange | None) -> int | str | None:
    if total is None:
        return None
    return total.low if total.low == total.high else f"{total.low}–{total.high}"


def _asks(hand: HandView | None) -> bool | None:
    """Whether a question about the hand is open; that is told with the counts, and only with them."""
    if hand is None or all(side.total is None for side in hand.sides):
        return None
    return hand.checked is Checked.OPEN


def _config(board: Snapshot, topics: Topics) -> dict[str, object]:
    """The device and its entities; what players are called is in the names, never in the identities."""
    components = {
        "table": _sensor("Table", device_class="enum", options=_TABLE),
        "trump": _sensor("Trump", device_class="enum", options=[suit.name.lower() for suit in Suit]),
        "stock": _sensor("Stock"),
        "camera": _binary("Camera", device_class="connectivity"),
        "question": _binary("Question", device_class="problem"),
    }
    for player, side in _SIDES.items():
        name = board.match.names[player] or side.capitalize()
        components[f"{side}_points"] = _sensor(f"{name} points")
        components[f"{side}_game_points"] = _sensor(f"{name} game points")
        components[f"{side}_bummerl"] = _sensor(f"{name} Bummerl")
    for key, each in components.items():
        each["unique_id"] = f"schnapsen-{topics.device}-{key}"
        each["default_entity_id"] = f"{each['p']}.{topics.entity}_{key}"
        each["value_template"] = f"{{{{ value_json.{key} }}}}"
    return {
        "dev": {
            "ids": [f"schnapsen-{topics.device}"],
            "name": topics.name,
            "sw": __version__,
        },
        "o": {"name": "Schnapsen companion", "sw": __version__},
        "cmps": components,
        "state_topic": topics.state,
        "availability_topic": topics.available,
    }


def _sensor(name: str, **more: object) -> dict[str, object]:
    return {"p": "sensor", "name": name, **more}


def _binary(name: str, **more: object) -> dict[str, object]:
    """A sensor that is on or off; its template gives Python's words for it."""
    return {"p": "binary_sensor", "name": name, "payload_on": "True", "payload_off": "False", **more}
