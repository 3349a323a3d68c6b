"""Who may press what: a player's phone speaks for its player, a referee's for both, lookers-on for nobody.

Where the match hides something while a hand is played, players do not change the past: what has been
shown at the end, or lies under other cards, is the referee's.
"""

from __future__ import annotations

from companion.live.audience import (
    Sight,
    cuts_off_claim,
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
from companion.live.hand import HandFold
from companion.live.snapshot import Role, Snapshot
from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.rules.events import Agreed, CardPlayed, Event
from companion.rules.fair_play import FairPlay

__all__ = ["allow", "allow_outcome", "explained", "keeps_role", "may_look"]


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
            if cuts_off_claim(snapshot, role):
                raise RefusedCommandError("not_yours", "the other player may still claim")
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
                _allow_change(command, role, snapshot)


def allow_outcome(
    edit: Edit | Answer, proposal: Proposal, role: Role, snapshot: Snapshot, *, owner: bool = False
) -> None:
    """Let a change pass as far as it leaves how hands ended, or comes from somebody who may change that.

    Once everything has been shown after a hand a referee takes back how it ended; what a hand paid is said by
    a referee, or an owner. While something is hidden nothing changes but what is named: that a card must have
    been misread before would be a change of what nobody may look at.

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
    if _settles_end(edit, snapshot):
        return
    if not is_open(snapshot):
        if isinstance(edit, Correct) and _events(proposal.after) != _events(proposal.before, edit):
            raise RefusedCommandError("not_yours", "only a referee changes more than that in this match")
    elif _ends(proposal.before) != _ends(proposal.after):
        raise RefusedCommandError("not_yours", "only a referee takes back how a hand ended in this match")


def _settles_end(edit: Edit | Answer, snapshot: Snapshot) -> bool:
    """Whether it is the answer to how a hand has ended, which players may give."""
    if isinstance(edit, Answer):
        return any(each.seq == edit.seq and each.text == "how_ended" for each in snapshot.questions)
    return isinstance(edit, Correct) and edit.event is None and _is_end_asked(edit.seq, snapshot)


def _events(standing: Standing, edit: Correct | None = None) -> list[Event]:
    """Return what happened, or would have if nothing but what is named was otherwise."""
    told = [entry for hand in standing.hands for entry in hand.events]
    if edit is None:
        return [entry.event for entry in told]
    named = [(entry.seq == edit.seq, entry.event) for entry in told]
    return [event for changes, old in named if (event := edit.event if changes else old) is not None]


def _is_end_asked(seq: int, snapshot: Snapshot) -> bool:
    """Whether the claim with this number is what a question is about: that nobody made it answers that."""
    return any(each.about == seq and each.text == "how_ended" for each in snapshot.questions)


def _ends(standing: Standing) -> list[tuple[bool, Player | None, bool]]:
    return [(hand.state.over, hand.claimant, hand.state.given_up) for hand in standing.hands]


def _opens_again(proposal: Proposal) -> bool:
    """Whether a hand could go on that is over, and has been shown: who looked into it would play on.

    One that was given up can be taken up again.
    """
    before, after = proposal.before.hand, proposal.after.hand
    return _is_shown(before) and not _is_shown(after)


def _is_shown(hand: HandFold | None) -> bool:
    return hand is not None and hand.state.over and not hand.state.given_up


def _agreed(standing: Standing) -> list[Event | None]:
    return [hand.events[-1].event if hand.state.agreed else None for hand in standing.hands]


def _says_result(edit: Edit, snapshot: Snapshot) -> bool:
    """Whether somebody says what a hand paid, or takes that back.

    Said in place of something else it tells what that was: not while it is hidden.
    """
    named = edit.seq if isinstance(edit, Correct) else None
    told = () if snapshot.hand is None else snapshot.hand.events
    is_told = any(each.seq == named and isinstance(each.event, Agreed) for each in told)
    return is_told or (agrees(edit) and (named is None or is_open(snapshot)))


def explained(fair: FairPlay, role: Role) -> bool:
    """Whether a phone with `role` may always be told everything, why it is refused among it."""
    return sight_of(fair.mode, role) is Sight.ALL


def may_look(role: Role, snapshot: Snapshot) -> bool:
    """Whether a phone with `role` may show the camera's picture now: it may see into a player's hand."""
    return snapshot.hand is None or is_open(snapshot) or explained(snapshot.match.fair, role)


def keeps_role(before: Role, after: Role, snapshot: Snapshot | None) -> bool:
    """Whether a device keeps its role until this hand is over.

    Somebody plays at it, and a look at what his opponent has, or at everything, would stay with him when the
    role is changed back. The device in the middle may become a player's.

    Args:
        before: What the device is.
        after: What it is to become.
        snapshot: The whole of what could be shown now; `None`: nothing.
    """
    if snapshot is None or not before.presses or after is before or is_open(snapshot):
        return False
    mode = snapshot.match.fair.mode
    wider = sight_of(mode, after) is Sight.ALL and sight_of(mode, before) is not Sight.ALL
    return wider or before.seat is not None


def _is_asked(seq: int, snapshot: Snapshot) -> bool:
    """Whether a question is about the entry with this number."""
    return any(each.about == seq for each in snapshot.questions)


def _allow_change(command: Command, role: Role, snapshot: Snapshot) -> None:
    """Let a player change what both still see on the table, and what the end leaves open."""
    hand = snapshot.hand
    ended = hand is not None and is_open(snapshot)
    lying = {laid.seq for laid in hand.trick} if hand is not None else set()
    match command:
        case Correct(seq, None):
            allowed = _is_end_asked(seq, snapshot) or (not ended and seq in lying)
        case Correct(seq, event):
            named = sight_of(snapshot.match.fair.mode, role) is not Sight.LEAD or _is_asked(seq, snapshot)
            allowed = ended or (seq in lying and named and isinstance(event, CardPlayed))
        case Answer(seq):
            asked = next((each for each in snapshot.questions if each.seq == seq), None)
            allowed = ended or asked is None or not tells_cards(asked)
        case _:
            allowed = ended
    if not allowed:
        raise RefusedCommandError("not_yours", "only a referee changes that in this match")
