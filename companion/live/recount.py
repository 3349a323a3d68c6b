"""A claim's sum that a player counts again by hand: who asked, and whether it was right.

It is talk at the table and nothing of the game: not written down, forgotten by a restart, and over
with the verdict that it is about.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.live.command import CountAgain, RefusedCommandError
from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.rules.claim import Verdict

__all__ = ["Recount", "counted_again", "kept"]


@dataclass(frozen=True, slots=True)
class Recount:
    """A sum that is counted again.

    Attributes:
        player: Who asked.
        right: Whether that player has found it right.
    """

    player: Player
    right: bool = False


def counted_again(recount: Recount | None, command: CountAgain, standing: Standing) -> Recount:
    """Return what `recount` becomes when a player asks for one, or says that the sum is right.

    Raises:
        RefusedCommandError: There is no verdict, or somebody else has asked already.
    """
    if _verdict(standing) is None:
        raise RefusedCommandError("too_late", "there is no verdict that could be counted again")
    if not command.right:
        if recount is not None:
            raise RefusedCommandError("too_late", f"{recount.player.name.lower()} has asked already")
        return Recount(command.player)
    if recount is None or recount.right:
        raise RefusedCommandError("too_late", "nobody is counting again")
    if recount.player is not command.player:
        raise RefusedCommandError("not_yours", f"{recount.player.name.lower()} is counting again")
    return Recount(recount.player, right=True)


def kept(recount: Recount | None, before: Standing, after: Standing) -> Recount | None:
    """Return what is left of `recount` when the table stands at `after`.

    It goes on over a correction; what was found right holds for that sum only.
    """
    was, now = _verdict(before), _verdict(after)
    if recount is None or was is None or now is None:
        return None
    if recount.right and (was.points, was.working) != (now.points, now.working):
        return None
    return recount


def _verdict(standing: Standing) -> Verdict | None:
    """Return the verdict that phones show."""
    return None if standing.hand is None or standing.called is not None else standing.hand.verdict
