"""What a referee reports of a revoke, and what the table may do about it (docs/rules.md, 3.5 to 3.7)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player
from companion.rules.points import Award
from companion.rules.scoring import award_of_revoke
from companion.rules.state import HandState

__all__ = ["RevokeFound", "revoke_found", "revokes_found"]


@dataclass(frozen=True, slots=True)
class RevokeFound:
    """A proven revoke, both plays named.

    Attributes:
        player: Who broke the duty.
        duty: To follow, to head or to trump.
        trick: Number of the trick, from 1.
        led: The card that was to be answered.
        played: The wrong answer.
        shown_in: Number of the trick in which the proof turned up; `None`: the hand was known.
        shown: The card that was held and should have been played.
        award: What it pays when the other player calls it now; `None` where the play is taken back
            instead, where it has been, and where what was seen does not decide it.
        taken_back: It has been taken back.
    """

    player: Player
    duty: Breach
    trick: int
    led: Card | None
    played: Card | None
    shown_in: int | None
    shown: Card | None
    award: Award | None
    taken_back: bool


def revokes_found(state: HandState) -> tuple[RevokeFound, ...]:
    """Return all proven revokes of a hand, in the order in which they became known."""
    return tuple(revoke_found(noted, state) for noted in state.breaches if noted.breach.is_revoke)


def revoke_found(noted: NotedBreach, state: HandState) -> RevokeFound:
    """Return the report of one noted revoke, as the hand stands now."""
    led = None
    if noted.trick <= len(state.tricks):
        led = state.tricks[noted.trick - 1].led
    elif state.led is not None:
        led = state.led.card
    return RevokeFound(
        noted.player,
        noted.breach,
        noted.trick,
        led,
        noted.card,
        noted.proved_in,
        noted.proved_by,
        None if noted.taken_back else award_of_revoke(state, noted.player),
        noted.taken_back,
    )
