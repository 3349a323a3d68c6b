"""The worked examples of the rules, by number; south is A and north is B, diamonds are trumps."""

from __future__ import annotations

import re

import pytest

from companion.rules.breach import Breach
from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Outcome, verify
from companion.rules.events import CardPlayed, Claimed, Closed, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, Trick, check, deal, legal_events
from companion.rules.match import Match
from companion.rules.points import Award, PointRange
from companion.rules.ruleset import RuleSet, preset
from companion.rules.scoring import count
from tests.rules.telling import NORTH, SOUTH, new_hand, tell


def points(state: HandState) -> tuple[int, int]:
    """What both have, exactly."""
    south, north = count(state, SOUTH).total, count(state, NORTH).total
    assert south.exact
    assert north.exact
    return south.low, north.low


def cards(text: str) -> list[Card]:
    """Read a row of cards."""
    return [Card.parse(each) for each in text.split()]


def paid(text: str, **options: object) -> tuple[tuple[int, int], str, int, str]:
    """Tell a hand without breaches to its end: points, winner's letter, game points, clause."""
    state = tell(new_hand(**options), text)
    assert state.breaches == ()
    assert state.award is not None
    winner = "-" if state.award.winner is None else "AB"[state.award.winner]
    return points(state), winner, state.award.game_points, state.award.clause


def test_example_01_opponent_above_the_line() -> None:
    """A claims with 66, B has 38: 1."""
    told = "KH-KC AS-AC QC-TD JH-QS KD-QD TH-QH KS-AD TC-AH claim"

    assert paid(told) == ((66, 38), "A", 1, "7.5")


def test_example_02_opponent_at_33() -> None:
    """A claims with 70, B has 33: 1."""
    assert paid("KS-AC KD-AD QC-TD AH-TS QD-KC JH-TH JD-KH QS-AS claim") == ((70, 33), "A", 1, "7.5")


def test_example_03_opponent_at_32() -> None:
    """A claims with 70, B has 32 and a trick: 2."""
    assert paid("KS-AC KD-AD QC-TD AH-TS QH-KC JC-JD QS-TC KH-TH claim") == ((70, 32), "A", 2, "7.5")


def test_example_04_pending_forty_is_worth_nothing() -> None:
    """B declared 40 on the first lead and never won a trick: 3."""
    told = "mD QD-AD JC-JS TH-KH TC-QS JH-TS AH-QH claim"

    assert paid(told, dealer=SOUTH) == ((71, 0), "A", 3, "7.5")


def test_example_05_counted_marriage_lifts_the_opponent() -> None:
    """B has one trick worth 14 and a counted 20, together 34: 1."""
    assert paid("JC-JH QD-QC QH-AD mS QS-AS KH-KS AC-KC AH-TH claim") == ((68, 34), "A", 1, "7.5")


def test_example_06_opponent_forgot_to_claim() -> None:
    """B stood on lead with 68 and said nothing; A claims with 70: 1."""
    told = "JH-KH mD KD-KS QD-AC"
    forgot = tell(new_hand(), told)

    assert forgot.on_lead is NORTH
    assert points(forgot) == (0, 68)
    assert paid(f"{told} JC-TC AD-QH TD-JD TS-QS JS-QC KC-TH claim") == ((70, 68), "A", 1, "7.5")


ONE_TRICK_AND_A_TWENTY = "mS KS-AD JC-QH QC-KC"


def test_example_07_claim_on_the_declaration() -> None:
    """A has 27 in one trick and declares 40: 67, claimed before B answers: 2."""
    before = tell(new_hand(), ONE_TRICK_AND_A_TWENTY)

    assert points(before) == (27, 20)
    assert before.tricks_of(SOUTH) == 1
    assert paid(f"{ONE_TRICK_AND_A_TWENTY} mD claim") == ((67, 20), "A", 2, "7.5")
    assert paid(f"{ONE_TRICK_AND_A_TWENTY} mD KD S:claim") == ((67, 20), "A", 2, "7.5")


def test_example_07_without_the_option_a_trick_comes_first() -> None:
    """With `claim_on_declaration` off, A must lead, win a trick and then claim."""
    state = tell(new_hand(claim_on_declaration=False), f"{ONE_TRICK_AND_A_TWENTY} mD")

    assert check(state, Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW
    assert check(tell(state, "KD"), Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW
    assert check(tell(state, "KD-JH"), Claimed(SOUTH)) is None


FIFTY_ONE_AND_A_TWENTY = "QD-QH AC-JC AD-JS KH-AH QC-TD KD-JD mS"


def test_example_08_the_chance_has_gone() -> None:
    """A had 71 on the declaration, led the king and lost: B may claim now, A only after a trick."""
    state = tell(new_hand(), FIFTY_ONE_AND_A_TWENTY)
    assert points(state)[0] == 71

    state = tell(state, "KS-AS")

    assert points(state) == (71, 30)
    assert state.on_lead is NORTH
    assert check(state, Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW
    assert check(state, Claimed(NORTH)) is None


def test_example_09_next_trick_makes_the_twenty_wait() -> None:
    """Under `next_trick` A still has 51 after the declaration, and after the lost trick."""
    state = tell(new_hand(marriage_counts="next_trick"), FIFTY_ONE_AND_A_TWENTY)

    assert points(state)[0] == 51
    assert count(state, SOUTH).pending == PointRange.of(20)
    assert points(tell(state, "KS-AS"))[0] == 51


def test_example_10_false_claim() -> None:
    """A claims with 64, B has 12 and a trick: B 2."""
    assert paid("KS-AC JC-TD KC-AD AH-TS QC-TH claim") == ((64, 12), "B", 2, "7.6")


@pytest.mark.parametrize(
    ("award", "expected"),
    [("2_3_opponent", 3), ("2_3_claimant", 2), ("as_opponent_closed", 1), ("flat_2", 2), ("flat_3", 3)],
)
def test_example_11_false_claim_against_a_trickless_player(award: str, expected: int) -> None:
    """A claims with 64, B has no trick: B 3, and what the other readings pay."""
    told = "KS-AC JS-QC AS-TH KC-JC TS-JH QD-JD claim"

    assert paid(told, false_claim_award=award) == ((64, 0), "B", expected, "7.6")


@pytest.mark.parametrize(("award", "expected"), [("2_3_opponent", 2), ("mirror", 1)])
def test_example_12_false_claim_mirrored(award: str, expected: int) -> None:
    """A claims with 60, B has 40: B 2; mirrored, what a right claim would have paid: 1."""
    told = "AH-KS JC-JS QD-QS TH-QC KD-AS AC-AD TD-KC JD-JH QH-KH claim"

    assert paid(told, false_claim_award=award) == ((60, 40), "B", expected, "7.6")


@pytest.mark.parametrize(("basis", "expected"), [("at_close", 2), ("at_end", 1)])
def test_example_13_points_at_the_close_decide(basis: str, expected: int) -> None:
    """B had 20 and a trick at the close and ended with 50; A claims with 66: 2, at the end 1."""
    state = tell(new_hand(close_win_basis=basis), "KC-TS TC-TD JS-KS close")
    assert state.at_close is not None
    assert (state.at_close.card_points, state.at_close.has_trick) == (PointRange.of(20), True)

    told = "KC-TS TC-TD JS-KS close mD KD-AD AH-KH QS-QD claim"

    assert paid(told, close_win_basis=basis) == ((66, 50), "A", expected, "8.1")


def test_example_14_opponent_above_the_line_at_the_close() -> None:
    """B had 35 at the close, A claims with 67: 1."""
    told = "KS-AC KD-AD TS-TH KH-AH close"
    assert points(tell(new_hand(), told)) == (30, 35)

    assert paid(f"{told} TD-QC JS-QS JC-TC QD-QH KC-JH claim") == ((67, 40), "A", 1, "8.1")


@pytest.mark.parametrize(("basis", "expected"), [("at_close", 3), ("at_end", 2)])
def test_example_15_closed_on_the_first_lead(basis: str, expected: int) -> None:
    """B was trickless at the close and took two tricks later, 25; A claims with 66: 3, at the end 2."""
    told = "close mD KD-QC QD-KS JC-TC JH-AS JS-TS claim"

    assert paid(told, close_win_basis=basis) == ((66, 25), "A", expected, "8.1")


def test_example_16_failed_close() -> None:
    """B had a trick at the close, the cards run out, A has 60: B 2, though B has not even 33."""
    told = "JH-QH TS-TD close mS QS-JS AC-KC KH-KD QD-TC JC-KS"

    assert paid(told) == ((60, 32), "B", 2, "8.2")


@pytest.mark.parametrize(
    ("award", "expected"),
    [("2_3_at_close", 3), ("2_3_at_end", 2), ("flat_3", 3), ("flat_2", 2), ("flat_1", 1), ("2_3_closer", 2)],
)
def test_example_17_failed_close_against_a_trickless_player(award: str, expected: int) -> None:
    """A had two tricks at the close and B none; A ends with 58, B with 44: 3, and other readings."""
    told = "AS-KH QC-JH close mS QS-JS TD-QD AC-KD TH-KS AH-KC"

    assert paid(told, failed_close_award=award) == ((58, 44), "B", expected, "8.2")


def test_example_18_opponent_claims_first() -> None:
    """B had a trick at the close and claims first: 2, flat or not."""
    told = "KH-TS TC-AD QS-QD close TD-TH JH-AH AS-JS QH-QC AC-JC claim"

    assert paid(told) == ((40, 66), "B", 2, "8.3")
    flat = preset("sixty_six").beaten_closer_award
    assert paid(told, beaten_closer_award=flat) == ((40, 66), "B", 2, "8.3")


@pytest.mark.parametrize(("award", "expected"), [("same", 3), ("flat_2", 2)])
def test_example_18_opponent_trickless_at_the_close_claims_first(award: str, expected: int) -> None:
    """B had no trick at the close and claims first: 3, or a flat 2."""
    told = "QH-AC close KH-AH mD QD-KC JC-JS claim"

    assert paid(told, beaten_closer_award=award) == ((14, 66), "B", expected, "8.3")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("JH-QH TS-TD close mS QS-JS KS-KC KH-AC QC-TC JC-TH", 2),
        ("QC-TS QH-KC close mS KS-JS JH-TH AH-AD JC-QD TD-QS", 3),
    ],
)
def test_example_19_closer_with_66_lost_the_last_trick(told: str, expected: int) -> None:
    """The closer has 68 but B took the last trick: no claim, B 2, or 3 if trickless at the close."""
    state = tell(new_hand(), told)

    assert check(state, Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW
    assert paid(told) == ((68, 30), "B", expected, "8.2")


def test_example_20_last_trick_of_a_closed_hand() -> None:
    """The closer wins the last trick for 66 exactly and claims: the state at the close decides."""
    told = "QH-KH TS-TD close mS QS-AS KD-KS QC-AC JC-KC JH-TH"
    unclaimed = tell(new_hand(), told)

    assert unclaimed.award is not None
    assert unclaimed.award.winner is NORTH
    assert unclaimed.claimant is SOUTH
    assert paid(f"{told} claim") == ((66, 35), "A", 2, "8.1")


@pytest.mark.parametrize(("reading", "expected", "clause"), [("worse", 3, "7.7"), ("literal", 2, "7.6")])
def test_example_21_false_claim_by_the_closer(reading: str, expected: int, clause: str) -> None:
    """B was trickless at the close and has a trick now; A claims with 61: 3, read literally 2."""
    told = "AC-QC close mS KS-TS JH-QD AS-AH claim"

    assert paid(told, closer_false_claim=reading) == ((61, 14), "B", expected, clause)


def test_example_22_false_claim_by_the_closers_opponent() -> None:
    """A closed, B claims with 50: 2, and 3 if A has no trick."""
    with_trick = "KH-QH close KC-TC mS KS-JS QS-JH QC-JC claim"
    without = "close KC-TC mS QS-JH JC-QH JS-KH claim"

    assert paid(with_trick) == ((7, 50), "A", 2, "7.8")
    assert paid(without) == ((0, 50), "A", 3, "7.8")


@pytest.mark.parametrize(
    ("end", "points_", "winner"),
    [
        ("last_trick_1", (63, 57), "B"),
        ("higher_total_1", (63, 57), "A"),
        ("last_trick_bonus_10", (63, 67), "B"),
    ],
)
def test_example_23_nobody_closed_nobody_claimed(end: str, points_: tuple[int, int], winner: str) -> None:
    """A 63, B 57, B takes the last trick: B 1; by points A 1; with ten for the last trick B 1."""
    told = "AC-AH QH-QD JH-JS TH-QC AD-TC TS-AS JD-KD JC-TD KH-KC QS-KS"

    assert paid(told, unclaimed_end=end)[:3] == (points_, winner, 1)


@pytest.mark.parametrize(
    ("end", "points_", "winner"),
    [
        ("last_trick_1", (90, 30), "B"),
        ("last_trick_scaled", (90, 30), "B"),
        ("higher_total_1", (90, 30), "A"),
        ("last_trick_bonus_10", (90, 40), "A"),
    ],
)
def test_example_24_ninety_and_no_word(end: str, points_: tuple[int, int], winner: str) -> None:
    """A has 90 and never claims, B takes the last trick: 1 to B, by points 1 to A."""
    told = "KS-AC KD-AD QC-TD AH-TS AS-QH JS-QS KH-TH JC-KC TC-QD JH-JD"

    assert paid(told, unclaimed_end=end)[:3] == (points_, winner, 1)


LAST_TRICK_TO_A = "KS-AC KD-AD QC-TD KC-TH QD-TS AS-JD JC-TC JS-JH QS-QH AH-KH"


def test_example_25_last_trick_with_and_without_the_word() -> None:
    """A has 92 and the last trick: 1 unclaimed, 2 scaled, 2 if A claims now."""
    assert paid(LAST_TRICK_TO_A) == ((92, 28), "A", 1, "8.4")
    assert paid(LAST_TRICK_TO_A, unclaimed_end="last_trick_scaled") == ((92, 28), "A", 2, "8.4")
    assert paid(f"{LAST_TRICK_TO_A} claim") == ((92, 28), "A", 2, "7.5")


def test_example_25_no_claim_after_the_last_trick_without_the_option() -> None:
    """With `claim_after_last_trick` off the hand is over with its last card."""
    state = tell(new_hand(claim_after_last_trick=False), LAST_TRICK_TO_A)

    assert legal_events(state) == ()
    assert check(state, Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW


def test_example_26_a_drawn_hand_is_carried() -> None:
    """65 to 55 before ten for the last trick: drawn, and the next hand won for 2 pays 3."""
    told = "AD-AC KD-AS KH-TC AH-QD KS-TD QS-TS KC-JC JD-QC JS-TH QH-JH"
    drawn = tell(new_hand(rules="schnapsen+last_trick_10+tie_carry"), told).award

    assert drawn is not None
    assert (drawn.winner, drawn.game_points, drawn.reason, drawn.clause) == (None, 0, "drawn", "8.5")
    match = Match(preset("schnapsen+last_trick_10+tie_carry"), NORTH).with_award(drawn)
    assert match.won_points == (0, 0)
    assert match.carry == 1
    assert match.with_award(won(SOUTH, 2)).won_points == (3, 0)
    assert match.with_award(won(SOUTH, 2)).carry == 0


def test_example_27_sixty_each_is_no_tie_with_the_bonus() -> None:
    """60 to 60 and A takes the last trick: 70 to 60, A 1."""
    told = "KS-AC KD-AD TS-TH KC-KH JC-JS JH-AH TD-QH QC-TC QS-JD QD-AS"

    assert paid(told, unclaimed_end="last_trick_bonus_10") == ((70, 60), "A", 1, "8.6")
    assert paid(told, unclaimed_end="higher_total_1")[1:] == ("-", 0, "8.5")


def test_example_28_schwarz_counts_tricks() -> None:
    """B's only trick is two nines, worth nothing; A claims with 66: 2, not 3."""
    told = "9H-9S KH-TD AC-JH TS-TC AS-JC QS-QH claim"
    assert paid(told, turned_up="9D", dealer=SOUTH, rules="sixty_six") == ((66, 0), "A", 2, "7.5")


def test_example_29_exchange_at_a_close_before_drawing() -> None:
    """A closes before drawing with five cards in hand; B, trickless, holds the nine and exchanges at once."""
    south, north = cards("AH TH KH QH JH 9H"), cards("9D AS TS KS QS JS")
    stock = cards("AD TD QD JD AC TC KC QC JC 9C 9S KD")
    won = tell(deal(preset("sixty_six"), NORTH, None, (south, north), stock), "AH-JS")
    assert Closed(SOUTH, before_draw=True) in legal_events(won)

    state = tell(won, "early")

    assert state.hand_sizes == (5, 5)
    assert state.stock == tuple(stock)
    assert check(state, Exchanged(NORTH)) is None
    assert Exchanged(NORTH) in legal_events(state)
    assert check(tell(state, "TH-QS"), Exchanged(NORTH)) is Breach.EXCHANGE_AFTER_CLOSE
    state = tell(state, "N:x")
    assert state.hands is not None
    assert Card.parse("KD") in state.hands[NORTH]
    assert state.stock is not None
    assert str(state.stock[-1]) == "9D"
    assert check(tell(won, "close"), Exchanged(NORTH)) is None
    elsewhere = tell(new_hand("KD"), "AH-JS close")
    assert check(elsewhere, Exchanged(NORTH)) is Breach.EXCHANGE_AFTER_CLOSE


def test_example_30_failed_close_in_santase() -> None:
    """A closes, B has two tricks, A ends with 50: 3 whatever B had."""
    told = "AD-AS KC-TC 9D-QC AC-TH close QD-KD QS-KS JC-KH JH-9H QH-TD 9S-JD"

    assert tell(new_hand("AH", rules="santase"), told).at_close is not None
    assert paid(told, turned_up="AH", rules="santase") == ((50, 47), "B", 3, "8.2")


def test_example_31_failed_close_among_beginners() -> None:
    """A's close fails: 1 to B."""
    told = "JH-QH TS-TD close mS QS-JS AC-KC KH-KD QD-TC JC-KS"

    assert paid(told, rules="beginner") == ((60, 32), "B", 1, "8.2")


def won(winner: Player, game_points: int) -> Award:
    """An award of a claim."""
    nothing = PointRange.of(0)
    return Award(winner, game_points, "claim", "7.5", (nothing, nothing))


@pytest.mark.parametrize(("schneider", "marks"), [("single", 1), ("double", 2)])
def test_example_32_passing_zero_wins_the_match(schneider: str, marks: int) -> None:
    """A needs 2 and wins 3: the match. B without a point is charged one mark, or two."""
    rules = RuleSet().with_overrides({"schneider_match": schneider})
    match = Match(rules, NORTH).with_award(won(SOUTH, 3)).with_award(won(SOUTH, 2))
    assert match.needed == (2, 7)
    assert match.winner is None

    match = match.with_award(won(SOUTH, 3))

    assert match.needed == (0, 7)
    assert match.winner is SOUTH
    assert match.bummerl_marks == (0, marks)


def test_example_33_best_of_three() -> None:
    """A wins matches one and three: the series is A's, 2 to 1."""
    match = Match(preset("schnapsen+best_of_3"), NORTH)
    for number, winner in enumerate((SOUTH, NORTH, SOUTH), 1):
        assert match.series_winner is None
        match = match if number == 1 else match.following()
        match = match.with_award(won(winner, 3)).with_award(won(winner, 3)).with_award(won(winner, 1))

    assert match.matches_won == (2, 1)
    assert match.series_winner is SOUTH


def test_example_34_knock() -> None:
    """A has 55, knocks, leads the ace of trumps, and the jack follows: 68, as a correct claim."""
    told = "AS-TS AH-TH AC-JC"
    assert points(tell(new_hand("TD", knock=True), told)) == (55, 0)

    assert paid(f"{told} knock AD-JD", turned_up="TD", knock=True) == ((68, 0), "A", 3, "7.5")


def test_example_34_knock_with_only_65() -> None:
    """The same with 65: a failed close at the moment of the knock, 3 against a trickless player."""
    told = "AS-KS AH-KH AC-KC KD-QH"
    assert points(tell(new_hand("TD", knock=True), told)) == (52, 0)

    assert paid(f"{told} knock AD-JD", turned_up="TD", knock=True) == ((65, 0), "B", 3, "8.7")


def test_example_35_close_ace_forty() -> None:
    """Ace, forty and three tricks over cards worth 9: 67 and 3; over cards worth 7: not yet."""
    assert paid("close AD-QS mD KD-KC QD-JS claim") == ((67, 0), "A", 3, "8.1")
    assert points(tell(new_hand(), "close AD-QS mD KD-JC QD-JS")) == (65, 0)


def late(south: str, north: str, led: str | None, trump: str = "S") -> HandState:
    """An exhausted stock, both hands known: north has led `led`, or is to lead with `None`."""
    hands = tuple(frozenset(cards(hand)) for hand in (south, north))
    table = frozenset([Card.parse(led)] if led else [])
    gone = [card for card in RuleSet().pack if card not in hands[0] | hands[1] | table]
    turned_up = next(card for card in gone if card.suit.letter == trump)
    tricks = tuple(Trick(NORTH, one, two, NORTH) for one, two in zip(gone[::2], gone[1::2], strict=True))
    return HandState(
        RuleSet(),
        dealer=SOUTH,
        dealt_up=turned_up,
        leader=NORTH,
        led=CardPlayed(NORTH, Card.parse(led)) if led else None,
        tricks=tricks,
        seen=frozenset(gone) | table,
        hands=(hands[0], hands[1]),
        stock=(),
    )


@pytest.mark.parametrize(
    ("number", "led", "hand", "trump", "allowed"),
    [
        ("L1", "TH", "AH KH JS", "S", {"AH"}),
        ("L2", "TH", "KH JS QC", "S", {"KH"}),
        ("L3", "TH", "KD JS AS", "S", {"JS", "AS"}),
        ("L4", "QS", "KS JS AD", "S", {"KS"}),
        ("L5", "AS", "KS JS AD", "S", {"KS", "JS"}),
    ],
)
def test_examples_L1_to_L5_strict_play(  # noqa: N802 - the numbers of the examples
    number: str, led: str, hand: str, trump: str, allowed: set[str]
) -> None:
    """Follow and head, else follow, else trump, else anything; the judge and the list agree."""
    state = late(hand, "QH JC", led, trump)
    listed = {str(event.card) for event in legal_events(state) if isinstance(event, CardPlayed)}

    assert listed == allowed, number
    for text in hand.split():
        assert (check(state, CardPlayed(SOUTH, Card.parse(text))) is None) == (text in allowed)


def test_example_L6_open_stock_is_free() -> None:  # noqa: N802
    """With the stock open any card may answer any lead, whatever else the hand holds."""
    hands = cards("AH KH JS QC TD"), cards("TH AS QS KC AD")
    stock = cards("JH QH TS KS JC TC AC QD KD JD")
    state = tell(deal(RuleSet(), SOUTH, stock[-1], hands, stock), "TH")

    assert {event.card for event in legal_events(state)} == set(hands[0])


def test_example_L7_exchange_for_a_royal_marriage() -> None:  # noqa: N802
    """The jack goes for the queen, and king and queen are 40."""
    hands = cards("JH KH JS QC TD"), cards("TH AS QS KC AD")
    stock = cards("AH JD TS KS JC TC AC QD KD QH")
    state = deal(RuleSet(), NORTH, stock[-1], hands, stock)
    marriage = MarriageDeclared(SOUTH, Suit.HEARTS)
    assert marriage not in legal_events(state)

    state = tell(state, "x")

    assert marriage in legal_events(state)
    assert tell(state, "mH").marriages[0].points == PointRange.of(40)
    assert str(state.turned_up) == "JH"


FOUR_TRICKS = "KS-QS AC-KC QC-JC AH-KH"


def test_example_L8_two_cards_left() -> None:  # noqa: N802
    """Exchange and close are allowed with two cards in the stock; sharp rules forbid both."""
    state = tell(new_hand("TD"), FOUR_TRICKS)
    sharp = tell(new_hand("TD", rules="schnapsen_sharp"), FOUR_TRICKS)

    assert state.stock_left == sharp.stock_left == 2
    assert {Exchanged(SOUTH), Closed(SOUTH)} <= set(legal_events(state))
    assert check(sharp, Exchanged(SOUTH)) is Breach.EXCHANGE_STOCK_TOO_SMALL
    assert check(sharp, Closed(SOUTH)) is Breach.CLOSE_STOCK_TOO_SMALL


def test_example_L9_sharp_first_lead() -> None:  # noqa: N802
    """Sharp rules: the king may be led on the first lead, but nothing can be declared."""
    state = new_hand(rules="schnapsen_sharp")

    assert check(state, CardPlayed(SOUTH, Card.parse("KC"))) is None
    assert check(state, MarriageDeclared(SOUTH, Suit.CLUBS)) is Breach.MARRIAGE_ON_FIRST_LEAD
    assert count(tell(state, "KC-QC"), SOUTH).total == PointRange.of(7)


def test_example_L10_marriage_with_a_closed_stock() -> None:  # noqa: N802
    """A pair may be declared after closing; with the option off it may not."""
    marriage = MarriageDeclared(SOUTH, Suit.CLUBS)

    assert check(tell(new_hand(), "close"), marriage) is None
    closed = tell(new_hand("9D", rules="sixty_six"), "close")
    assert check(closed, marriage) is Breach.MARRIAGE_AFTER_CLOSE


def test_example_L11_after_a_declaration() -> None:  # noqa: N802
    """King or queen must be led; claim, exchange and close are still open, the claim until the answer."""
    state = tell(new_hand("TD"), "AS-KS mH")
    plays = {str(event.card) for event in legal_events(state) if isinstance(event, CardPlayed)}

    assert plays == {"KH", "QH"}
    assert {Claimed(SOUTH), Exchanged(SOUTH), Closed(SOUTH)} <= set(legal_events(state))
    assert Claimed(SOUTH) in legal_events(tell(state, "KH"))
    assert check(tell(state, "KH-AH"), Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW


def test_example_L12_no_claim_on_the_first_lead() -> None:  # noqa: N802
    """Without a trick or a declaration a claim is not offered."""
    assert Claimed(SOUTH) not in legal_events(new_hand())
    assert check(new_hand(), Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW
    assert Claimed(SOUTH) in legal_events(tell(new_hand(), "mH"))


def test_verdict_shows_its_sum() -> None:
    """The working of a verdict names the tricks and the marriage, and adds up."""
    verdict = verify(tell(new_hand(), f"{ONE_TRICK_AND_A_TWENTY} mD"), SOUTH)

    assert verdict.outcome is Outcome.PROVEN
    assert verdict.working == ("QC+KC = 7", "marriage KS+QS = 20", "marriage KD+QD = 40")


def test_every_example_is_here() -> None:
    """35 awards and 12 moves, each by its number."""
    found = set()
    for name in globals():
        if match := re.match(r"test_examples?_(L?)(\d+)(?:_to_L(\d+))?_", name):
            letter, first, last = match[1], int(match[2]), int(match[3] or match[2])
            found |= {f"{letter}{number}" for number in range(first, last + 1)}

    assert found == {str(number) for number in range(1, 36)} | {f"L{number}" for number in range(1, 13)}
