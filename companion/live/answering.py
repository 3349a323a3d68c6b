"""What an answer comes to: to a question, or to whether anything is missing of what nobody saw."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from companion.live.act import Act, act_of_edit, against
from companion.live.command import Correct, Insert, RefusedCommandError, Vouch
from companion.live.consequence import laid_open
from companion.live.correction import edited, is_possible
from companion.live.doubt import is_either
from companion.live.hand import HandFold, fold_hand
from companion.live.rewriting import about_of
from companion.live.standing import Standing
from companion.rules.events import CardPlayed, Claimed, Conceded, Dealt, Event, GivenUp
from companion.store.item import Answered, Vouched
from companion.table.entry import Asked, Settled

__all__ = ["answered_by", "edit_by", "ruled_out", "vouched_for"]


def answered_by(
    standing: Standing, seq: int, option: int, *, now: float, today: str, next_seq: int, source: str
) -> Act:
    """Return what option number `option` comes to as the answer to the question with the number `seq`.

    Raises:
        RefusedCommandError: The question is open no more, has no such option, or the rest does not allow it.
    """
    question, event = _asked(standing, seq, option)
    answered = Answered(now, seq, option, source)
    if _is_told(standing, question, event):
        return Act(source, items=(answered,))  # nothing else happened before it
    change = _change(standing, question, event)
    if change is None:
        return Act(source, told=(event,), items=(answered,))
    if isinstance(event, GivenUp):
        return Act(source, items=(answered,))
    act = act_of_edit(standing, change, now=now, today=today, next_seq=next_seq, source=source, answers=seq)
    return replace(act, items=(answered, *act.items))


def edit_by(standing: Standing, seq: int, option: int) -> Correct | Insert | None:
    """Return what that answer changes in what is written; `None`: nothing, or what the decoder says then.

    Raises:
        RefusedCommandError: As of `answered_by`.
    """
    question, event = _asked(standing, seq, option)
    if isinstance(event, GivenUp) or _is_told(standing, question, event):
        return None
    return _change(standing, question, event)


def _asked(standing: Standing, seq: int, option: int) -> tuple[Asked, Event]:
    """Return an open question, and what one of its options is."""
    question = next((each for each in standing.questions if each.seq == seq), None)
    if question is None:
        raise RefusedCommandError("settled", f"question {seq} is not open any more")
    if option >= len(question.options):
        raise RefusedCommandError(
            "impossible", f"question {seq} has {len(question.options)} options, not {option + 1}"
        )
    return question, question.options[option]


def ruled_out(standing: Standing, question: Asked) -> tuple[int, ...]:
    """Return the places of the options that the rest of the record does not allow as it stands."""
    return tuple(at for at, each in enumerate(question.options) if not _fits(standing, question, each))


def _fits(standing: Standing, question: Asked, event: Event) -> bool:
    """Whether an answer would be taken."""
    try:
        change = None if _is_told(standing, question, event) else _change(standing, question, event)
        return change is None or is_possible(standing, *edited(standing, change, ""))
    except RefusedCommandError:
        return False


def _is_told(standing: Standing, question: Asked, event: Event) -> bool:
    """Whether a word is what stands, and nothing more is to be found out by it."""
    hand = standing.asked_in(question.seq)
    past = hand is not standing.hand
    return _is_word(event) and (past or isinstance(event, Claimed)) and _stands(hand, event)


def _change(standing: Standing, question: Asked, event: Event) -> Correct | Insert | None:
    """Return what an answer changes in what is written; `None`: it is for the decoder to say.

    Raises:
        RefusedCommandError: The hand has another course by now.
    """
    hand = standing.asked_in(question.seq)
    past = hand is not standing.hand
    change: Correct | Insert | None
    if isinstance(event, Claimed) and not past and question.about is None and _goes_on(hand):
        change = None  # the decoder knows where it belongs
    elif isinstance(event, Claimed | GivenUp | Conceded):
        change = Correct(_ended(standing, question).seq, event)
        if hand is not None and isinstance(event, Claimed) and not laid_open(standing, change):
            # of a claim out of turn nothing would follow, and nobody would be asked any more
            breach = fold_hand(standing.rules, hand.events[:-1]).breach(event)
            if breach is not None:
                raise against(breach)
    elif isinstance(event, CardPlayed | Dealt):
        about = about_of([entry for hand in standing.hands for entry in hand.events], question, event)
        change = None if about is None else Correct(about, event)
    else:
        change = _word_missed(standing, question, event)
    if change is None and past and _is_word(event):
        raise RefusedCommandError("too_late", "that hand has another course by now")
    return change


def _is_word(event: Event) -> bool:
    return not isinstance(event, CardPlayed | Dealt | GivenUp | Conceded)


def vouched_for(standing: Standing, vouch: Vouch, *, now: float, source: str) -> Act:
    """Write down that nothing is missing of what was out of sight of a hand until then.

    Raises:
        RefusedCommandError: Nothing of this match was out of sight there.
    """
    seq = vouch.seq
    spoken_of = {seq} if vouch.first is None else {vouch.first, seq}
    open_ones = ([gap.seq for gap in hand.unseen] for hand in reversed(standing.hands))
    shown = (seqs for seqs in open_ones if spoken_of.issubset(seqs))
    if gaps := tuple(each for each in next(shown, ()) if each <= seq):
        return Act(source, items=(Vouched(now, gaps, source),))
    if any(gap.seq == seq for hand in standing.hands for gap in hand.vouched):
        return Act(source)  # pressed twice, or on two phones
    raise RefusedCommandError("too_late", f"nothing of this match was out of sight at {seq}")


def _word_missed(standing: Standing, question: Asked, word: Event) -> Correct | Insert | None:
    """Return how an announcement that was missed comes into what has been written since it was asked about.

    It came before that, but the turn-up was taken or turned down once: there it was the one or the other.
    `None`: nothing is written yet, or a card which was no play then; the decoder knows what follows of that.
    """
    hand = standing.asked_in(question.seq)
    if hand is None or _stands(hand, word):
        return None
    for before, entry in pairwise(hand.events):
        if question.about == entry.seq or (question.about is None and entry.seq > question.seq):
            if isinstance(entry.event, CardPlayed) and hand is standing.hand and not standing.hand.state.over:
                return None
            either = is_either(word, entry.event)
            return Correct(entry.seq, word) if either else Insert(before.seq, word)
    return None


def _stands(hand: HandFold | None, event: Event) -> bool:
    return hand is not None and any(entry.event == event for entry in hand.events)


def _goes_on(hand: HandFold | None) -> bool:
    return hand is not None and not hand.state.over


def _ended(standing: Standing, question: Asked) -> Settled:
    """Return what is written as the end of the hand about whose end was asked; a lead may have been that."""
    hand = standing.asked_in(question.seq)
    about = [] if hand is None else [entry for entry in hand.events if entry.seq == question.about]
    if about and isinstance(about[0].event, CardPlayed):
        return about[0]
    last = None if hand is None else hand.events[-1]
    if last is None or not isinstance(last.event, GivenUp):
        raise RefusedCommandError("too_late", "that hand has another end by now")
    return last
