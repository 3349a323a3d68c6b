"""Hands for the tests of the review: played well by both, and with one mistake planted.

    python -m tests.review.planting tests/review

Both players follow the advice for hidden cards. `perfect.hand` holds the first ten deals of at most seven
tricks, as they come. `planted.hand` holds one hand for each kind of mistake: the first deal in which there is
an occasion. The mistake is made once; before and after it both play as well as before.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from companion.rules.cards import Card, Player, Rank
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, apply, check, deal, legal_events
from companion.rules.notation import Part, write
from companion.rules.record import Record, replay
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import ENOUGH, count, players_out
from companion.rules.shuffle import shuffled
from companion.solver.sampling import Advice, Advisor
from companion.solver.view import View

CLEAR = 1.0
"""Game points that a planted mistake costs at least, by the advice at that moment."""


@dataclass
class Turn:
    """A player's turn, and what may be done there."""

    full: HandState
    player: Player
    advice: Advice | None
    planted: bool

    @property
    def hand(self) -> frozenset[Card]:
        """The player's cards."""
        return self.full.hands[self.player]

    @property
    def leads(self) -> bool:
        """Whether the player is on lead."""
        return self.full.led is None

    def best(self) -> str:
        """What the advice says; of equals the exchange."""
        actions = self.advice.actions
        exchange = actions.get("exchange")
        if exchange and exchange.game_points > actions[self.advice.best].game_points - 0.02:
            return "exchange"
        return self.advice.best

    def lost_by(self, name: str) -> float:
        """What an action costs against the best."""
        return self.advice.actions[self.advice.best].game_points - self.advice.actions[name].game_points

    def pairs(self) -> list[MarriageDeclared]:
        """Marriages that may be declared."""
        return [event for event in legal_events(self.full) if isinstance(event, MarriageDeclared)]


Plant = Callable[[Turn], Event | None]


def played(seed: int, plant: Plant = lambda turn: None) -> tuple[Record, bool]:
    """The hand of a seed, and whether the mistake was made."""
    rng, rules = random.Random(seed), RuleSet()
    hands, stock = shuffled(rules, rng)
    full, seen = deal(rules, Player.NORTH, None, hands, stock), deal(rules, Player.NORTH, stock[-1])
    advisor, events, planted, lead = Advisor(seed), [], False, None
    while not full.ended:
        due = players_out(full)
        player = full.to_play
        if full.over and not due:
            break
        event: Event | None = None
        announced = full.announced is not None and full.led is None
        if player is not None and not announced:
            advice = None if due else advisor.advise(View.of(seen, player, full.hands[player]))
            turn = Turn(full, player, advice, planted)
            event = plant(turn)
            planted |= event is not None
        if event is None and due:
            event = Claimed(due[0])
        elif event is None and announced:
            event = CardPlayed(player, lead)
        elif event is None:
            event, lead = said(turn, turn.best())
        events.append(event)
        full, seen = apply(full, event), apply(seen, event)
    return Record(rules, Player.NORTH, stock[-1], tuple(events), None, hands, stock), planted


def said(turn: Turn, name: str) -> tuple[Event, Card | None]:
    """The event of an action, and the card that goes with a marriage."""
    if name in ("close", "exchange"):
        return (Closed if name == "close" else Exchanged)(turn.player), None
    card = Card.parse(name.removeprefix("play:"))
    word = MarriageDeclared(turn.player, card.suit)
    if card.rank in (Rank.KING, Rank.QUEEN) and turn.leads and check(turn.full, word) is None:
        return word, card
    return CardPlayed(turn.player, card), card


def once(plant: Plant) -> Plant:
    """The mistake, the first time only."""
    return lambda turn: None if turn.planted else plant(turn)


def late_claim(turn: Turn) -> Event | None:
    """Plays on with 66."""
    has_66 = turn.player in players_out(turn.full)
    if turn.advice is not None or not turn.leads or len(turn.hand) <= 2 or not has_66:
        return None
    return CardPlayed(turn.player, min(turn.hand, key=lambda card: (card.rank, str(card))))


def early_claim(turn: Turn) -> Event | None:
    """Claims with a few points too few."""
    points = count(turn.full, turn.player).total.low
    claim = Claimed(turn.player)
    return (
        claim
        if turn.advice and turn.leads and 58 <= points < ENOUGH and claim in legal_events(turn.full)
        else None
    )


def no_exchange(turn: Turn) -> Event | None:
    """Never exchanges, where it would pay."""
    if turn.advice is None or "exchange" not in turn.advice.actions:
        return None
    others = [name for name in turn.advice.actions if name not in ("exchange", "close")]
    name = min(others, key=turn.lost_by)
    if turn.planted or turn.lost_by(name) >= CLEAR:
        return said(turn, name)[0]
    return None


def silent_marriage(turn: Turn) -> Event | None:
    """Leads of a pair without a word."""
    if turn.advice is None or not turn.leads:
        return None
    event, card = said(turn, turn.best())
    return CardPlayed(turn.player, card) if isinstance(event, MarriageDeclared) else None


def marriage_enough(turn: Turn) -> Event | None:
    """Leads another card, though declaring would win at once."""
    if turn.advice is None or not turn.leads or not turn.full.tricks_of(turn.player):
        return None
    points = count(turn.full, turn.player).total.low
    for word in turn.pairs():
        if points + (40 if word.suit is turn.full.trump else 20) >= ENOUGH:
            others = [card for card in turn.hand if card.rank not in (Rank.KING, Rank.QUEEN)]
            if others and not turn.full.stock_open:
                return CardPlayed(turn.player, min(others, key=lambda card: (card.rank, str(card))))
    return None


def revoke(turn: Turn) -> Event | None:
    """Answers against the rules where suit must be followed."""
    if turn.leads or not turn.full.strict or turn.full.led.card is None or len(turn.hand) < 3:
        return None
    wrong = [card for card in turn.hand if card.suit not in (turn.full.led.card.suit, turn.full.trump)]
    follows = [card for card in turn.hand if card.suit is turn.full.led.card.suit]
    return CardPlayed(turn.player, min(wrong, key=str)) if wrong and follows else None


def bad_close(turn: Turn) -> Event | None:
    """Closes where it costs."""
    close = Closed(turn.player)
    able = turn.advice is not None and turn.leads and turn.full.tricks and close in legal_events(turn.full)
    return close if able and turn.lost_by("close") >= CLEAR else None


def no_close(turn: Turn) -> Event | None:
    """Plays on where closing wins more."""
    if turn.advice is None or turn.best() != "close":
        return None
    name = min((each for each in turn.advice.actions if each != "close"), key=turn.lost_by)
    return said(turn, name)[0] if turn.lost_by(name) >= CLEAR else None


def wrong_card(fits: Callable[[Turn], bool]) -> Plant:
    """Plays the worst card where it `fits`."""

    def plant(turn: Turn) -> Event | None:
        if turn.advice is None or not fits(turn):
            return None
        cards = [name for name in turn.advice.actions if name.startswith("play:")]
        name = max(cards, key=turn.lost_by)
        pair = turn.leads and isinstance(said(turn, name)[0], MarriageDeclared)
        return (
            CardPlayed(turn.player, Card.parse(name[5:]))
            if turn.lost_by(name) >= CLEAR and not pair
            else None
        )

    return plant


PLANTS: dict[str, Plant] = {
    "late claim": once(late_claim),
    "early claim": once(early_claim),
    "forgotten exchange": no_exchange,
    "forgotten marriage": once(silent_marriage),
    "a marriage that would have been enough": once(marriage_enough),
    "revoke": once(revoke),
    "a bad closing": once(bad_close),
    "a closing not made": once(no_close),
    "a wrong discard in a closed endgame": once(
        wrong_card(lambda turn: not turn.leads and turn.full.at_close is not None)
    ),
    "a wrong lead once all is known": once(
        wrong_card(lambda turn: turn.leads and turn.full.exhausted and turn.full.at_close is None)
    ),
    "a wrong answer with the stock open": once(
        wrong_card(lambda turn: not turn.leads and turn.full.stock_open and len(turn.full.tricks) >= 2)
    ),
}


def first(plant: Plant) -> Record:
    """The first hand of at most eight tricks with a mistake in it; a revoke as the table saw it, proven."""
    for seed in range(1001, 3000):
        record, planted = played(seed, plant)
        if not planted or len(replay(record).tricks) > 8:
            continue
        if plant is not PLANTS["revoke"]:
            return record
        seen = replace(record, hands=None, stock=None)
        if replay(seen).breaches:
            return seen
    raise LookupError("no occasion")


def perfect() -> Iterator[Record]:
    """The first ten hands of at most seven tricks."""
    found = 0
    for seed in range(1000):
        record, _ = played(seed)
        if len(replay(record).tricks) <= 7:
            yield record
            found += 1
        if found == 10:
            return


def text(record: Record, title: str) -> str:
    """A hand in the notation, under a comment."""
    return f"\n# {title}\n" + write([Part(None, (record,))]).split("\n", 1)[1].strip() + "\n"


def main(folder: Path) -> None:
    """Write both files."""
    hands = "".join(text(record, f"number {number}") for number, record in enumerate(perfect(), 1))
    (folder / "perfect.hand").write_text(f".hand 1\n{hands}")
    hands = "".join(text(first(plant), title) for title, plant in PLANTS.items())
    (folder / "planted.hand").write_text(f".hand 1\n{hands}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
