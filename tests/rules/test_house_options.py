"""What tables play otherwise: every value of every option that changes how a hand goes."""

from __future__ import annotations

import pytest

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Outcome, verify
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Exchanged,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal, legal_events
from companion.rules.points import PointRange
from companion.rules.revoke import revokes_found
from companion.rules.ruleset import preset
from companion.rules.scoring import claims_awaited, count
from tests.rules.telling import NORTH, SOUTH, new_hand, tell


def cards(text: str) -> tuple[Card, ...]:
    """Read a row of cards."""
    return tuple(Card.parse(each) for each in text.split())


def play(player: Player, text: str) -> CardPlayed:
    """A play by name."""
    return CardPlayed(player, Card.parse(text))


def outcome(state: HandState) -> tuple[str, int, str, str] | None:
    """Who won how much, why and by which clause."""
    award = state.award
    if award is None or award.winner is None:
        return None
    return award.winner.name.lower(), award.game_points, award.reason, award.clause


# 4.6 and 6.4: closing in Sixty-Six


SIXTY_SIX = "AH TH KH QH JH 9H", "9D AS TS KS QS JS", "AD TD QD JD AC TC KC QC JC 9C 9S KD"


def sixty_six(told: str = "") -> HandState:
    """A hand of Sixty-Six with all cards known; south leads, diamonds are trumps."""
    south, north, stock = (cards(each) for each in SIXTY_SIX)
    return tell(deal(preset("sixty_six"), NORTH, None, (south, north), stock), told)


def test_4_6_the_other_player_exchanges_at_the_close() -> None:
    """At once, without a trick and on the first lead; not the closer, and not where it is not played."""
    closed = sixty_six("close")

    assert Exchanged(NORTH) in legal_events(closed)
    assert check(new_hand("KD", rules="snapszer_24"), Exchanged(NORTH)) is Breach.EXCHANGE_NOT_ON_LEAD
    unplayed = tell(new_hand("KD", rules="snapszer_24"), "close")
    assert check(unplayed, Exchanged(NORTH)) is Breach.EXCHANGE_AFTER_CLOSE
    hidden = tell(new_hand("KD", rules="sixty_six"), "close")
    assert check(hidden, Exchanged(SOUTH)) is Breach.EXCHANGE_AFTER_CLOSE


def test_4_6_only_before_the_closer_leads() -> None:
    """Once the closer has led the time is over."""
    hidden = tell(new_hand("KD", rules="sixty_six"), "close AH")

    assert check(hidden, Exchanged(NORTH)) is Breach.EXCHANGE_AFTER_CLOSE


def test_6_4_a_close_before_the_draw_leaves_the_stock_whole() -> None:
    """Both hold a card fewer, the stock keeps its two, and fewer tricks follow."""
    after = sixty_six("AH-JS close")
    before = sixty_six("AH-JS early")

    assert (after.stock_left, after.hand_sizes, after.last_trick) == (10, (6, 6), 7)
    assert (before.stock_left, before.hand_sizes, before.last_trick) == (12, (5, 5), 6)
    assert before.stock == cards(SIXTY_SIX[2])
    assert before.hands is not None
    assert before.hands[SOUTH] == frozenset(cards("TH KH QH JH 9H"))
    assert len(tell(new_hand("KD", rules="sixty_six"), "AH-JS early KS").hand_sizes) == 2


def test_6_4_the_last_two_cards() -> None:
    """Before the last draw the stock is not exhausted yet: closing before drawing is possible then."""
    told = "AH-JS TH-QS KH-KS QH-TS JH-AS"
    state = tell(new_hand("KD", rules="sixty_six"), told)
    player = state.on_lead
    assert player is not None
    assert state.stock_left == 2

    state = tell(state, "TC-QC")

    assert state.exhausted
    with pytest.raises(ImpossibleEvent, match="exhausted"):
        apply(state, Closed(SOUTH))
    closed = tell(state, "early")
    assert (closed.stock_left, closed.hand_sizes, closed.turned_up) == (2, (5, 5), None)
    with pytest.raises(ImpossibleEvent, match="exhausted"):
        tell(state, "9H-9S early")


def test_6_4_the_trick_before_an_early_close_was_free() -> None:
    """Nothing was drawn since, but the stock was open then: a heart that turns up proves nothing."""
    assert tell(new_hand("KD", rules="sixty_six"), "AH-JS early TS-TH").breaches == ()


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("early", "before the first lead"),
        ("AH-JS mC early", "have been drawn"),
        ("AH-JS x early", "have been drawn"),
        ("AH-JS TH early", "have been drawn"),
    ],
)
def test_6_4_closing_before_the_draw_comes_first(told: str, why: str) -> None:
    """Before the first lead nothing is drawn, and whoever has done something else has drawn."""
    with pytest.raises(ImpossibleEvent, match=why):
        tell(new_hand("KD", rules="sixty_six"), told)


# 5.10: declaring is a duty in some houses


def test_5_10_a_silent_lead_of_a_known_pair() -> None:
    """With both cards known the lead is no legal one; declared it is."""
    hands = cards("KH QH AS TS TD"), cards("AH TH JH KS QS")
    stock = cards("AD KD QD AC TC KC QC JC JS JD")
    rules = preset("schnapsen").with_overrides({"marriage_declaration": "forced"})
    state = deal(rules, NORTH, None, hands, stock)

    assert check(state, play(SOUTH, "KH")) is Breach.MARRIAGE_NOT_DECLARED
    assert play(SOUTH, "QH") not in legal_events(state)
    assert check(tell(state, "mH"), play(SOUTH, "KH")) is None
    assert check(deal(preset("schnapsen"), NORTH, None, hands, stock), play(SOUTH, "KH")) is None


def test_5_10_a_silent_lead_comes_out_when_the_partner_turns_up() -> None:
    """With hidden hands the queen that turns up after closing proves the silence, once."""
    told = "close KH-JH AS-JS"
    state = tell(new_hand(marriage_declaration="forced"), told)
    assert state.breaches == ()

    state = tell(state, "QH-JC")

    king, queen = cards("KH QH")
    assert state.breaches == (NotedBreach(Breach.MARRIAGE_NOT_DECLARED, SOUTH, 1, king, 3, queen),)
    assert tell(new_hand(), f"{told} QH-JC").breaches == ()
    forbidden = {"marriage_declaration": "forced", "marriage_after_close": False}
    assert tell(new_hand(**forbidden), f"{told} QH-JC").breaches == ()


def test_5_10_cards_drawn_later_accuse_nobody() -> None:
    """With an open stock the queen may have been drawn after the king was led."""
    assert tell(new_hand(marriage_declaration="forced"), "KH-JH QH-TH").breaches == ()


@pytest.mark.parametrize(
    ("told", "forbidden"),
    [
        ("close KH-JH AS-JS QS-JC", {}),
        ("close TH-AH KS-AS QS-JH", {}),
        ("close ?-JH S:AS-JS QH-JC", {}),
        ("close mH KH-JH AS-JS QH-JC", {}),
        ("close KH-JH AS-JS QH-JC", {"marriage_first_lead": False}),
        ("AS-JS close KH-JH AC-JC QH-QC", {"marriage_after_close": False}),
        ("KS-JS AC-JC AD-JH TD-QC TC-KC KH-JD AS-QH", {"marriage_after_exhausted": False}),
    ],
)
def test_5_10_a_lead_that_kept_nothing_silent(told: str, forbidden: dict[str, object]) -> None:
    """Of another suit, led by the other player, unread, declared, or where nothing could be declared."""
    assert tell(new_hand(marriage_declaration="forced", **forbidden), told).breaches == ()


def test_5_10_a_silent_lead_after_the_stock() -> None:
    """Once all cards are drawn it comes out as after a close."""
    state = tell(new_hand(marriage_declaration="forced"), "KS-JS AC-JC AD-JH TD-QC TC-KC KH-JD AS-QH")

    assert [(noted.breach, noted.trick) for noted in state.breaches] == [(Breach.MARRIAGE_NOT_DECLARED, 6)]


# 6.5 to 6.7 and 8.7: knocking


def test_6_5_a_knock_where_it_is_not_played() -> None:
    """It is noted and has no effect."""
    state = tell(new_hand(), "knock")

    assert [noted.breach for noted in state.breaches] == [Breach.KNOCK_NOT_PLAYED]
    assert state.at_knock is None
    assert Knocked(SOUTH) not in legal_events(new_hand())


def test_6_6_knocking_on_lead_only() -> None:
    """Neither the other player, nor the leader with a card on the table, nor twice."""
    state = new_hand(knock=True)

    assert check(state, Knocked(SOUTH)) is None
    assert Knocked(SOUTH) in legal_events(state)
    assert check(state, Knocked(NORTH)) is Breach.KNOCK_NOT_ON_LEAD
    assert check(tell(state, "AH"), Knocked(SOUTH)) is Breach.KNOCK_NOT_ON_LEAD
    with pytest.raises(ImpossibleEvent, match="knocked"):
        tell(state, "knock S:knock")


def test_6_5_nobody_closes_after_a_knock() -> None:
    """A knock stands in place of a close: the trick is played under the rules in force."""
    knocked = tell(new_hand(knock=True), "knock")

    assert Closed(SOUTH) not in legal_events(knocked)
    with pytest.raises(ImpossibleEvent, match="knocked"):
        tell(knocked, "close")


def test_6_7_no_knock_against_a_close() -> None:
    """Not with the stock closed by the other player; with one's own close it is allowed."""
    closed = tell(new_hand(knock=True), "close")

    assert check(closed, Knocked(SOUTH)) is None
    state = tell(closed, "KS-AS")
    assert state.on_lead is NORTH
    assert check(state, Knocked(NORTH)) is Breach.KNOCK_AFTER_CLOSE


def test_8_7_after_the_trick_the_hand_is_over() -> None:
    """No card is drawn, nobody plays or claims on."""
    state = tell(new_hand("TD", knock=True), "AS-TS AH-TH AC-JC knock AD")
    assert Claimed(SOUTH) not in legal_events(state)

    state = tell(state, "JD")

    assert state.over
    assert state.hand_sizes == (4, 4)
    assert state.stock_left == 4
    assert legal_events(state) == ()
    with pytest.raises(ImpossibleEvent, match="over"):
        apply(state, play(SOUTH, "KH"))


def test_8_6_ten_for_the_last_trick_stand_in_the_sum() -> None:
    """Whoever took it reads them in a line of their own; while nobody knows who, both may have them."""
    told = "KC-KS AH-JH TH-KH AC-JC TC-QC AS-JS TS-QS TD-QD AD-"
    rules = {"unclaimed_end": "last_trick_bonus_10"}

    taken = count(tell(new_hand(**rules), f"{told}JD KD-QH"), SOUTH)
    assert taken.bonus == PointRange.of(10)
    assert taken.working[-1] == "last trick = 10"

    unread = tell(new_hand(**rules), f"{told}? ?-JD")
    assert [count(unread, player).bonus for player in Player] == [PointRange(0, 10)] * 2
    assert unread.award is None


def test_8_7_nobody_draws_after_the_trick_that_was_knocked_for() -> None:
    """With all cards known, both keep what they hold: that is what they may lay open."""
    hands = cards("KH QH AS TS TD"), cards("AH TH JH KS QS")
    stock = cards("AD KD QD AC TC KC QC JC JS JD")
    rules = preset("schnapsen").with_overrides({"knock": True})

    state = tell(deal(rules, NORTH, None, hands, stock), "knock AS-QS")

    assert state.hands == (frozenset(cards("KH QH TS TD")), frozenset(cards("AH TH JH KS")))
    assert state.stock == stock


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("KS-AS JC-QC KD-JH AC-JS knock QH-AH", ("north", 2, "failed_close", "8.7")),
        ("AS-KS AH-KH mD knock KD-QS", ("south", 3, "claim", "7.5")),
        ("AS-TS mC knock KC-AC", ("north", 3, "failed_close", "8.7")),
        ("AS-TS AH-TH AC-JC mD knock KD-AD", ("north", 3, "failed_close", "8.7")),
        ("AS-TS close AH-TH AC-JC knock AD-JD", ("south", 3, "claim", "8.1")),
    ],
)
def test_8_7_what_a_knock_pays(told: str, expected: tuple[str, int, str, str]) -> None:
    """A lost trick or too few points: 2, or 3 if trickless at the knock; else a correct claim."""
    state = tell(new_hand("TD", knock=True), told)

    assert state.breaches == ()
    assert outcome(state) == expected


def test_8_7_a_false_marriage_spoils_a_knock_afterwards() -> None:
    """The queen turns up in the other hand: without the forty there were no 66."""
    state = tell(new_hand("TD", knock=True), "AS-TS AC-KC mD knock KD-JS")
    assert outcome(state) == ("south", 3, "claim", "7.5")

    assert outcome(apply(state, HandShown(NORTH, cards("QD")))) == ("north", 3, "failed_close", "8.7")


def test_8_7_an_unread_card_leaves_a_knock_open() -> None:
    """Who took the trick is not known: over, and nothing is paid."""
    state = tell(new_hand("TD", knock=True), "AS-TS AH-TH AC-JC knock TC-?")

    assert state.over
    assert state.award is None


# 7.1: hands that end by arithmetic


def test_7_1_a_hand_ends_by_itself() -> None:
    """With 66 on winning a trick nobody has to say a word."""
    told = "AS-TS AH-TH AC-TC"
    assert not tell(new_hand("TD"), f"{told} KD-JD").over

    state = tell(new_hand("TD", rules="beginner"), f"{told} AD-JD")

    assert outcome(state) == ("south", 3, "claim", "7.5")
    assert state.claimed_by is SOUTH
    assert count(state, SOUTH).total == PointRange.of(76)
    assert legal_events(state) == ()


def test_7_1_a_declaration_ends_it_too() -> None:
    """On a declaration at once, unless the table asks for a trick first."""
    assert not tell(new_hand("TD", rules="beginner"), "QS-JS KC-JC mD").over
    state = tell(new_hand("TD", rules="beginner"), "AS-TS AC-KC mD")
    assert outcome(state) == ("south", 3, "claim", "7.5")
    waits = tell(new_hand("TD", rules="beginner", claim_on_declaration=False), "AS-TS AC-KC mD")
    assert not waits.over
    assert outcome(tell(waits, "KD-JS")) == ("south", 3, "claim", "7.5")


def test_7_1_a_word_too_early_costs_nothing() -> None:
    """A claim with fewer than 66 is noted and has no effect."""
    state = tell(new_hand("TD", rules="beginner"), "AS-TS")
    assert check(state, Claimed(SOUTH)) is Breach.CLAIM_NOT_ASKED
    assert Claimed(SOUTH) not in legal_events(state)

    assert not tell(state, "claim").over


def test_7_1_an_unread_card_asks_for_the_word() -> None:
    """63 to 72: the hand goes on, and here the word is asked for."""
    state = tell(new_hand("KC", rules="beginner"), "AC-? AS-TS AH-TH KD-KH")

    assert count(state, SOUTH).total == PointRange(63, 72)
    assert not state.over
    assert Claimed(SOUTH) in legal_events(state)
    assert tell(state, "claim").claimed_by is SOUTH


# 7.2: when to claim


@pytest.mark.parametrize(
    ("window", "told", "may"),
    [
        ("on_lead", "AS-KS", {SOUTH}),
        ("on_lead", "AS-KS close", {SOUTH}),
        ("on_lead", "AS-KS x", {SOUTH}),
        ("after_own_trick", "AS-KS", {SOUTH}),
        ("after_own_trick", "AS-KS close", set()),
        ("after_own_trick", "AS-KS x", set()),
        ("after_own_trick", "AS-KS x mH", {SOUTH}),
        ("after_own_trick", "AS-KS close AH-KH", {SOUTH}),
        ("any_player_between_tricks", "", set()),
        ("any_player_between_tricks", "AS-KS", {SOUTH, NORTH}),
        ("any_player_between_tricks", "AS-KS AH", set()),
        ("any_player_between_tricks", "AS-KS mH", {SOUTH, NORTH}),
        ("any_player_between_tricks", "AS-KS mH KH", {SOUTH}),
        ("any_player_between_tricks", "AS-KS close", {SOUTH, NORTH}),
    ],
)
def test_7_2_who_may_claim_when(window: str, told: str, may: set[Player]) -> None:
    """The winner of the trick until leading, only at once, or anybody between tricks."""
    state = tell(new_hand("AD", claim_window=window), told)

    assert {player for player in Player if check(state, Claimed(player)) is None} == may
    assert {event.player for event in legal_events(state) if isinstance(event, Claimed)} == may


def test_7_2_the_loser_of_a_trick_claims() -> None:
    """South has 66 and has just lost a trick: a right claim in Snapszli, out of time elsewhere."""
    told = "AS-TS AH-TH AC-JC mH KH-JS JH-QC"
    state = tell(new_hand("TD", rules="snapszli"), told)
    assert state.on_lead is SOUTH
    state = tell(state, "QS-KS")
    assert state.on_lead is NORTH
    assert count(state, SOUTH).total.low >= 66

    assert outcome(tell(state, "S:claim")) == ("south", 2, "claim", "7.5")
    assert check(tell(new_hand("TD"), f"{told} QS-KS"), Claimed(SOUTH)) is Breach.CLAIM_OUT_OF_WINDOW


def test_7_2_anybody_claims_while_the_winner_of_a_trick_is_unknown() -> None:
    """Where both may claim a claim does not say who took an unread trick."""
    state = tell(new_hand("TD", rules="snapszli"), "TH-?")
    assert verify(state, NORTH).points == PointRange(0, 21)

    state = tell(state, "N:claim")

    assert state.tricks[0].winner is None
    assert verify(state, NORTH).outcome is Outcome.REFUTED


def test_7_4_after_the_last_trick_either_player() -> None:
    """Where anybody may claim, the loser of the last trick may as well."""
    told = "KS-AC KD-AD QC-TD KC-TH QD-TS AS-JD JC-TC JS-JH QS-QH AH-KH"

    assert outcome(tell(new_hand(claim_window="any_player_between_tricks"), f"{told} N:claim")) == (
        "south",
        2,
        "false_claim",
        "7.6",
    )


def test_7_4_the_loser_of_the_last_trick_is_out() -> None:
    """South closed, has 89 and lost the last trick: a claim is awaited only where it may still come."""
    told = "close AD-TH mD KD-TC QD-KC JC-AC AS-JS"

    assert claims_awaited(tell(new_hand(claim_window="any_player_between_tricks"), told)) == (SOUTH,)
    assert claims_awaited(tell(new_hand(), told)) == ()


# 3.6 and 3.7: revokes


REVOKE = "close AH-KS AS-KH"
"""North discards the king of spades on hearts, and shows the king of hearts a trick later."""


@pytest.mark.parametrize(
    ("options", "told", "expected"),
    [
        ({}, "S:revoke", ("south", 3, "revoke", "3.6")),
        ({}, "TH-JH S:claim S:revoke", ("south", 3, "revoke", "3.6")),
        ({"revoke_award": "as_false_claim"}, "S:revoke", ("south", 2, "revoke", "3.6")),
        (
            {"revoke_award": "as_false_claim", "false_claim_award": "flat_3"},
            "S:revoke",
            ("south", 3, "revoke", "3.6"),
        ),
    ],
)
def test_3_6_a_called_revoke_ends_the_hand(
    options: dict[str, object], told: str, expected: tuple[str, int, str, str]
) -> None:
    """Three, or as after a false claim, also after the end; and then nothing can follow."""
    state = tell(new_hand(**options), f"{REVOKE} {told}")

    assert outcome(state) == expected
    assert state.called_by is SOUTH
    assert legal_events(state) == ()
    with pytest.raises(ImpossibleEvent, match="over"):
        apply(state, RevokeCalled(SOUTH))
    with pytest.raises(ImpossibleEvent, match="over"):
        apply(state, play(SOUTH, "TH"))


def test_3_6_a_noted_revoke_changes_nothing_by_itself() -> None:
    """The referee reports; until the other player calls the hand goes on, and the call is offered."""
    state = tell(new_hand(), REVOKE)

    assert [noted.breach for noted in state.breaches] == [Breach.REVOKE_NOT_FOLLOWED]
    assert not state.over
    assert RevokeCalled(SOUTH) in legal_events(state)
    assert RevokeCalled(NORTH) not in legal_events(state)


def test_3_6_the_false_claim_of_a_closer() -> None:
    """As a false claim: the closer who revokes pays the larger of both clauses."""
    told = "close KS-AS JH-QD"
    state = tell(new_hand(revoke_award="as_false_claim"), f"{told} AC-QH")
    assert [noted.breach for noted in state.breaches] == []

    state = tell(new_hand(revoke_award="as_false_claim"), "close AS-JS KC-AC AH-TC TH-KH")
    assert [noted.player for noted in state.breaches] == [SOUTH]
    assert outcome(tell(state, "N:revoke")) == ("north", 3, "revoke", "3.6")


def test_3_6_the_play_is_taken_back() -> None:
    """The wrong play and what came after is withdrawn, the right card is played, and the hand goes on."""
    state = tell(new_hand(revoke_award="take_back"), f"{REVOKE} S:revoke")

    assert state.led == play(SOUTH, "AH")
    assert state.to_play is NORTH
    assert state.seen == {Card.parse("AH")}
    assert state.closed_by is SOUTH
    assert [(noted.breach, noted.card, noted.taken_back) for noted in state.breaches] == [
        (Breach.REVOKE_NOT_FOLLOWED, Card.parse("KS"), True)
    ]
    state = tell(state, "KH AS-KS")
    assert len(state.breaches) == 1
    assert len(state.tricks) == 2
    assert check(state, RevokeCalled(SOUTH)) is Breach.CALLED_WITHOUT_REVOKE


def test_3_6_a_play_is_taken_back_twice() -> None:
    """Whoever revokes again in the same trick is found out again."""
    twice = f"{REVOKE} S:revoke JS AS-KH S:revoke"
    state = tell(new_hand(revoke_award="take_back"), twice)

    assert state.to_play is NORTH
    assert [(str(noted.card), noted.taken_back) for noted in state.breaches] == [("KS", True), ("JS", True)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [("AS-JS close KH-AH S:concede", ("north", 3)), ("JS-TS N:KC-AC S:close JC-QC S:concede", ("north", 2))],
)
def test_8_2_whoever_closed_may_throw_the_cards_in(told: str, expected: tuple[str, int]) -> None:
    """The claim will not come: it pays what it does once the cards are gone, by the tricks at the close."""
    state = tell(new_hand(), told)

    assert outcome(state) == (*expected, "failed_close", "8.2")
    assert state.over
    with pytest.raises(ImpossibleEvent, match="over"):
        tell(state, "S:concede")


def test_8_2_nobody_else_concedes() -> None:
    """A hand that nobody closed is given up, and pays nothing; nobody concedes for the closer."""
    with pytest.raises(ImpossibleEvent, match="south has not closed"):
        tell(new_hand(), "AS-JS S:concede")
    with pytest.raises(ImpossibleEvent, match="north has not closed"):
        tell(new_hand(), "AS-JS close N:concede")


def test_3_6_a_revoke_that_ended_the_hand_by_arithmetic_is_taken_back() -> None:
    """Nobody has claimed: the points that ended it were those of the revoke, and go with it."""
    events = "KS-AS AC-TC TS-JS close JC-QC TH-KD QS-JH"
    state = tell(new_hand(rules="beginner", dealer=SOUTH), events)
    assert state.ended

    state = apply(apply(state, HandShown(SOUTH, cards("KH"))), RevokeCalled(NORTH))

    assert not state.ended
    assert len(state.tricks) == 4
    assert state.led == play(NORTH, "TH")


def test_3_6_nothing_is_taken_back_after_a_claim() -> None:
    """The hand has ended; what was wrong in it stays a note."""
    state = tell(new_hand(revoke_award="take_back"), f"{REVOKE} claim")

    with pytest.raises(ImpossibleEvent, match="nothing can be taken back"):
        apply(state, RevokeCalled(SOUTH))


def test_3_7_a_call_without_a_proof() -> None:
    """Noted, and nothing follows."""
    state = tell(new_hand(), "close AH-KS S:revoke")

    assert [noted.breach for noted in state.breaches] == [Breach.CALLED_WITHOUT_REVOKE]
    assert not state.over


def test_3_5_cards_laid_open_after_the_end_prove_a_revoke() -> None:
    """The heart that was left in the hand proves it as a played one does, once."""
    state = tell(new_hand(), "close AH-KS claim")
    shown = apply(state, HandShown(NORTH, cards("QH KH JC TC")))

    assert shown.breaches == (
        NotedBreach(Breach.REVOKE_NOT_FOLLOWED, NORTH, 1, Card.parse("KS"), 2, Card.parse("QH")),
    )
    assert outcome(shown) == outcome(state)
    assert outcome(apply(shown, RevokeCalled(SOUTH))) == ("south", 3, "revoke", "3.6")


def test_5_8_a_marriage_that_was_not_held_comes_out_after_the_end() -> None:
    """The claim stood on a forty that was none: it pays as the false claim that it was."""
    state = tell(new_hand("TD"), "AS-TS AC-KC mD claim")
    assert outcome(state) == ("south", 3, "claim", "7.5")

    hand = apply(state, HandShown(SOUTH, cards("KD TH JH JS JC")))
    other = apply(state, HandShown(NORTH, cards("QD")))

    for each in (hand, other):
        assert [(noted.breach, str(noted.card)) for noted in each.breaches] == [
            (Breach.MARRIAGE_NOT_HELD, "QD")
        ]
        assert outcome(each) == ("north", 3, "false_claim", "7.6")
    honest = apply(state, HandShown(SOUTH, cards("KD QD JH JS JC")))
    assert (honest.breaches, outcome(honest)) == ((), outcome(state))


@pytest.mark.parametrize(
    ("told", "shown", "why"),
    [
        ("AH-KS", "QH", "after its end"),
        ("AH-KS claim", "QH QH", "twice"),
        ("AH-KS claim", "KS", "played before"),
        ("AH-KS claim", "9H", "not in a pack of 20"),
        ("AH-KS claim", "JD", "not in north's hand"),
        ("AH-KS claim", "QH QC QS TC TS TH", "only 5 cards"),
    ],
)
def test_10_2_what_cannot_be_laid_open(told: str, shown: str, why: str) -> None:
    """Only what may have been in that hand, and only after the end."""
    with pytest.raises(ImpossibleEvent, match=why):
        apply(tell(new_hand(), told), HandShown(NORTH, cards(shown)))


def test_2_4_strict_from_the_first_trick_with_hidden_hands() -> None:
    """A revoke before the last draw is proven by cards that were held since."""
    told = "close AH-KS AS-KH"

    assert [noted.trick for noted in tell(new_hand(rules="schnapsen_strict_follow"), told).breaches] == [1]
    open_stock = tell(new_hand(rules="schnapsen_strict_follow"), "AH-KS AS-KH")
    assert open_stock.breaches == ()


def test_5_1_the_declared_pair_in_a_pack_of_24() -> None:
    """Santase: no declaration, exchange or close on the first lead, all of them later."""
    state = new_hand("KD", rules="santase")
    marriage = MarriageDeclared(SOUTH, Suit.HEARTS)

    assert check(state, marriage) is Breach.MARRIAGE_ON_FIRST_LEAD
    assert check(state, Exchanged(SOUTH)) is Breach.EXCHANGE_ON_FIRST_LEAD
    assert check(state, Closed(SOUTH)) is Breach.CLOSE_ON_FIRST_LEAD
    state = tell(state, "AS-9S")
    assert {marriage, Exchanged(SOUTH), Closed(SOUTH)} <= set(legal_events(state))


def test_3_5_a_report_names_both_plays() -> None:
    """What was led, what was played on it, what turned up when, and what it pays when called now."""
    state = tell(new_hand(), REVOKE)

    (found,) = revokes_found(state)

    assert (found.player, found.duty, found.trick) == (NORTH, Breach.REVOKE_NOT_FOLLOWED, 1)
    assert [str(each) for each in (found.led, found.played, found.shown)] == ["AH", "KS", "KH"]
    assert found.shown_in == 2
    assert found.award is not None
    assert (found.award.winner, found.award.game_points) == (SOUTH, 3)


def test_3_5_a_report_of_a_play_taken_back() -> None:
    """It pays nothing, before and after."""
    before = tell(new_hand(revoke_award="take_back"), REVOKE)
    after = tell(before, "S:revoke")

    assert [(each.award, each.taken_back) for each in revokes_found(before)] == [(None, False)]
    assert [(each.award, each.taken_back) for each in revokes_found(after)] == [(None, True)]
    assert [str(each.led) for each in (*revokes_found(before), *revokes_found(after))] == ["AH", "AH"]


def test_3_5_a_report_is_of_revokes_only() -> None:
    """Another broken rule is none; one that is known at once names what was led in that very trick."""
    hands = cards("KH QH AS TS TD"), cards("AH TH JH KS QS")
    stock = cards("AD KD QD AC TC KC QC JC JS JD")
    state = tell(deal(preset("schnapsen"), NORTH, None, hands, stock), "mC close KH-KS")
    assert len(state.breaches) > 1

    (found,) = revokes_found(state)

    assert [str(each) for each in (found.led, found.played, found.shown)] == ["KH", "KS", "None"]
