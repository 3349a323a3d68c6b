"""When a question is asked, and what it offers."""

from __future__ import annotations

from trial import filmed, shown

from companion.decoding.belief import Belief
from companion.decoding.decoder import Decoder
from companion.decoding.ledger import Ledger
from companion.decoding.options import DecoderOptions
from companion.decoding.settler import Settler
from companion.decoding.story import CAMERA, Act, Story
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Dealt
from companion.rules.ruleset import preset
from companion.table.entry import Asked
from companion.tracking.tracker import Tracker


def test_a_question_offers_its_answers_until_it_is_decided() -> None:
    """Once the card is written down by name, a word that was offered once is a word of its own."""
    rules, dealt = preset("schnapsen"), Dealt(Player.NORTH, Card.parse("KC"))
    played, closed = CardPlayed(Player.SOUTH, Card.parse("AH")), Closed(Player.SOUTH)
    begun = Story.begin(rules, Act(dealt, 1.0))
    stories = [story for event in (played, closed) if (story := begun.then(Act(event, 2.0))) is not None]
    settler = Settler(DecoderOptions(), Ledger(rules, 1))
    settler.ledger.settle(dealt, 1.0, 1.0, CAMERA)

    assert settler.asked_at(closed) is None
    belief = Belief(DecoderOptions(), {})
    belief.start(stories)
    settler._ask(belief, 1, stories[0].chain[1], stories, 5.0)
    assert settler.asked_at(closed) is not None
    settler.ledger.settle(played, 2.0, 1.0, CAMERA)
    assert settler.asked_at(closed) is None


def test_a_deal_is_asked_about_once_it_is_written() -> None:
    """The turn-up looks like another card in all frames: the question is about the deal of this hand."""
    show = shown(1012, "lasting")
    _, seen = filmed(show, "lasting", 1012)
    tracker, decoder, written = Tracker(), Decoder(preset("schnapsen")), []
    while not any(isinstance(entry, Asked) for entry in written):
        written += decoder.update(tracker.update(next(seen)))

    (asked,) = (entry for entry in written if isinstance(entry, Asked))
    dealt = next(entry for entry in written if entry.seq == asked.about)
    assert asked.text == "which_turn_up"
    assert dealt.event in asked.options
