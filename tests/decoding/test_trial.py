"""The verdicts of the trial of the decoder."""

from __future__ import annotations

from trial import played, verdict

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Dealt, Event
from companion.table.entry import Asked


def hand(*cards: str | None) -> list[Event]:
    """A deal and plays, south first."""
    plays = [
        CardPlayed(Player(at % 2), None if card is None else Card.parse(card))
        for at, card in enumerate(cards)
    ]
    return [Dealt(Player.NORTH, Card.parse("KC")), *plays]


TRUE = hand("AH", "TS", "QD")


def question(*cards: str) -> Asked:
    """A question that offers these cards for the second play."""
    offered = tuple(CardPlayed(Player(1), Card.parse(card)) for card in cards)
    return Asked(9, 1.0, "which_card", 3, offered)


def test_exact_open_and_asked() -> None:
    """A card left open is right so far; a wrong name is asked about where the right one is offered."""
    assert verdict(TRUE, hand("AH", "TS", "QD"), ()) == "exact"
    assert verdict(TRUE, hand("AH", None, "QD"), [question("TS", "TC")]) == "open"
    assert verdict(TRUE, hand("AH", "KC", "QD"), [question("KC", "TS")]) == "asked"
    assert verdict(TRUE, hand("AH", "KC", "QD"), [question("QC", "JC")]) == "silent"
    assert verdict(TRUE, hand("AH", "TS"), [question("TS", "TC")]) == "silent"


def test_what_was_written_and_doubted_is_not_silent() -> None:
    """A question about a wrong entry says that it is in doubt, and so is who played what follows."""
    wrong = hand("AH", "KC", "QD")
    swapped = [*wrong[:3], CardPlayed(Player(1), Card.parse("QD"))]

    assert verdict(TRUE, wrong, [question("JC")], {wrong[2]}) == "asked"
    assert verdict(TRUE, swapped, [question("JC")], {wrong[2]}) == "asked"
    assert verdict(TRUE, swapped, [question("JC")]) == "silent"


def test_a_card_that_is_offered_for_another_play_is_in_doubt_where_it_stands() -> None:
    """It was read twice: whoever answers that it was the later one takes it from the earlier."""
    wrong = hand("AH", "QD", None)
    again = [CardPlayed(Player(0), Card.parse(card)) for card in ("QD", "JD")]

    assert verdict(TRUE, wrong, [Asked(9, 1.0, "which_card", 4, tuple(again))]) == "asked"
    assert verdict(TRUE, wrong, [Asked(9, 1.0, "which_card", 4, tuple(again[1:]))]) == "silent"


def test_silent_or_hidden() -> None:
    """Nothing asked: silent where the card it was taken for shows too, hidden where it never does."""
    assert verdict(TRUE, hand("AH", "TC", "QD"), ()) == "hidden"
    assert verdict(TRUE, hand("AH", "KC", "QD"), ()) == "silent"
    assert verdict(TRUE, hand("AH", None, "QD"), ()) == "silent"
    assert verdict(TRUE, hand("AH", "TS"), ()) == "silent"


def test_a_turn_up_of_its_suit_that_never_shows_is_hidden() -> None:
    """The trump is right and no other card contradicts it; another suit would change who wins."""
    assert verdict(TRUE, [Dealt(Player.NORTH, Card.parse("QC")), *TRUE[1:]], ()) == "hidden"
    assert verdict(TRUE, [Dealt(Player.NORTH, Card.parse("JS")), *TRUE[1:]], ()) == "silent"


def test_the_greedy_decoder_reads_a_hand_seen_well() -> None:
    """What the decoder is compared with is no straw man: without faults it settles the plays."""
    _, greedy = played(1000, "clear")

    assert len(greedy.settled_s) > 5
