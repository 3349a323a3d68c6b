"""When a question is asked, and what it offers."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import pytest
from trial import filmed, shown

from companion.decoding.belief import Belief
from companion.decoding.decoder import Decoder
from companion.decoding.ledger import Ledger
from companion.decoding.options import DecoderOptions
from companion.decoding.settler import Moment, Settler
from companion.decoding.story import CAMERA, Act, Story
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed, Closed, Dealt, Event, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.entry import Asked, Entry, Settled
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


LED_S = 10.0


def on_lead() -> tuple[Settler, Story]:
    """A hand in which south is to lead, and what settles it; the deal is written."""
    rules, dealt = preset("schnapsen"), Dealt(Player.NORTH, Card.parse("JH"))
    settler = Settler(DecoderOptions(), Ledger(rules, 1))
    settler.ledger.settle(dealt, 1.0, 1.0, CAMERA)
    begun = Story.begin(rules, Act(dealt, 1.0))
    # a word before the first lead of all is another matter
    for seconds, player, name in ((4.0, Player.SOUTH, "AC"), (6.0, Player.NORTH, "JC")):
        event = CardPlayed(player, Card.parse(name))
        settler.ledger.settle(event, seconds, 1.0, CAMERA)
        begun = grown(begun, event, seconds)
    return settler, begun


def grown(story: Story, event: Event, time: float = LED_S, prior: float = 0.0) -> Story:
    """A story that goes on, so much likelier or less likely than otherwise."""
    longer = story.then(Act(event, time, None, 0.99, prior=prior))
    assert longer is not None
    return longer


def settled(settler: Settler, stories: Sequence[Story], since: float) -> list[Entry]:
    """What is written and asked so many seconds after the lead, while these are told."""
    belief = Belief(DecoderOptions(), {})
    belief.start(stories)
    return settler.settle(belief, Moment(LED_S + since, arms=False, turn_up_in_view=True))


LED = CardPlayed(Player.SOUTH, Card.parse("QS"))
SAID = MarriageDeclared(Player.SOUTH, Suit.SPADES)


@pytest.mark.parametrize("share", [0.2, 0.05])
def test_whether_there_was_a_word_before_a_lead_is_asked_though_it_has_become_unlikely(share: float) -> None:
    """It was likely when the lead was written: nobody has answered what was open then."""
    settler, begun = on_lead()
    plain, open_then, now = (
        grown(begun, LED),
        grown(grown(begun, SAID, prior=-1.0), LED),
        grown(grown(begun, SAID, prior=log(share)), LED),
    )
    (written,) = settled(settler, [plain, open_then], 2.5)
    assert isinstance(written, Settled)
    assert written.event == LED
    assert settled(settler, [plain, now], 3.0) == []
    (asked,) = settled(settler, [plain, now], 12.0)
    assert isinstance(asked, Asked)
    assert (asked.about, set(asked.options)) == (written.seq, {LED, SAID})


def test_what_is_still_to_be_asked_is_asked_though_an_earlier_card_is_corrected() -> None:
    """The correction says nothing of what was said before the lead."""
    settler, begun = on_lead()
    plain, open_then = grown(begun, LED), grown(grown(begun, SAID, prior=-1.0), LED)
    (written,) = settled(settler, [plain, open_then], 2.5)
    settler.revise(1, 1, 0)
    now = grown(grown(begun, SAID, prior=log(0.05)), LED)
    assert settled(settler, [plain, now], 3.0) == []
    (asked,) = settled(settler, [plain, now], 12.0)
    assert isinstance(asked, Asked)
    assert asked.about == written.seq


def test_a_word_that_nobody_thinks_of_is_not_asked_about() -> None:
    """Of a lead that was written when all took it for nothing else."""
    settler, begun = on_lead()
    plain, unlikely = grown(begun, LED), grown(grown(begun, SAID, prior=log(0.05)), LED)
    (written,) = settled(settler, [plain], 2.5)
    assert isinstance(written, Settled)
    assert [settled(settler, [plain, unlikely], since) for since in (3.0, 12.0)] == [[], []]


def test_a_closing_before_a_marriage_is_waited_for() -> None:
    """Only a word is asked about afterwards: what closes the stock is seen, sooner or later."""
    settler, begun = on_lead()
    said = grown(begun, SAID)
    closed = grown(grown(begun, Closed(Player.SOUTH), prior=-2.0), SAID)
    assert settled(settler, [said, closed], 4.0) == []
    (asked,) = settled(settler, [said, closed], 9.0)
    assert isinstance(asked, Asked)
    assert asked.options[:2] == (SAID, Closed(Player.SOUTH))


@pytest.mark.parametrize(("prior", "kind"), [(3.0, Settled), (1.0, Asked)])
def test_a_lead_beside_stories_that_tell_nothing_is_written_once_it_is_likely_enough(
    prior: float, kind: type[Entry]
) -> None:
    """There is nothing else to choose from; where it is less likely it is asked about."""
    settler, begun = on_lead()
    stories = [grown(begun, LED, prior=prior), begun]
    assert settled(settler, stories, 6.0) == []
    (entry,) = settled(settler, stories, 9.0)
    assert isinstance(entry, kind)


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
