"""How people at kitchen tables close, exchange, show a marriage, and what else lies about."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from further import further

from companion.rules.cards import PACK_24, Card, Player, Suit
from companion.rules.events import CardPlayed, Closed, Exchanged, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.detection import BACK
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH, Reach

RULES = preset("schnapsen")
SOUTH, NORTH = Player


def begun() -> Acted:
    """South has dealt, and north has won the first trick."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    return table


def ended(table: Acted, last: str = "AS") -> Acted:
    """North wins the rest of the hand that it needs, and says so."""
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, last, "JS")
    table.claim(NORTH)
    return table


@pytest.mark.parametrize("gap", [0.0, 0.6, 1.5])
def test_whoever_leads_and_closes_in_one_motion_closed_before_the_lead(gap: float) -> None:
    """Ace, and closed: the turn-up leaves when the lead lies already, before the answer."""
    table = begun()
    table.play(NORTH, "AC")
    table.wait(gap)
    table.close(NORTH, before_lead=True)
    table.play(SOUTH, "QC")
    table.gather()
    assert ended(table).watched() == (table.truth, [])


@pytest.mark.parametrize("at_edge", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_stock_may_be_pushed_over_the_turn_up_to_close_it(seed: int, at_edge: bool) -> None:
    """Also where a turn-up that had been pushed along with it would lie outside the picture.

    A sleeve may have pushed it there, too: it is told as closed, and asked.
    """
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH", at_edge=at_edge)
    table.trick(NORTH, "TC", "JC")
    table.close_by_covering(NORTH)
    table.trick(NORTH, "AC", "QC")
    told, asked = ended(table).watched()
    assert told == table.truth
    (question,) = asked
    assert question.text == "what_happened"
    assert {Closed(NORTH), CardPlayed(NORTH, Card.parse("AC"))} <= set(question.options)


@pytest.mark.parametrize("gap", [0.0, 0.3])
@pytest.mark.parametrize("seed", [0, *further(1, 2)])
def test_a_close_instead_of_the_last_draw_may_be_answered_at_once(seed: int, gap: float) -> None:
    """Before the turn-up is missed the trick after which it would have been drawn is over."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    for lead, answer in (("TC", "JC"), ("TD", "JD"), ("AC", "QC"), ("QD", "JS")):
        table.trick(NORTH, lead, answer)
    table.close(NORTH)
    table.time -= 1.0
    for lead, answer in (("AS", "QS"), ("AH", "QH")):
        table.throw(NORTH, lead)
        table.wait(gap)
        table.throw(SOUTH, answer)
        table.wait(0.9)
        table.gather()
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("shuffles_s", [1.2, *further(2.0, 3.0)])
def test_the_same_card_may_be_turned_up_again_right_after_the_table_was_swept(shuffles_s: float) -> None:
    """It lies where it lay, and looks the same: the next hand has begun all the same."""
    table = begun()
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH, shuffles_s=shuffles_s)
    table.deal(NORTH, "KH")
    for lead, answer in (("TC", "JC"), ("AH", "TH"), ("AC", "QC")):
        table.trick(SOUTH, lead, answer)
    table.claim(SOUTH)
    assert table.watched() == (table.truth, [])


class Hasty(Acted):
    """Arms that are gone in half a second."""

    def _reach(self, player: Player, at: tuple[float, float], seconds: float) -> None:
        super()._reach(player, at, min(seconds, 0.55))


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3)])
def test_a_close_is_seen_beside_arms_that_hardly_ever_leave_the_picture(seed: int) -> None:
    """Whoever has closed plays the rest down: two seconds a trick, one arm after another."""
    table = Hasty(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    table.close(NORTH)
    table.time -= 1.2
    for lead, answer in (("AC", "QC"), ("AH", "TH"), ("AS", "JS"), ("AD", "QD")):
        table.throw(NORTH, lead)
        table.wait(0.15)
        table.throw(SOUTH, answer)
        table.wait(0.15)
        table.gather()
        table.time -= 0.9
    table.claim(NORTH)
    assert table.watched(fps=10.0) == (table.truth, [])  # fewer frames miss what is quick, and it is asked


@pytest.mark.parametrize("gone_s", [1.0, 2.4])
@pytest.mark.parametrize("player", Player)
def test_a_turn_up_that_is_lifted_and_put_back_was_not_turned_down(player: Player, gone_s: float) -> None:
    """Looked at, or drawn by mistake."""
    table = begun()
    table.lift_turn_up(player, gone_s)
    assert ended(table).watched() == (table.truth, [])


@pytest.mark.parametrize("played", [True, False])
def test_an_exchange_with_the_lead_on_the_table_came_before_it(played: bool) -> None:
    """The jack is remembered late: asked once, whether the card that was taken is played or not."""
    table = begun()
    table.play(NORTH, "AC")
    table.exchange(NORTH, before_lead=True)
    table.play(SOUTH, "QC")
    table.gather()
    if played:
        table.trick(NORTH, "KH", "QH")
    told, asked = ended(table).watched()
    assert len(asked) == 1
    assert Exchanged(NORTH) in asked[0].options
    assert told == table.truth


@pytest.mark.parametrize("claimed", [True, False])
@pytest.mark.parametrize("between", [0.0, 2.5, *further(1.2, 4.0)])
def test_the_turn_up_may_be_taken_before_the_jack_is_laid(between: float, claimed: bool) -> None:
    """The stock without it was not closed: the jack tells where it went, also right before a claim."""
    table = begun()
    table.trick(NORTH, "AS", "QS")
    table.exchange(NORTH, between=between)
    if claimed:
        table.claim(NORTH)
    else:
        table.trick(NORTH, "AC", "QC")
        ended(table, "TS")
    told, asked = table.watched()
    assert told == table.truth
    assert len(asked) <= (between > 2)


def test_an_exchange_under_an_arm_that_rests_there_is_asked_about() -> None:
    """Before the last draw it is seen only once both cards of the next trick lie there."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    for lead, answer in (("TC", "JC"), ("TD", "JD"), ("AD", "QD"), ("KC", "QC")):
        table.trick(NORTH, lead, answer)
    rests = Reach(SOUTH, table.turn_up_at, table.time, table.time + 5.4)
    table.show.reaches.append(rests)
    table.exchange(NORTH)
    table.throw(NORTH, "AS")
    table.wait(1.0)
    table.throw(SOUTH, "QS")
    table.wait(max(0.0, rests.end - table.time) + 1.0)
    table.gather()
    table.trick(NORTH, "AC", "KS")
    table.trick(NORTH, "AH", "TH")
    table.claim(NORTH)
    _, asked = table.watched()
    assert Exchanged(NORTH) in asked[0].options


@pytest.mark.parametrize("after", [True, False])
def test_a_marriage_may_lie_there_until_the_trick_is_taken(after: bool) -> None:
    """The kept card is taken up with the trick or a second before: which one it is shows which was led."""
    table = Acted(RULES)
    table.deal(NORTH, "JD")
    table.trick(SOUTH, "AC", "JC")
    kept = table.show_pair(SOUTH, "QH", "KH")
    table.play(NORTH, "JS")
    if not after:
        table.take_up(SOUTH, kept)
        table.wait(1.0)
    table.gather((SOUTH, kept) if after else None)
    table.trick(SOUTH, "AS", "QS")
    table.trick(SOUTH, "KH", "TH")
    table.trick(NORTH, "KC", "TC")
    table.claim(SOUTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seen", [(True, True), (False, False), (True, False)])
def test_a_lone_turn_up_is_a_deal_in_any_hand(seen: tuple[bool, bool]) -> None:
    """Its stock lies under it, or is not known as a back: the second hand is found like the first."""
    table = Acted(RULES)
    for dealer, up, stock_seen in ((SOUTH, "KH", seen[0]), (NORTH, "KD", seen[1])):
        table.deal(dealer, up, stock_seen=stock_seen)
        table.trick(dealer.other, "TC", "JC")
        table.trick(dealer.other, "AC", "TS")
        table.trick(dealer.other, "AH", "TH")
        table.trick(dealer.other, "AS", "QS")
        table.claim(dealer.other)
    assert table.watched() == (table.truth, [])


def in_a_corner(table: Acted) -> tuple[float, float]:
    """Where nobody plays, on the side away from the stock."""
    return (110.0, 120.0) if not table.left else (1170.0, 120.0)


def where_the_pile_is(table: Acted) -> tuple[float, float]:
    """Beside north's pile."""
    return (1000.0, 130.0) if table.left else (280.0, 130.0)


@pytest.mark.parametrize("place", [in_a_corner, where_the_pile_is])
def test_a_pack_laid_down_in_mid_hand_hides_no_deal(place: Callable[[Acted], tuple[float, float]]) -> None:
    """A second pack, or a case that looks like one: it stays for the evening."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    pack = table.lay(BACK, *place(table), NORTH)
    table.trick(NORTH, "AC", "TS")
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "QS")
    table.claim(NORTH, pack)
    for dealer, up, last in ((NORTH, "KD", "TS"), (SOUTH, "KS", "TD")):
        table.deal(dealer, up)
        table.trick(dealer.other, "AC", "QC")
        table.trick(dealer.other, "AH", "TH")
        table.trick(dealer.other, "AS", "JS")
        table.trick(dealer.other, "TC", last)
        table.claim(dealer.other, pack)
    assert table.watched() == (table.truth, [])


def only_hand_is_read(table: Acted) -> None:
    """North deals and south wins four tricks: that is told, nothing else, and nothing is asked."""
    table.deal(NORTH, "KH")
    table.trick(SOUTH, "TC", "JC")
    table.trick(SOUTH, "AC", "TS")
    table.trick(SOUTH, "AH", "TH")
    table.trick(SOUTH, "AS", "QS")
    table.claim(SOUTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("beside", [0.0, 110.0])
def test_cards_cut_for_the_deal_are_no_hand(beside: float) -> None:
    """Before the first hand each turns up a card of the pack, in the middle or where the stock will lie."""
    table = Acted(RULES)
    x = WIDTH / 2 + (beside and (-340.0 if table.left else 340.0))
    towards = 1.0 if table.left else -1.0
    table.wait(0.5)
    pack = table.lay(BACK, x, HEIGHT / 2, SOUTH)
    table.wait(1.5)
    one = table.lay(PACK_24.index(Card.parse("KD")), x + towards * max(60, beside), HEIGHT / 2 + 90, SOUTH)
    table.wait(1.5)
    other = table.lay(PACK_24.index(Card.parse("TC")), x + towards * max(60, beside), HEIGHT / 2 - 90, NORTH)
    table.wait(2.0)
    table.take_up(SOUTH, one)
    other.end = pack.end = one.end
    table.wait(6.0)
    only_hand_is_read(table)


@pytest.mark.parametrize("lay_s", [0.4, 0.6])
def test_cards_that_show_while_somebody_shuffles_are_no_hand(lay_s: float) -> None:
    """The bottom card of the pack is turned to the camera, again and again: nothing is asked."""
    table = Acted(RULES)
    for name, x in (("JS", -30), ("AD", 20), ("KC", 0), ("TD", 30)):
        shown = table.lay(PACK_24.index(Card.parse(name)), WIDTH / 2 + x, HEIGHT - 130, SOUTH)
        table.wait(max(0.0, lay_s - 0.4))
        shown.end = shown.start + lay_s
    table.wait(1.5)
    only_hand_is_read(table)


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3)])
def test_an_answer_may_hide_the_lead(seed: int) -> None:
    """Laid exactly on it: nothing of the lead is seen, and nobody has taken it back."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    for lead, answer in (("TC", "JC"), ("AC", "TS"), ("AH", "TH"), ("AS", "JS")):
        table.play(NORTH, lead)
        table.cover(SOUTH, answer)
        table.gather()
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3)])
def test_whoever_takes_a_lead_back_may_lay_another_just_there(seed: int) -> None:
    """It comes from the same side: that is no answer."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.play(NORTH, "TC")
    table.lay_instead(NORTH, "AC")
    table.play(SOUTH, "JC")
    table.gather()
    table.trick(NORTH, "TC", "TS")
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    told, asked = table.watched()
    assert told == table.truth
    assert len(asked) <= 1


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3)])
@pytest.mark.parametrize("before_self", [True, False])
def test_the_turn_up_may_be_laid_aside_while_it_is_exchanged(seed: int, before_self: bool) -> None:
    """Drawn out with the hand that then puts the jack in its place: it was neither led nor turned down."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    x, y = table.turn_up_at
    aside = (WIDTH / 2, HEIGHT / 2 - 110) if before_self else (x + (140 if table.left else -140), y + 60)
    table.exchange_aside(NORTH, *aside)
    ended(table, "AS")
    assert table.watched() == (table.truth, [])


def test_the_exchanged_turn_up_may_be_led_at_once() -> None:
    """It lay aside, was taken up, and comes back to the table as a card like any other."""
    table = begun()
    table.exchange_aside(NORTH, WIDTH / 2, HEIGHT / 2 - 110)
    table.trick(NORTH, "KH", "QH")
    ended(table, "AS")
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3)])
def test_the_turn_up_may_be_led_from_where_it_lay(seed: int) -> None:
    """It goes to no hand: it was exchanged all the same, and what was turned up is known."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    table.exchange_and_lead(NORTH)
    table.play(SOUTH, "TH")
    table.gather()
    table.trick(SOUTH, "AS", "JS")
    table.claim(SOUTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3)])
def test_the_turn_up_may_be_shown_with_its_partner_from_where_it_lay(seed: int) -> None:
    """King and queen are a marriage though the king never was in a hand, which only the exchange allows."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    table.exchange_and_lead(NORTH)
    queen = table.lay(Card.parse("QH").index, WIDTH / 2 + 112, HEIGHT / 2 - 20, NORTH)
    table.truth[-1].insert(-1, MarriageDeclared(NORTH, Suit.HEARTS))
    table.wait(1.2)
    table.take_up(NORTH, queen)
    table.wait(0.8)
    table.play(SOUTH, "TH")
    table.gather()
    table.trick(SOUTH, "AS", "JS")
    table.claim(SOUTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", [1, 2, *further(0, 3)])
def test_the_jack_may_lie_ready_before_the_trick_is_gathered(seed: int) -> None:
    """Beside the turn-up, for seconds: it was no lead, and nothing is asked."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.play(NORTH, "TC")
    table.play(SOUTH, "KC")
    x, y = table.turn_up_at
    ready = table.lay(PACK_24.index(Card.parse("JH")), x, y + 150.0, NORTH)
    table.wait(0.8)
    table.gather()
    ready.end = table.time + 0.5
    table.exchange(NORTH)
    table.trick(NORTH, "AC", "QC")
    assert ended(table, "AS").watched() == (table.truth, [])


@pytest.mark.parametrize("cards", ["TC JC AC QC", "TC JC AC QC TD JD"])
@pytest.mark.parametrize("seed", range(2))
def test_won_tricks_may_be_looked_through_in_mid_hand(seed: int, cards: str) -> None:
    """Whoever is on lead might count them, having 66; the hand goes on, and what is played next is heard."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    for lead, answer in (("TC", "JC"), ("AC", "QC"), ("TD", "JD")):
        table.trick(NORTH, lead, answer)
    table.look_through(NORTH, *cards.split())
    told, _ = ended(table).watched()
    assert told == table.truth


def test_won_tricks_may_be_looked_through_before_a_marriage() -> None:
    """King and queen laid then are no hand that is laid open either."""
    table = begun()
    for lead, answer in (("AC", "QC"), ("TD", "JD")):
        table.trick(NORTH, lead, answer)
    table.look_through(NORTH, "JC", "TC", "QC", "AC")
    kept = table.show_pair(NORTH, "QS", "KS")
    table.play(SOUTH, "JS")
    table.gather(then=(NORTH, kept))
    table.trick(NORTH, "KS", "KD")
    table.claim(NORTH)
    told, _ = table.watched()
    assert told == table.truth
