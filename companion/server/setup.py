"""The routes by which an owner sets the camera up; who may come in at all is decided by the guard.

`GET /api/setup`: what is kept, the cameras of this machine, the packs enrolled, what the eyes do.
`GET /api/setup/look`: the newest picture with what is recognised in it, `null` before there is one; not
while a hand is played of which this device may not see everything. `POST /api/setup`:
`{"type": "try", "setting": S}` looks as S says and tells the table nothing; `{"type": "keep", "setting": S}`
keeps S and watches the table so; `{"type": "leave"}` goes back to what is kept, and ends a pack that is
being learnt where nobody soon looks at it again;
`{"type": "enrol", "setting": S, "name": N, "nines": B}` learns a pack card by card;
`{"type": "enrol_back"}` asks for the last card again. Why nothing is seen is `failed` in English and
`why` as a key; what is refused has its `reason` as a key, or names the field before a colon.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response

from companion.live.command import InvalidCommandError
from companion.live.eyes import Eyes
from companion.live.permission import explained, may_look
from companion.live.setting import Setting, SettingError
from companion.live.snapshot import Snapshot
from companion.server.answer import Asked, answer, asked_fields, asking, asking_for, refusal
from companion.vision.fault import DeckError

__all__ = ["setup_routes"]

_ASKED: Asked = {
    "try": ({"setting"}, {"key"}),
    "keep": ({"setting"}, {"key"}),
    "leave": (set(), {"key"}),
    "enrol": ({"setting", "name", "nines"}, {"key"}),
    "enrol_back": (set(), {"key"}),
}


def setup_routes(
    eyes: Eyes, newest: Callable[[], Snapshot | None], looked: Callable[[Snapshot], None]
) -> Blueprint:
    """Build the routes.

    Args:
        eyes: The table's camera.
        newest: Gives the whole of what could be shown now.
        looked: Called when the picture is shown to a device that may not always see everything.
    """
    routes = Blueprint("setup", __name__, url_prefix="/api/setup")

    @routes.before_request
    def owners_only() -> Response | None:
        return None if asking().owner else refusal(403, "only the owner's device sets the camera up")

    @routes.get("")
    def index() -> Response:
        return answer(_standing(eyes))

    @routes.get("/look")
    def look() -> Response:
        snapshot = newest()
        if snapshot is not None and not may_look(asking().role, snapshot):
            return refusal(403, "while this hand is played the picture is not shown to players")
        if snapshot is not None and not explained(snapshot.match.fair, asking().role):
            looked(snapshot)
        now = eyes.glance()
        seen = {"picture": None} if now is None or now.look is None else now.look.to_json()
        return answer({**seen, **_doing(eyes)})

    @routes.post("")
    def change() -> Response:
        asked = asked_fields(asking_for(), _ASKED)
        match asked["type"]:
            case "try":
                eyes.try_out(Setting.from_json(asked["setting"]))
            case "keep":
                eyes.keep(_known(Setting.from_json(asked["setting"]), eyes))
            case "leave":
                eyes.leave()
            case "enrol":
                eyes.enrol(_with_camera(Setting.from_json(asked["setting"])), *_pack(asked))
            case _:
                now = eyes.now  # another owner may end it at any moment
                if now is None or now.enrolling is None:
                    return _refused(409, "no pack is being learnt", "not_learning")
                now.enrolling.back()
        return answer(_standing(eyes), 201)

    @routes.errorhandler(DeckError)
    def no_deck(error: DeckError) -> Response:
        return _refused(400, str(error), "name")

    @routes.errorhandler(SettingError)
    def unwritten(error: SettingError) -> Response:
        return _refused(503, str(error), "not_kept")

    return routes


def _refused(status: int, text: str, reason: str) -> Response:
    """Return a refusal for which the page has a text of its own."""
    return answer({"error": text, "reason": reason}, status)


def _standing(eyes: Eyes) -> dict[str, Any]:
    return {
        "cameras": [{"camera": camera, "name": name} for camera, name in eyes.cameras()],
        "decks": list(eyes.decks()),
        **_doing(eyes),
    }


def _doing(eyes: Eyes) -> dict[str, Any]:
    now = eyes.now
    kept = {"setting": None if eyes.setting is None else eyes.setting.to_json()}
    if now is None:
        return {**kept, "trying": None, "failed": "", "why": "", "enrolling": None}
    return {
        **kept,
        "trying": now.setting.to_json() if now.trial else None,
        "failed": now.failed,
        "why": now.why,
        "enrolling": None if now.enrolling is None else asdict(now.enrolling.progress),
    }


def _known(setting: Setting, eyes: Eyes) -> Setting:
    if setting.deck is not None and setting.deck not in eyes.decks():
        raise InvalidCommandError(f"deck: {setting.deck!r} is not enrolled")
    return setting


def _with_camera(setting: Setting) -> Setting:
    if setting.camera is None:
        raise InvalidCommandError("camera: a pack is learnt with one")
    return setting


def _pack(asked: dict[str, Any]) -> tuple[str, bool]:
    name, nines = asked["name"], asked["nines"]
    if not isinstance(name, str):
        raise InvalidCommandError(f"name: expected a text, got {name!r:.80}")
    if not isinstance(nines, bool):
        raise InvalidCommandError(f"nines: expected true or false, got {nines!r:.80}")
    return name, nines
