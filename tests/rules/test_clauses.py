"""The clauses of docs/rules.md, by number, where no worked example states them."""

from __future__ import annotations

import pytest

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Outcome, verify
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    MarriageDeclared,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal, legal_events
from companion.rules.points import PointRange
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import count, has_enough, players_out
from tests.rules.telling import NORTH, SOUTH, new_hand, tell


def played(state: HandState, player: Player, text: str) -> Event:
    """A play by name."""
    return CardPlayed(player, Card.parse(text))


def test_1_3_a_deal_of_wrong_cards_is_refused() -> None:
    """A record whose cards are no deal is impossible, and the message names the card."""
    pack = RuleSet().pack
    with pytest.raises(ImpossibleEvent, match="AH is dealt twice"):
        deal(RuleSet(), SOUTH, pack[0], (pack[:5], pack[5:10]), (*pack[11:], pack[0]))
    with pytest.raises(ImpossibleEvent, match="two of 5"):
        deal(RuleSet(), SOUTH, pack[-1], (pack[:4], pack[5:10]), pack[10:])
    with pytest.raises(ImpossibleEvent, match="end with the turned-up AH"):
        deal(RuleSet(), SOUTH, pack[0], (pack[:5], pack[5:10]), pack[10:])
    with pytest.raises(ImpossibleEvent, match="9H is not in a pack of 20"):
        deal(RuleSet(), SOUTH, Card.parse("9H"))


def test_1_4_the_stock_runs_down_by_two() -> None:
    """Ten cards, two fewer after every trick, none after five; the turned-up card goes last."""
    state, left = new_hand(), []
    for trick in ("KS-QS", "AC-KC", "QC-JC", "AH-KH", "TH-QH", "TC-JH"):
        left.append((state.stock_left, str(state.turned_up)))
        state = tell(state, trick)

    assert left == [(10, "JD"), (8, "JD"), (6, "JD"), (4, "JD"), (2, "JD"), (0, "None")]
    assert state.exhausted
    assert not state.stock_open


def test_2_1_a_play_out_of_turn_cannot_be() -> None:
    """Neither the lead of the other player nor a second card of the leader is possible."""
    with pytest.raises(ImpossibleEvent, match="not north's turn"):
        apply(new_hand(), played(new_hand(), NORTH, "AH"))
    with pytest.raises(ImpossibleEvent, match="not south's turn"):
        apply(tell(new_hand(), "AH"), played(new_hand(), SOUTH, "TH"))


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("TH-KH", SOUTH),
        ("KH-TH", NORTH),
        ("AH-QD", NORTH),
        ("KD-AH", SOUTH),
        ("QH-AS", SOUTH),
        ("QD-TD", NORTH),
    ],
)
def test_2_2_taking(trick: str, winner: Player) -> None:
    """Higher of the suit led, or a trump on another suit; anything else loses."""
    state = tell(new_hand(), trick)

    assert state.tricks[0].winner is winner
    assert state.on_lead is winner


def test_2_3_drawing_with_all_cards_known() -> None:
    """Winner first, then loser; the last draw gives the turned-up card to the loser."""
    pack = RuleSet().pack
    state = deal(RuleSet(), NORTH, pack[-1], (pack[:5], pack[5:10]), pack[10:])

    state = tell(state, "AH-AD")
    assert state.hands is not None
    assert pack[10] in state.hands[SOUTH]
    assert pack[11] in state.hands[NORTH]
    state = tell(state, "TH-TD KH-KD QH-QD JH-JD")

    assert state.stock == ()
    assert state.hands is not None
    assert pack[-1] in state.hands[NORTH]


def test_2_3_the_loser_of_the_last_open_trick_has_the_turned_up_card() -> None:
    """Everybody knows where the turned-up card went; the other player cannot play it."""
    state = tell(new_hand(), "KS-QS AC-KC QC-JC AH-KH TH-QH")

    assert state.placed(NORTH) == {Card.parse("JD")}
    with pytest.raises(ImpossibleEvent, match="in north's hand"):
        apply(state, played(state, SOUTH, "JD"))


def test_2_4_strict_from_the_first_trick_by_option() -> None:
    """`always_strict` judges an answer to the first lead as well, by the cards that are known."""
    hands = [[Card.parse(c) for c in h.split()] for h in ("AH KH JS QC TD", "TH AS QS KC AD")]
    free = tell(deal(RuleSet(), SOUTH, Card.parse("JD"), hands), "TH")
    bound = tell(deal(RuleSet(follow="always_strict"), SOUTH, Card.parse("JD"), hands), "TH")

    assert check(free, played(free, SOUTH, "JS")) is None
    assert check(bound, played(bound, SOUTH, "JS")) is Breach.REVOKE_NOT_FOLLOWED
    assert check(bound, played(bound, SOUTH, "KH")) is Breach.REVOKE_NOT_HEADED


@pytest.mark.parametrize(
    ("told", "later", "breach"),
    [
        ("close AH-KS", "AS-KH", Breach.REVOKE_NOT_FOLLOWED),
        ("close KH-QH", "AS-AH", Breach.REVOKE_NOT_HEADED),
        ("close KH-QS", "AS-TD", Breach.REVOKE_NOT_TRUMPED),
    ],
)
def test_3_5_a_revoke_is_proven_when_the_card_turns_up(told: str, later: str, breach: Breach) -> None:
    """The note names the wrong play and the card that proved it; before that nobody is accused."""
    state = tell(new_hand(), told)
    assert state.breaches == ()
    wrong = state.tricks[0].followed

    lead, proof = later.split("-")
    state = tell(state, lead)
    assert check(state, played(state, NORTH, proof)) is breach
    state = tell(state, proof)

    assert state.breaches[0] == NotedBreach(breach, NORTH, 1, wrong, 2, Card.parse(proof))


def test_3_5_a_revoke_is_noted_once() -> None:
    """A second heart that turns up proves nothing new about the same play."""
    state = tell(new_hand(), "close AH-KS AS-KH TC-QH")

    assert [(noted.breach, noted.trick, noted.proved_in) for noted in state.breaches] == [
        (Breach.REVOKE_NOT_FOLLOWED, 1, 2)
    ]


def test_3_5_a_card_exchanged_after_the_close_was_not_held_before() -> None:
    """Taken up too late it accuses nobody of earlier plays; every other card of that hand still does."""
    state = tell(new_hand("TH"), "close AH-KS N:x")
    late = NotedBreach(Breach.EXCHANGE_AFTER_CLOSE, NORTH, 2)
    assert state.breaches == (late,)

    assert tell(state, "AS-TH").breaches == (late,)
    assert [noted.breach for noted in tell(state, "AS-KH").breaches[1:]] == [Breach.REVOKE_NOT_FOLLOWED]


def test_3_5_a_known_card_proves_a_revoke_at_once() -> None:
    """Whoever exchanged holds the turned-up card, and must trump with it."""
    state = tell(new_hand("AD"), "x KS-QC QS-TS N:close KH")

    assert check(state, played(state, SOUTH, "JC")) is Breach.REVOKE_NOT_TRUMPED
    assert check(state, played(state, SOUTH, "AD")) is None


def test_3_5_cards_drawn_later_accuse_nobody() -> None:
    """With the stock open at the time a suit shown later may have been drawn."""
    assert tell(new_hand(), "AH-KS TC-KH").breaches == ()


def test_4_1_exchange_on_lead_only() -> None:
    """The other player, and the leader with a card on the table, may not; the cards moved all the same."""
    assert check(new_hand("AD"), Exchanged(NORTH)) is Breach.EXCHANGE_NOT_ON_LEAD
    state = tell(new_hand("AD"), "KS x")

    assert [noted.breach for noted in state.breaches] == [Breach.EXCHANGE_NOT_ON_LEAD]
    assert str(state.turned_up) == "JD"
    assert state.placed(SOUTH) == {Card.parse("AD")}


def test_4_2_exchange_on_the_first_lead_by_option() -> None:
    """Allowed in the preset, a breach with the option off, and allowed again after a trick."""
    assert check(new_hand("AD"), Exchanged(SOUTH)) is None
    late = new_hand("AD", exchange_first_lead=False)
    assert check(late, Exchanged(SOUTH)) is Breach.EXCHANGE_ON_FIRST_LEAD
    assert check(tell(late, "AS-KS"), Exchanged(SOUTH)) is None


def test_4_4_no_exchange_after_closing() -> None:
    """Closing comes last."""
    assert check(tell(new_hand("AD"), "close"), Exchanged(SOUTH)) is Breach.EXCHANGE_AFTER_CLOSE
    assert check(tell(new_hand("AD"), "x"), Closed(SOUTH)) is None


def test_4_5_what_an_exchange_tells() -> None:
    """The card is in that hand, the jack under the stock; neither can be played from elsewhere."""
    state = tell(new_hand("AD"), "x KS")

    assert str(state.turned_up) == "JD"
    with pytest.raises(ImpossibleEvent, match="AD is in south's hand"):
        apply(state, played(state, NORTH, "AD"))
    with pytest.raises(ImpossibleEvent, match="JD lies under the stock"):
        apply(state, played(state, NORTH, "JD"))


@pytest.mark.parametrize(
    ("turned_up", "told", "why"),
    [
        ("JD", "", "JD was turned up"),
        ("AD", "x", "has been exchanged"),
        ("AD", "JD-KD N:x", "JD has been played"),
        ("AD", "KS-QS AC-KC QC-JC AH-KH TH-QH", "exhausted"),
    ],
)
def test_4_5_exchanges_that_cannot_be(turned_up: str, told: str, why: str) -> None:
    """The lowest trump goes under an open stock once, and only from a hand."""
    with pytest.raises(ImpossibleEvent, match=why):
        apply(tell(new_hand(turned_up), told), Exchanged(SOUTH))


def test_5_1_a_marriage_is_declared_on_lead_only() -> None:
    """Whoever follows cannot declare, whatever the cards; the word is noted and worth nothing."""
    state = tell(new_hand(), "JS")
    assert check(state, MarriageDeclared(NORTH, Suit.CLUBS)) is Breach.MARRIAGE_NOT_ON_LEAD

    state = tell(state, "N:mC AS")

    assert count(state, NORTH).total == PointRange.of(13)
    assert state.declared is None


def test_5_2_one_of_the_pair_is_led() -> None:
    """Another lead is noted, and the marriage does not count."""
    state = tell(new_hand(), "AS-KS mH")
    assert state.declared is Suit.HEARTS
    assert count(state, SOUTH).marriages == PointRange.of(20)
    assert check(state, played(state, SOUTH, "AC")) is Breach.MARRIAGE_NOT_LED

    state = tell(state, "AC")

    assert count(state, SOUTH).marriages == PointRange.of(0)
    assert check(state, Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW


def test_5_3_a_marriage_counts_once_its_owner_has_a_trick() -> None:
    """Pending on the first lead, through lost tricks, until the declarer's first trick."""
    state = tell(new_hand(), "mS KS-AS")
    assert (count(state, SOUTH).pending, count(state, SOUTH).total) == (PointRange.of(20), PointRange.of(0))

    state = tell(state, "JC-QC")

    assert (count(state, SOUTH).pending, count(state, SOUTH).total) == (PointRange.of(0), PointRange.of(25))


def test_5_3_immediately_needs_no_trick() -> None:
    """Under `immediately` the points are there with the word."""
    assert count(tell(new_hand(marriage_counts="immediately"), "mD"), SOUTH).total == PointRange.of(40)


def test_5_6_marriage_after_the_stock_by_option() -> None:
    """Allowed with an exhausted stock unless the option is off."""
    told = "KS-QS AC-QC AH-JH TH-QH TS-JS"
    marriage = MarriageDeclared(SOUTH, Suit.DIAMONDS)

    assert check(tell(new_hand("TD"), told), marriage) is None
    off = tell(new_hand("TD", marriage_after_exhausted=False), told)
    assert check(off, marriage) is Breach.MARRIAGE_AFTER_EXHAUSTED


def test_5_7_one_marriage_a_lead() -> None:
    """A second declaration with the same lead is noted and worth nothing."""
    state = tell(new_hand(), "AS-JS mH")
    assert check(state, MarriageDeclared(SOUTH, Suit.CLUBS)) is Breach.MARRIAGE_TWICE

    state = tell(state, "mC")

    assert count(state, SOUTH).marriages == PointRange.of(20)
    assert state.declared is Suit.HEARTS


@pytest.mark.parametrize(
    ("turned_up", "told", "suit"),
    [("JD", "AS-KS", "S"), ("QD", "", "D"), ("KD", "x AS-JS KH-AH", "D")],
)
def test_5_8_a_pair_of_which_a_card_is_elsewhere(turned_up: str, told: str, suit: str) -> None:
    """Played, under the stock, or in the other hand: nobody can hold that pair."""
    state = tell(new_hand(turned_up), told)
    assert state.on_lead is not None

    assert check(state, MarriageDeclared(state.on_lead, Suit(suit))) is Breach.MARRIAGE_NOT_HELD
    assert MarriageDeclared(state.on_lead, Suit(suit)) not in legal_events(state)


def test_5_8_a_false_marriage_comes_out_later() -> None:
    """When the other player shows the queen, the twenty is gone and the note names both."""
    state = tell(new_hand(), "AS-JS mH KH-JH")
    assert count(state, SOUTH).marriages == PointRange.of(20)

    state = tell(state, "AH-QH")

    queen = Card.parse("QH")
    assert state.breaches == (NotedBreach(Breach.MARRIAGE_NOT_HELD, SOUTH, 2, queen, 3, queen),)
    assert count(state, SOUTH).marriages == PointRange.of(0)


def test_5_8_what_was_never_held_did_not_count_at_the_close_either() -> None:
    """33 with a twenty that turns out false were 13, and the closer wins by the scale below 33."""
    state = tell(new_hand(), "AS-JS mH KH-AH AC-KC TC-QC close")
    assert state.at_close is not None
    assert state.at_close.card_points == PointRange.of(33)

    state = tell(state, "QH-TH QS-TS AD-TD claim")

    assert state.award is not None
    assert (state.award.winner, state.award.game_points, state.award.clause) == (NORTH, 2, "8.1")


def test_5_8_only_the_marriage_that_was_never_held_is_void() -> None:
    """The queen of hearts turns up in the other hand: the twenty in clubs stays."""
    state = tell(new_hand(), "AS-JS mH KH-JH mC KC-JC AH-QH")

    assert count(state, SOUTH).marriages == PointRange.of(20)
    assert [(each.suit, each.void) for each in state.marriages] == [(Suit.HEARTS, True), (Suit.CLUBS, False)]


def test_5_8_a_hand_too_small_for_the_pair() -> None:
    """Five cards played without the declared queen: she was never there."""
    state = tell(new_hand(), "close mS KS-JS AH-JH AC-JC TH-QH")
    assert state.breaches == ()

    state = tell(state, "TC")

    queen = Card.parse("QS")
    assert state.breaches == (NotedBreach(Breach.MARRIAGE_NOT_HELD, SOUTH, 1, queen, 5, Card.parse("TC")),)


@pytest.mark.parametrize(
    ("acts", "exchange", "close"),
    [
        ("any", None, None),
        ("close_only", Breach.ACT_AFTER_MARRIAGE, None),
        ("none", Breach.ACT_AFTER_MARRIAGE, Breach.ACT_AFTER_MARRIAGE),
    ],
)
def test_5_9_acts_after_a_declaration(acts: str, exchange: Breach | None, close: Breach | None) -> None:
    """What may still be done between the word and the lead."""
    state = tell(new_hand("AD", acts_after_marriage=acts), "AS-JS mH")

    assert check(state, Exchanged(SOUTH)) is exchange
    assert check(state, Closed(SOUTH)) is close


def test_6_1_closing_on_lead_only() -> None:
    """A close by the other player is noted and has no effect."""
    state = tell(new_hand(), "N:close")

    assert [noted.breach for noted in state.breaches] == [Breach.CLOSE_NOT_ON_LEAD]
    assert state.stock_open


def test_6_1_a_stock_is_closed_once() -> None:
    """What is closed or exhausted cannot be closed."""
    with pytest.raises(ImpossibleEvent, match="closed"):
        tell(new_hand(), "close S:close")
    with pytest.raises(ImpossibleEvent, match="exhausted"):
        tell(new_hand(), "KS-QS AC-KC QC-JC AH-KH TH-QH close")


def test_6_2_closing_on_the_first_lead_by_option() -> None:
    """Allowed unless the option is off, and after a trick in any case."""
    off = new_hand(close_first_lead=False)

    assert check(new_hand(), Closed(SOUTH)) is None
    assert check(off, Closed(SOUTH)) is Breach.CLOSE_ON_FIRST_LEAD
    assert check(tell(off, "AS-KS"), Closed(SOUTH)) is None


def test_6_4_closing_before_the_draw() -> None:
    """Where that is not played the word is noted and the stock stays open."""
    state = tell(new_hand(), "AS-KS")
    early = Closed(SOUTH, before_draw=True)

    assert check(state, early) is Breach.CLOSE_BEFORE_DRAW
    assert apply(state, early).stock_open


def test_6_closing_ends_the_drawing() -> None:
    """The stock keeps its cards, five tricks are left, the turned-up card is out of play."""
    state = tell(new_hand(), "AS-KS close")

    assert (state.stock_left, state.stock_open, state.turned_up, state.hand_sizes) == (8, False, None, (5, 5))
    assert state.last_trick == 6
    with pytest.raises(ImpossibleEvent, match="under the stock"):
        apply(state, played(state, SOUTH, "JD"))


def test_7_2_the_loser_of_a_trick_may_not_claim() -> None:
    """Such a claim is noted and the hand goes on."""
    state = tell(new_hand(), "AS-KS N:claim")

    assert [noted.breach for noted in state.breaches] == [Breach.CLAIM_OUT_OF_WINDOW]
    assert not state.over
    assert state.to_play is SOUTH


@pytest.mark.parametrize(
    ("false_claim", "failed_close", "expected"), [("flat_3", "flat_2", 3), ("flat_2", "flat_3", 3)]
)
def test_7_7_the_worse_of_both_clauses(false_claim: str, failed_close: str, expected: int) -> None:
    """The closer's false claim pays the larger award, whichever clause gives it."""
    options = {"false_claim_award": false_claim, "failed_close_award": failed_close}
    state = tell(new_hand(**options), "close AS-KS claim")

    assert state.award is not None
    assert (state.award.winner, state.award.game_points) == (NORTH, expected)


def test_7_9_an_unread_card_leaves_a_claim_open() -> None:
    """65 and a card between 2 and 10: neither proven nor refuted, and nothing is paid."""
    state = tell(new_hand(), "close AD-QS mD KD-JC QD-?")
    verdict = verify(state, SOUTH)

    assert verdict.outcome is Outcome.OPEN
    assert verdict.points == PointRange(65, 74)
    assert verdict.working == ("AD+QS = 14", "KD+JC = 6", "QD+? = 3", "? = 2", "marriage KD+QD = 40")
    state = apply(state, Claimed(SOUTH))
    assert state.over
    assert state.award is None


@pytest.mark.parametrize(
    ("told", "points", "outcome"),
    [
        ("close AD-QS mD KD-JC QD-QH", PointRange.of(66), Outcome.PROVEN),
        ("close mH KH-JC AH-JS TH-QS QH-?", PointRange(57, 66), Outcome.OPEN),
    ],
)
def test_7_9_just_66_is_enough(told: str, points: PointRange, outcome: Outcome) -> None:
    """A claim with 66 and no more is proven, and one that may come to 66 is not refuted."""
    verdict = verify(tell(new_hand(), told), SOUTH)

    assert (verdict.points, verdict.outcome) == (points, outcome)


def test_7_9_who_is_out_for_certain() -> None:
    """63 and a card of 2 to 10 are not 66, with a queen they are; who is out may claim besides."""
    unread = tell(new_hand(), "close AD-QS mD KD-JC QD-?")
    read = tell(new_hand(), "close AD-QS mD KD-JC QD-QH")
    led = tell(read, "TD")

    assert [has_enough(state, SOUTH) for state in (unread, read, led)] == [False, True, True]
    assert [players_out(state) for state in (unread, read, led)] == [(), (SOUTH,), ()]


def test_7_9_a_proven_claim_with_an_open_price() -> None:
    """66 is sure, but whether the other player has 33 is not: proven, and not paid yet."""
    state = tell(new_hand(), "JC-AC AD-? JH-KH mS KS-JS AS-TC AH-QH")
    verdict = verify(state, SOUTH)

    assert verdict.outcome is Outcome.PROVEN
    assert verdict.points == PointRange.of(67)
    assert count(state, NORTH).total == PointRange(27, 34)
    assert verdict.award is None


def test_10_3_a_trick_without_a_known_winner() -> None:
    """An unread answer may have taken the trick; who leads next says who did."""
    state = tell(new_hand(), "TH-?")
    assert state.to_play is None
    assert count(state, SOUTH).total == PointRange(0, 21)
    assert count(state, NORTH).total == PointRange(0, 21)

    assert tell(state, "N:JS").tricks[0].winner is NORTH
    taken = tell(state, "S:JS")
    assert taken.tricks[0].winner is SOUTH
    assert count(taken, SOUTH).total == PointRange(12, 21)


def test_10_3_every_unread_play_may_have_been_the_exchanged_card() -> None:
    """Whoever has exchanged surely holds the card that lay there, until a play of theirs has no name."""
    exchanged = tell(new_hand("AD"), "x AH-JH")
    assert exchanged.placed(SOUTH) == {Card.parse("AD")}

    for told in ("?", "?-JC S:KH", "?-JC S:?", "?-JC S:?-QC"):
        assert tell(exchanged, told).placed(SOUTH) == frozenset()


def test_10_3_an_unread_card_that_cannot_win() -> None:
    """The ace of trumps takes the trick whatever was laid upon it."""
    state = tell(new_hand(), "AD-?")

    assert state.on_lead is SOUTH


def test_10_2_what_cannot_have_happened() -> None:
    """A card twice, a card of no pack, a second deal, anything after the end."""
    state = tell(new_hand(), "AH-KH")
    with pytest.raises(ImpossibleEvent, match="AH has been played before"):
        apply(state, played(state, SOUTH, "AH"))
    with pytest.raises(ImpossibleEvent, match="not in a pack of 20"):
        apply(state, played(state, SOUTH, "9H"))
    with pytest.raises(ImpossibleEvent, match="dealt"):
        apply(state, Dealt(SOUTH, None))
    with pytest.raises(ImpossibleEvent, match="over"):
        apply(tell(state, "claim"), played(state, SOUTH, "TH"))


@pytest.mark.parametrize("event", [CardPlayed(SOUTH, Card.parse("TH")), Closed(SOUTH), Claimed(SOUTH)])
def test_10_2_nothing_is_played_in_a_hand_that_was_given_up(event: Event) -> None:
    """Neither a card nor a word of its players can follow."""
    state = tell(new_hand(), "AH-KH give-up")

    assert state.over
    with pytest.raises(ImpossibleEvent, match="the hand is over"):
        apply(state, event)


def test_10_3_trump_not_seen_yet() -> None:
    """Without the turned-up card a marriage is 20 to 40, and a discard may have been a trump."""
    state = tell(deal(RuleSet(), NORTH, None), "mH KH-JS")
    assert state.to_play is None
    assert count(tell(state, "S:QH-JH"), SOUTH).marriages == PointRange(20, 40)


@pytest.mark.parametrize("rules", ["schnapsen", "beginner", "schnapsen+last_trick_10+tie_carry", "sixty_six"])
@pytest.mark.parametrize("played", ["", "KS-QS AC", "KS-QS claim", "KS-QS give-up"])
def test_10_4_what_the_players_agree_stands(rules: str, played: str) -> None:
    """Whatever was seen, over or not: the hand pays that, no rule is broken by it, and nothing follows."""
    state = tell(new_hand(rules=rules), played) if played else new_hand(rules=rules)
    agreed = apply(state, Agreed(NORTH, 3))

    assert check(state, Agreed(NORTH, 3)) is None
    assert (agreed.award.winner, agreed.award.game_points, agreed.award.clause) == (NORTH, 3, "10.4")
    assert agreed.over
    assert not agreed.given_up
    assert agreed.breaches == state.breaches
    assert legal_events(agreed) == ()
    for event in (Claimed(SOUTH), CardPlayed(SOUTH, Card.parse("AH")), Agreed(SOUTH, 1)):
        with pytest.raises(ImpossibleEvent):
            apply(agreed, event)
    assert apply(state, Agreed(None, 0)).award.winner is None
