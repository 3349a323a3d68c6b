"""Who may press what: a player's phone speaks for its player, a referee's for both, lookers-on for nobody.

Where the match hides something while a hand is played, players do not change the past: what has been
shown at the end, or lies under other cards, is the referee's.
"""

from __future__ import annotations

from companion.live.audience import (
    Sight,
    is_open,
    may_begin,
    may_give_up,
    may_take_back,
    sight_of,
    tells_cards,
)
from companion.live.command import (
    Answer,
    CallRevoke,
    Claim,
    Close,
    Command,
    Correct,
    CountAgain,
    Declare,
    Edit,
    Exchange,
    Knock,
    NewHand,
    NewMatch,
    RefusedCommandError,
    Rename,
    ShowHand,
    Undo,
    agrees,
)
from companion.live.correction import Proposal
from companion.live.snapshot import Role, Snapshot
from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.rules.events import Agreed, CardPlayed, Event
from companion.rules.fair_play import FairPlay

__all__ = ["allow", "allow_outcome", "explained", "may_look"]


def allow(command: Command, role: Role, snapshot: Snapshot, *, owner: bool = False) -> None:
    """Let `command` pass if a phone with `role` may press it now.

    Args:
        command: What is pressed.
        role: Whose phone it is.
        snapshot: The whole of what could be shown now.
        owner: Whether it lets in the other devices.

    Raises:
        RefusedCommandError: It may not, with the reason `not_yours`.
    """
    if not role.presses:
        raise RefusedCommandError("not_yours", "this device may look on only")
    match command:
        case (
            Claim()
            | Declare()
            | Close()
            | Exchange()
            | Knock()
            | CallRevoke()
            | ShowHand()
            | CountAgain()
            | Rename()
        ):
            if role.seat not in (None, command.player):
                raise RefusedCommandError("not_yours", f"this is {role.value}'s phone")
        case NewHand():
            if not owner and not may_give_up(snapshot, role):
                raise RefusedCommandError("not_yours", "only a referee or the owner breaks off this hand")
        case NewMatch():
            if not owner and not may_begin(snapshot, role):
                raise RefusedCommandError("not_yours", "only a referee or the owner ends this match")
        case Undo():
            if snapshot.last is not None and not may_take_back(snapshot, role):
                raise RefusedCommandError("not_yours", "only a referee takes that back in this match")
        case _ if not explained(snapshot.match.fair, role):
            if not (owner and isinstance(command, Edit) and _says_result(command, snapshot)):
                _allow_change(command, snapshot)


def allow_outcome(
    edit: Edit, proposal: Proposal, role: Role, snapshot: Snapshot, *, owner: bool = False
) -> None:
    """Let an edit pass as far as it leaves how hands ended, or comes from somebody who may change that.

    Once everything has been shown after a hand a referee takes back how it ended; what a hand paid is said by
    a referee, or an owner.

    Args:
        edit: What a phone asks.
        proposal: What it would come to.
        role: Whose phone asks.
        snapshot: The whole of what could be shown now.
        owner: Whether it lets in the other devices.

    Raises:
        RefusedCommandError: It may not, with the reason `not_yours`.
    """
    if explained(snapshot.match.fair, role):
        return
    if _agreed(proposal.before) != _agreed(proposal.after):
        if owner and not _opens_again(proposal):
            return
        raise RefusedCommandError("not_yours", "only a referee or the owner says what a hand paid")
    if not is_open(snapshot):
        return
    if isinstance(edit, Correct) and edit.event is None and _is_end_asked(edit.seq, snapshot):
        return
    if _ends(proposal.before) != _ends(proposal.after):
        raise RefusedCommandError("not_yours", "only a referee takes back how a hand ended in this match")


def _is_end_asked(seq: int, snapshot: Snapshot) -> bool:
    """Whether the claim with this number is what a question is about: that nobody made it answers that."""
    return any(each.about == seq and each.text == "how_ended" for each in snapshot.questions)


def _ends(standing: Standing) -> list[tuple[bool, Player | None, bool]]:
    return [(hand.state.over, hand.claimant, hand.state.given_up) for hand in standing.hands]


def _opens_again(proposal: Proposal) -> bool:
    """Whether a hand would go on that is over, and has been shown: who looked into it would play on."""
    before, after = proposal.before.hand, proposal.after.hand
    return before is not None and after is not None and before.state.over and not after.state.over


def _agreed(standing: Standing) -> list[Event | None]:
    return [hand.events[-1].event if hand.state.agreed else None for hand in standing.hands]


def _says_result(edit: Edit, snapshot: Snapshot) -> bool:
    """Whether somebody says what a hand paid, or takes that back."""
    named = edit.seq if isinstance(edit, Correct) else None
    told = () if snapshot.hand is None else snapshot.hand.events
    return agrees(edit) or any(each.seq == named and isinstance(each.event, Agreed) for each in told)


def explained(fair: FairPlay, role: Role) -> bool:
    """Whether a phone with `role` may always be told everything, why it is refused among it."""
    return sight_of(fair.mode, role) is Sight.ALL


def may_look(role: Role, snapshot: Snapshot) -> bool:
    """Whether a phone with `role` may show the camera's picture now: it may see into a player's hand."""
    return snapshot.hand is None or is_open(snapshot) or explained(snapshot.match.fair, role)


def _allow_change(command: Command, snapshot: Snapshot) -> None:
    """Let a player change what both still see on the table, and what the end leaves open."""
    hand = snapshot.hand
    ended = hand is not None and is_open(snapshot)
    lying = {laid.seq for laid in hand.trick} if hand is not None else set()
    match command:
        case Correct(seq, None):
            allowed = _is_end_asked(seq, snapshot) or (not ended and seq in lying)
        case Correct(seq, event):
            allowed = ended or (seq in lying and isinstance(event, CardPlayed))
        case Answer(seq):
            asked = next((each for each in snapshot.questions if each.seq == seq), None)
            allowed = ended or asked is None or not tells_cards(asked)
        case _:
            allowed = ended
    if not allowed:
        raise RefusedCommandError("not_yours", "only a referee changes that in this match")
