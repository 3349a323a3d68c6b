"""What an open question leaves undecided: ranges, open claims, and hands that wait for an answer."""

from __future__ import annotations

from dataclasses import replace

from scripted_table import START

from companion.live.doubt import Checked
from companion.live.fold import fold
from companion.live.health import Health
from companion.live.snapshot import HandView, Snapshot
from companion.live.standing import Standing
from companion.live.view import snapshot_of
from companion.rules.cards import Card, Player
from companion.rules.claim import Outcome
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, GivenUp, MarriageDeclared
from companion.store.item import Answered, Item
from companion.table.entry import Asked, Retracted, Settled

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def play(player: Player, card: str) -> CardPlayed:
    """A card played."""
    return CardPlayed(player, Card.parse(card))


def log(*events: Event, confidence: float = 0.99) -> list[Item]:
    """A match with these events written down, numbered from 1."""
    return [START, *(Settled(at, float(at), one, confidence) for at, one in enumerate(events, start=1))]


def shown(items: list[Item]) -> tuple[Standing, Snapshot, HandView]:
    """Where the match stands, and what is shown of it."""
    standing = fold(items)
    snapshot = snapshot_of(standing, Health(), "1")
    assert snapshot.hand is not None
    return standing, snapshot, snapshot.hand


TRICKS = (
    Dealt(SOUTH, Card.parse("JH")),
    *(play(NORTH, "AS"), play(SOUTH, "TS")),
    *(play(NORTH, "AC"), play(SOUTH, "TC")),
    *(play(NORTH, "AD"), play(SOUTH, "TD")),
)
"""North takes three tricks with 63 points."""
ENOUGH = (*TRICKS, play(NORTH, "KC"), play(SOUTH, "JD"), Claimed(NORTH))
"""... and a fourth, of 6: a claim that is proven."""


def test_a_card_in_doubt_shows_no_certain_count() -> None:
    """South's ten may have been another card: north's points are a range till that is answered."""
    items = log(*TRICKS)
    asked = Asked(8, 8.0, "which_card", 3, (play(SOUTH, "JS"), play(SOUTH, "TS")))

    certain, open_, answered = (
        shown(one)[2]
        for one in (items, [*items, asked], [*items, asked, Answered(9.0, 8, 1, "phone:referee")])
    )

    assert certain.sides[NORTH].total.exact
    assert open_.sides[NORTH].total.low < certain.sides[NORTH].total.low <= open_.sides[NORTH].total.high
    assert answered.sides == certain.sides
    verified, waits, done = Checked.VERIFIED, Checked.OPEN, Checked.ANSWERED
    assert (certain.checked, open_.checked, answered.checked) == (verified, waits, done)
    assert (certain.asked, open_.asked, answered.asked) == (0, 1, 1)


def test_a_card_that_is_offered_for_another_play_is_in_doubt_where_it_stands() -> None:
    """South's last card may be the ace that is told of the first trick: then nobody knows what that was."""
    items = log(
        Dealt(SOUTH, Card.parse("JH")),
        *(play(NORTH, "QS"), play(SOUTH, "AS")),
        *(play(SOUTH, "AC"), play(NORTH, "TC")),
        *(play(SOUTH, "KD"), play(NORTH, "AD")),
        *(play(NORTH, "TD"), CardPlayed(SOUTH, None)),
        play(NORTH, "KS"),
    )
    asked = Asked(11, 11.0, "which_card", 9, (play(SOUTH, "JS"), play(SOUTH, "JD")))
    twice = replace(asked, options=(play(SOUTH, "AS"), play(SOUTH, "JD")))

    elsewhere, here = (shown([*items, one])[2].sides for one in (asked, twice))

    assert elsewhere[SOUTH].total.exact
    assert here[SOUTH].total.low < elsewhere[SOUTH].total.low
    assert here[NORTH].total.high >= elsewhere[NORTH].total.high


def test_a_turn_up_that_is_offered_as_a_card_played_is_in_doubt() -> None:
    """North's card may have been the jack of hearts, read as the turn-up: then nobody knows what is trump."""
    events = (*TRICKS, play(NORTH, "KC"), CardPlayed(SOUTH, None))
    asked = Asked(11, 11.0, "which_card", 9, (play(SOUTH, "JS"), play(SOUTH, "JD")))
    turned_up = replace(asked, options=(play(SOUTH, "JS"), play(SOUTH, "JH")))

    trumps = [
        {state.trump for state in shown([*log(*events), one])[0].hand.states} for one in (asked, turned_up)
    ]

    assert trumps[0] == {Card.parse("JH").suit}
    assert None in trumps[1]


def test_a_card_played_that_is_offered_as_the_turn_up_is_in_doubt() -> None:
    """If the ten lies under the stock, nobody knows what north took the last trick from."""
    items = log(*TRICKS)
    asked = Asked(
        8, 8.0, "which_turn_up", 1, (Dealt(SOUTH, Card.parse("JH")), Dealt(SOUTH, Card.parse("KH")))
    )
    offered = replace(asked, options=(*asked.options, Dealt(SOUTH, Card.parse("TD"))))

    elsewhere, here = (shown([*items, one])[2].sides[NORTH] for one in (asked, offered))

    assert elsewhere.total.exact
    assert here.total.low < elsewhere.total.low


def test_a_claim_over_an_open_question_says_what_it_depends_on() -> None:
    """Without south's tens north need not have 66: neither award nor points until it is answered."""
    items = log(*ENOUGH)
    asked = Asked(11, 11.0, "which_card", 3, (play(SOUTH, "JS"), play(SOUTH, "TS")))
    standing, snapshot, hand = shown([*items, asked])
    certain = shown(items)[2]

    assert certain.verdict.verdict.outcome is Outcome.PROVEN
    assert hand.verdict.verdict.outcome is Outcome.OPEN
    assert hand.verdict.depends_on == (11,)
    assert hand.award is None
    assert standing.match.shown_points == fold([START]).match.shown_points
    assert snapshot.match.hands[0].checked is Checked.OPEN


def test_a_question_about_an_answer_names_the_lead() -> None:
    """Written or not yet; one about a lead, or about anything else than a play, names none."""
    answer = (play(SOUTH, "TD"), play(SOUTH, "KD"))
    lead = (play(NORTH, "KC"), play(NORTH, "QC"))
    for events, asked, named in (
        (TRICKS[:-1], Asked(7, 8.0, "which_card", None, answer), "AD"),
        ((*TRICKS[:-1], CardPlayed(SOUTH, None)), Asked(8, 8.0, "which_card", 7, answer), "AD"),
        (TRICKS, Asked(8, 8.0, "which_card", None, lead), None),
        (TRICKS[:-1], Asked(7, 8.0, "what_happened", None, (*answer, Claimed(NORTH))), None),
    ):
        _, snapshot, _ = shown([*log(*events), asked])
        (question,) = snapshot.questions
        assert question.to == (None if named is None else Card.parse(named))


def test_a_claim_that_no_answer_can_change_stands() -> None:
    """The jack of the last trick may have been any card: north has 66 with every one of them."""
    asked = Asked(11, 11.0, "which_card", 9, (play(SOUTH, "JD"), play(SOUTH, "QD")))

    _, _, hand = shown([*log(*ENOUGH), asked])

    assert hand.verdict.verdict.outcome is Outcome.PROVEN
    assert hand.verdict.depends_on == ()
    assert hand.award is not None


def test_a_marriage_in_doubt_may_not_have_been() -> None:
    """Whether a marriage was declared is open: its points are there, or not."""
    events = (*TRICKS, MarriageDeclared(NORTH, Card.parse("KH").suit), play(NORTH, "KH"))
    items = log(*events)
    asked = Asked(10, 10.0, "what_happened", 8, (events[7], play(NORTH, "KH")))

    certain, hand = shown(items)[2], shown([*items, asked])[2]

    assert certain.sides[NORTH].total.low == 63 + 40
    assert (hand.sides[NORTH].total.low, hand.sides[NORTH].total.high) == (63, 63 + 40)


def test_a_marriage_may_have_come_before_the_close_that_is_written() -> None:
    """The one does not take the place of the other: the stock is closed with the marriage, and without."""
    marriage = MarriageDeclared(NORTH, Card.parse("KH").suit)
    items = log(*TRICKS)
    items += [
        Asked(8, 9.0, "what_happened", None, (Closed(NORTH), marriage, play(NORTH, "KH"))),
        Settled(9, 8.0, Closed(NORTH), 0.96),
        Settled(10, 8.0, play(NORTH, "KH"), 0.99),
    ]

    standing, _, hand = shown(items)

    assert (hand.sides[NORTH].total.low, hand.sides[NORTH].total.high) == (63, 63 + 40)
    both = [state for state in standing.hand.doubt.otherwise if state.marriages]
    assert both
    assert all(state.at_close is not None for state in both)


def test_a_claim_that_a_player_made_was_made_whatever_came_before_it() -> None:
    """Whether a marriage came before is open: proven with it, false without it."""
    marriage = MarriageDeclared(NORTH, Card.parse("KH").suit)
    items = log(*TRICKS)
    options = (Claimed(NORTH), marriage)
    items += [Asked(8, 9.0, "what_happened", None, options)]
    items += [Settled(9, 8.0, Claimed(NORTH), 1.0, "phone:north")]

    standing, _, hand = shown(items)

    assert hand.verdict.verdict.outcome is Outcome.OPEN
    assert all(state.over for state in standing.hand.doubt.otherwise)


def test_a_close_in_doubt_leaves_the_award_open() -> None:
    """It counts that south had no trick when the stock was closed: three points, or two if it was not."""
    cards = ("AS", "TS"), ("JC", "QC"), ("JS", "KS"), ("AC", "TC"), ("AD", "TD")
    lead = (NORTH, NORTH, SOUTH, NORTH, NORTH)
    tricks = [(play(who, one), play(who.other, two)) for who, (one, two) in zip(lead, cards, strict=True)]
    plays = [card for trick in tricks for card in trick]
    items = log(Dealt(SOUTH, Card.parse("JH")), *plays[:2], Closed(NORTH), *plays[2:], Claimed(NORTH))
    asked = Asked(14, 14.0, "what_happened", 4, (Closed(NORTH), plays[2]))

    certain, hand = shown(items)[2], shown([*items, asked])[2]

    assert certain.award.game_points == 3
    assert hand.award is None
    assert hand.verdict.depends_on == (14,)


def test_how_a_hand_ended_is_open_until_somebody_says_so() -> None:
    """A table swept in mid-hand: given up as far as is written, and not verified by that."""
    items: list[Item] = log(*TRICKS)
    ends = (Claimed(NORTH), Claimed(SOUTH), GivenUp())
    items += [Asked(8, 8.0, "how_ended", None, ends), Settled(9, 9.0, GivenUp(), 0.5)]

    hand = shown(items)[2]

    assert hand.checked is Checked.OPEN
    assert hand.award is None


def test_a_question_stays_that_of_its_hand_when_its_answer_writes_the_entries_anew() -> None:
    """The first hand's last card is named after the second was dealt: the first had the question."""
    items = log(*ENOUGH, Dealt(NORTH, Card.parse("QS")))
    asked = Asked(12, 9.0, "which_card", 9, (play(SOUTH, "QD"), play(SOUTH, "JD")))
    items += [asked, Answered(13.0, 12, 0, "phone:referee")]
    items += [
        Retracted(seq, 13.0, old, "phone:referee") for seq, old in zip((13, 14, 15), (11, 10, 9), strict=True)
    ]
    rewritten = zip((16, 17, 18), items[9:12], strict=True)
    named = {16: play(SOUTH, "QD")}
    items += [replace(old, seq=seq, event=named.get(seq, old.event)) for seq, old in rewritten]

    first, second = fold(items).hands

    assert (first.doubt.checked, first.doubt.asked) == (Checked.ANSWERED, 1)
    assert (second.doubt.checked, second.doubt.asked) == (Checked.VERIFIED, 0)
