"""What a played hand shows without any solver: words too late, too early, or never said, and revokes.

Only what is certain is found: a card counts as held where the record itself says that it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.review.course import Course
from companion.rules.cards import Card, Player, Rank
from companion.rules.events import CardPlayed, Closed, Exchanged, HandShown, MarriageDeclared
from companion.rules.hand import apply, check
from companion.rules.points import Award
from companion.rules.revoke import RevokeFound, revoke_found, revokes_found
from companion.rules.scoring import ENOUGH, award_of_claim, count, has_enough, players_out
from companion.rules.state import HandState, MarriageStatus

__all__ = ["Finding", "findings"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a player did or left undone.

    Attributes:
        kind: `claim_late`, `claim_early`, `marriage_missed`, `exchange_missed`, `revoke`, `breach`;
            from the solver `close_bad`, `close_missed`, `lead`, `answer`.
        player: Whose it is.
        trick: Number of the trick, from 1.
        at: Number of the event, from 0; the first where it was open for longer.
        loss: What it cost, in game points; `None` where nobody can say.
        known: What the sentence says, by name.
    """

    kind: str
    player: Player
    trick: int
    at: int
    loss: float | None = None
    known: dict[str, Any] = field(default_factory=dict)


def findings(course: Course) -> Iterator[Finding]:
    """Yield what can be found, in no particular order."""
    yield from _revokes(course)
    yield from _breaches(course)
    for player in Player:
        yield from _late_claim(course, player)
        yield from _missed_exchange(course, player)
    yield from _early_claim(course)
    yield from _silent_marriages(course)
    yield from _marriages_that_were_enough(course)


# Claims


def _late_claim(course: Course, player: Player) -> Iterator[Finding]:
    """66 that could be claimed, and another trick was played, or nothing was ever said (clause 7.2)."""
    if course.record.rules.claim_mode == "auto":
        return
    for at, state in enumerate(_as_known(course, state) for state in course.states):
        if player not in players_out(state):
            continue
        since = len(state.tricks)
        # the word that ended the hand: one said with a card on the table had no effect
        tricks = len(course.final.tricks) if course.final.claimed_by is player else None
        if tricks == since or not course.final.over:
            return
        would = award_of_claim(state, player)
        loss = None
        if would is not None and course.final.award is not None:
            # what came otherwise may have paid more: a revoke that was called, the other's failed close
            loss = max(0.0, float(would.game_points - _scored(course.final.award, player)))
        ended = loss is not None and len(course.final.tricks) == since
        if (state.played_out or ended) and not loss:
            return  # after the last trick that was played only a claim that pays more is missed
        known = {
            "since": since,
            "points": count(state, player).total.low,
            "claimed": tricks,
            "would": None if would is None else would.game_points,
        }
        yield Finding("claim_late", player, since, at, loss, known)
        return


def _as_known(course: Course, state: HandState) -> HandState:
    """Return a moment without the marriages that turned out later never to have been held (clause 5.8)."""
    marriages, at_close = list(state.marriages), state.at_close
    for place, each in enumerate(course.final.marriages[: len(marriages)]):
        if each.status is MarriageStatus.VOID:
            at_close = at_close and at_close.without(marriages[place])
            marriages[place] = each
    return replace(state, marriages=tuple(marriages), at_close=at_close)


def _scored(award: Award, player: Player) -> int:
    """Return what an award is worth to `player`; negative where the other scores."""
    if award.winner is None:
        return 0
    return award.game_points if award.winner is player else -award.game_points


def _early_claim(course: Course) -> Iterator[Finding]:
    """A claim with fewer than 66 (clauses 7.6 to 7.8)."""
    award, player = course.final.award, course.final.claimed_by
    if award is None or player is None or award.reason != "false_claim":
        return
    # one out of turn before may have been without effect
    at = next(at for at, state in enumerate(course.states[1:]) if state.claimed_by is not None)
    counted = count(_as_known(course, course.states[at]), player)
    if not counted.total.exact:
        return
    known = {
        "points": counted.total.low,
        "short": ENOUGH - counted.total.low,
        "pending": counted.pending.low,
    }
    yield Finding("claim_early", player, max(1, len(course.states[at].tricks)), at, None, known)


# Marriages and the exchange


def _silent_marriages(course: Course) -> Iterator[Finding]:
    """A king or queen led from a pair, without the word that was open (section 5)."""
    for at, (state, event) in enumerate(zip(course.states, course.events, strict=False)):
        if not isinstance(event, CardPlayed) or event.card is None or state.led is not None:
            continue
        card, player = event.card, event.player
        if state.announced is not None or card.partner is None or state.over:
            continue
        word = MarriageDeclared(player, card.suit)
        if card.partner in course.held(at, player) and _open(state, word):
            known = {"suit": card.suit.letter, "card": str(card)}
            yield Finding("marriage_missed", player, len(state.tricks) + 1, at, None, known)


def _marriages_that_were_enough(course: Course) -> Iterator[Finding]:
    """A pair on lead whose points would have made 66 at once, and another card was led."""
    for at, (seen, event) in enumerate(zip(course.states, course.events, strict=False)):
        if not isinstance(event, CardPlayed) or event.card is None or seen.led or seen.announced:
            continue
        player, state, held = event.player, _as_known(course, seen), course.held(at, event.player)
        kings = [card for card in held if card.rank is Rank.KING and card.partner in held]
        if any(event.card in (king, king.partner) for king in kings) or has_enough(state, player):
            continue
        for king in sorted(kings, key=str):
            word = MarriageDeclared(player, king.suit)
            if not _open(state, word):
                continue
            declared = apply(state, word)
            if player in players_out(declared) or declared.claimed_by is player:
                known = {
                    "suit": king.suit.letter,
                    "card": str(king),
                    "made": count(declared, player).total.low,
                }
                yield Finding("marriage_missed", player, len(state.tricks) + 1, at, None, known)
                break


def _open(state: HandState, word: MarriageDeclared | Exchanged) -> bool:
    """Whether a word was open to a player who holds what it needs."""
    return check(state, word) is None


def _missed_exchange(course: Course, player: Player) -> Iterator[Finding]:
    """The lowest trump in hand on lead, the exchange open, and it never came (section 4)."""
    trump = course.final.trump
    if trump is None or course.final.exchanged_by is not None:
        return
    lowest = Card(course.record.rules.lowest_trump, trump)
    if course.final.dealt_up == lowest:
        return
    for at, (state, event) in enumerate(zip(course.states, course.events, strict=False)):
        if not isinstance(event, CardPlayed | Closed) or event.player is not player or not state.stock_open:
            continue
        held = course.held(at, player)
        if isinstance(event, Closed) and event.before_draw:
            held &= course.held(at - 1, player)  # without what that close puts back
        if state.led is not None or lowest not in held:
            continue
        if _open(state, Exchanged(player)) and state.dealt_up is not None:
            known = {"card": str(lowest), "up": str(state.dealt_up)}
            yield Finding("exchange_missed", player, len(state.tricks) + 1, at, None, known)
            return


# What was against the rules


def _revokes(course: Course) -> Iterator[Finding]:
    taken_back = (revoke_found(noted, course.final) for noted in course.taken_back)
    for revoke in (*revokes_found(course.final), *taken_back):
        at = _play_of(course, revoke)
        known = {**_plays(revoke), "proof": _proof_of(course, revoke, at)}
        yield Finding("revoke", revoke.player, revoke.trick, at, None, known)


def _plays(revoke: RevokeFound) -> dict[str, Any]:
    return {
        "duty": revoke.duty.value,
        "led": None if revoke.led is None else str(revoke.led),
        "card": None if revoke.played is None else str(revoke.played),
        "shown": None if revoke.shown is None else str(revoke.shown),
        "shown_in": revoke.shown_in,
        "taken_back": revoke.taken_back,
    }


def _play_of(course: Course, revoke: RevokeFound) -> int:
    """Return the number of the event that was the wrong play; of one taken back, where the hand went on."""
    for at, (state, event) in enumerate(zip(course.states, course.events, strict=False)):
        answers = isinstance(event, CardPlayed) and event.player is revoke.player and state.led is not None
        if answers and len(state.tricks) == revoke.trick - 1:
            return at
    return len(course.events)


def _proof_of(course: Course, revoke: RevokeFound, at: int) -> int | None:
    """Return the number of the event by which the card was shown that should have been played."""
    if revoke.shown is None:
        return None
    for number, event in enumerate(course.events[at + 1 :], at + 1):
        match event:
            case CardPlayed(player, card):
                cards: tuple[Card | None, ...] = (card,)
            case HandShown(player, shown):
                cards = shown
            case MarriageDeclared(player, suit):
                cards = Card(Rank.KING, suit), Card(Rank.QUEEN, suit)
            case _:
                continue
        if player is revoke.player and revoke.shown in cards:
            return number
    return None


def _breaches(course: Course) -> Iterator[Finding]:
    """Whatever else was against the rules."""
    noted = 0
    for at, state in enumerate(course.states):
        for each in state.breaches[noted:]:
            if not each.breach.is_revoke:
                known = {"clause": each.breach.value, "card": None if each.card is None else str(each.card)}
                yield Finding("breach", each.player, each.trick, max(0, at - 1), None, known)
        noted = len(state.breaches)
