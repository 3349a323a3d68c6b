"""The fold of the log: from what was written down to where the match stands.

Only items since the last `MatchStarted` matter; it carries over what stands from before. A
match that is won is followed by the next with the next deal. An entry counts while no other
withdraws it. The order of `seq` is the order of the hand. What a correction withdraws and writes anew
changes the past and nothing else: it answers no question and ends no waiting. Where it was agreed what a hand
paid, nothing is asked about it any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.live.changes import changes_of
from companion.live.hand import by_hand, fold_hands, in_doubt, is_due
from companion.live.pressed import pending_of
from companion.live.question import questions_of
from companion.live.standing import Standing, match_after
from companion.rules.events import Dealt
from companion.store.item import Corrected, Item, MatchStarted, Vouched
from companion.table.entry import Entry, Retracted, Settled, Unseen

__all__ = ["entries_of", "fold"]


def entries_of(items: Iterable[Item]) -> tuple[Entry, ...]:
    """Return what the decoder wrote among `items`."""
    return tuple(item for item in items if isinstance(item, Entry))


def fold(items: Sequence[Item], *, over: bool = False) -> Standing:
    """Return where the match stands after `items`, of which the first is a `MatchStarted`.

    Items give the entries that stand, those the `changes` and the open ones of what was asked (`question`),
    then each `hand`, and all hands the match and where it stands (`standing`); what was `pressed` waits.

    Args:
        items: What the log holds of it.
        over: Whether nobody claims any more in the last hand: it is told as it was played.
    """
    started = items[0]
    if not isinstance(started, MatchStarted):
        raise ValueError(f"a fold begins with a match, got {type(started).__name__}")
    entries = entries_of(items)
    withdrawn = {entry.withdraws for entry in entries if isinstance(entry, Retracted)}
    settled = sorted(
        (entry for entry in entries if isinstance(entry, Settled) and entry.seq not in withdrawn),
        key=lambda entry: entry.seq,
    )
    told = [item for item in items if isinstance(item, Corrected)]
    changes = changes_of(told, entries, settled)
    questions = questions_of(items, settled, withdrawn)
    unseen = [entry for entry in entries if isinstance(entry, Unseen)]
    vouched = {gap for item in items if isinstance(item, Vouched) for gap in item.gaps}
    written = [tuple(events) for events in by_hand(settled)]
    about = questions.by_hand(written)
    hands = tuple(
        in_doubt(hand, asked, questions.open).with_unseen(unseen, vouched)
        for hand, asked in zip(fold_hands(started.rules, written), about, strict=True)
    )
    idle = questions.idle(written, about, [hand.state.agreed for hand in hands])
    pending = pending_of(items, changes.rewritten)
    called = any(isinstance(press.event, Dealt) for press in pending)
    if hands and not over and not called and is_due(started, hands[-1], changes.struck):
        hands = (*hands[:-1], replace(hands[-1], due=True))
    match, first_hand = match_after(started, hands)
    return Standing(
        started=started,
        match=match,
        hands=hands,
        first_hand=first_hand,
        questions=tuple(one for one in questions.open if one not in idle),
        idle=idle,
        corrected=changes.corrected,
        pending=pending,
        corrections=changes.corrections,
        last_answer=changes.last_answer,
    )
