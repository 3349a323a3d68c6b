"""docs/score-sheets.md, clause by clause, with figures that can be checked by hand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from table_talk import Pencil

from companion.rules.cards import Player
from companion.rules.event_form import RecordError
from companion.rules.match import Match
from companion.rules.points import Award, PointRange
from companion.rules.ruleset import preset
from companion.sheets.agreement import GAMES, Agreement, Contract, usual
from companion.sheets.fault import SheetError


@contextlib.contextmanager
def refused(reason: str) -> Iterator[None]:
    """A refusal with that key, and a sentence."""
    with pytest.raises(SheetError, match=r"^[A-Z0-9'].*\.$") as caught:
        yield
    assert caught.value.reason == reason


SEATS = {"zweier": 2, "bauern": 4, "dreier": 3, "negyes": 4, "harmas": 3, "rotation": 3, "tute": 2}


@pytest.mark.parametrize("game", GAMES)
def test_1_1_every_game_has_its_seats(game: str) -> None:
    """Clause 1.1: four, three, four, three, three and two play."""
    assert usual(game).seats == SEATS[game]


def test_1_2_partners_share_a_column() -> None:
    """Clause 1.2: opposite partners have one account; called and solo players have one each."""
    assert usual("bauern").accounts == ((0, 2), (1, 3))
    assert usual("negyes").accounts == ((0,), (1,), (2,), (3,))
    assert Pencil("negyes", partners="opposite").sheet.agreement.accounts == ((0, 2), (1, 3))
    assert usual("dreier").accounts == ((0,), (1,), (2,))


@pytest.mark.parametrize(
    ("game", "partners"), [("bauern", "called"), ("dreier", "opposite"), ("tute", "called")]
)
def test_1_2_partners_that_the_game_does_not_have_are_refused(game: str, partners: str) -> None:
    """Clause 1.2: only Négyes leaves a choice."""
    with pytest.raises(RecordError, match="partners"):
        Pencil(game, partners=partners)


def test_1_3_with_rotation_the_dealer_sits_out() -> None:
    """Clause 1.3: the two others play; whoever does not win loses to the other, never to the dealer."""
    pencil = Pencil("rotation")
    pencil.game(1, 2)
    assert pencil.totals == (0, 2, 0)
    with refused("sits_out"):
        pencil.game(1, 1)
    pencil.game(0, 3, won=False)
    assert pencil.totals == (0, 2, 3)


def test_1_4_the_deal_goes_around_the_table() -> None:
    """Clause 1.4: the next deals; a named dealer deals once, and the deal goes on from there."""
    pencil = Pencil("bauern")
    dealers = []
    for _ in range(5):
        dealers.append(pencil.sheet.next_dealer)
        pencil.game(0, 1)
    assert dealers == [0, 1, 2, 3, 0]
    pencil.say("dealer", dealer=3)
    assert pencil.sheet.next_dealer == 3
    assert pencil.game(0, 1).next_dealer == 0


VALUES = {
    "game": (1, 2, 3),
    "bettler": (4, 5),
    "schnapser": (6,),
    "gang": (9,),
    "zehnergang": (10,),
    "bauernschnapser": (12,),
    "kontraschnapser": (12,),
    "farbenringerl": (18,),
    "kontrabauernschnapser": (24,),
    "herrenschnapser": (24,),
}


@pytest.mark.parametrize("game", ["bauern", "dreier", "negyes", "harmas"])
def test_2_1_the_usual_table(game: str) -> None:
    """Clause 2.1: the values commonly written, for every game for three and four."""
    assert {each.name: each.values for each in usual(game).contracts} == VALUES


def test_2_2_the_table_can_be_changed() -> None:
    """Clause 2.2: other values and contracts of one's own; what the table has not is refused."""
    pencil = Pencil("bauern")
    with refused("no_contract"):
        pencil.contract("Oma", 0)
    pencil.say("contracts", contracts=[{"name": "gang", "values": [8]}, {"name": "Oma", "values": [7]}])
    pencil.contract("Oma", 0)
    pencil.contract("gang", 1)
    assert pencil.totals == (7, 8)
    with refused("no_contract"):
        pencil.game(0, 1)
    with refused("not_in_table"):
        pencil.contract("gang", 1, worth=9)


def test_2_3_what_is_written_keeps_its_worth() -> None:
    """Clause 2.3: another table changes no hand; a correction is worth what the table says then."""
    pencil = Pencil("dreier")
    line = pencil.contract("gang", 0).lines[0].seq
    pencil.say("contracts", contracts=[{"name": "gang", "values": [10]}])
    assert pencil.totals == (9, 0, 0)
    pencil.say("correct", line=line, hand={"contract": "gang", "player": 0, "won": True})
    assert pencil.totals == (10, 0, 0)


@pytest.mark.parametrize(("doubling", "points"), [(1, 6), (2, 12), (4, 24), (8, 48)])
def test_2_4_spritzen_multiplies(doubling: int, points: int) -> None:
    """Clause 2.4: once, twice and three times doubled."""
    pencil = Pencil("bauern")
    pencil.contract("schnapser", 2, doubling=doubling)
    assert pencil.totals == (points, 0)


@pytest.mark.parametrize("doubling", [0, 3, 16])
def test_2_4_only_agreed_doublings_count(doubling: int) -> None:
    """Clause 2.4: by 3 nobody doubles, by 16 only where it was agreed; two-handed hands are not doubled."""
    with refused("doubling"):
        Pencil("bauern").contract("gang", 0, doubling=doubling)
    with refused("doubling"):
        Pencil("rotation").game(1, 1, doubling=2)
    agreed = Pencil("bauern", doublings=[1, 2, 4, 8, 16])
    agreed.game(0, 1, doubling=16)
    assert agreed.totals == (16, 0)


def test_2_5_partners_win_and_lose_together() -> None:
    """Clause 2.5: who made the contract scores its value, otherwise the other side does."""
    pencil = Pencil("bauern")
    pencil.contract("schnapser", 3)
    pencil.contract("gang", 2, won=False)
    assert pencil.totals == (0, 15)
    pencil.game(0, 3)
    assert pencil.totals == (3, 15)


@pytest.mark.parametrize("game", ["dreier", "harmas"])
def test_2_5_a_soloist_loses_to_both(game: str) -> None:
    """Clause 2.5: alone against two, the value is his, or each of the two has it."""
    pencil = Pencil(game)
    pencil.contract("schnapser", 1)
    assert pencil.totals == (0, 6, 0)
    pencil.contract("bettler", 1, won=False, worth=5)
    assert pencil.totals == (5, 6, 5)


def test_2_6_a_called_partner_wins_with_the_caller() -> None:
    """Clause 2.6: two against two, or one against three when nobody was called."""
    pencil = Pencil("negyes")
    pencil.game(0, 2, partner=3)
    assert pencil.totals == (2, 0, 0, 2)
    pencil.game(0, 1, won=False, partner=1)
    assert pencil.totals == (2, 0, 1, 3)
    pencil.contract("gang", 2, won=False)
    assert pencil.totals == (11, 9, 1, 12)


def test_2_6_partners_that_cannot_be() -> None:
    """Clause 2.6: oneself, somebody who is not there, or anybody where partners are fixed."""
    with refused("own_partner"):
        Pencil("negyes").game(1, 1, partner=1)
    with refused("no_player"):
        Pencil("negyes").game(1, 1, partner=4)
    for pencil in (Pencil("bauern"), Pencil("dreier"), Pencil("negyes", partners="opposite")):
        with refused("no_partner"):
            pencil.game(1, 1, partner=2)


@pytest.mark.parametrize(
    ("game", "target"), [("zweier", 7), ("bauern", 24), ("dreier", 24), ("rotation", 7), ("tute", 101)]
)
def test_3_1_the_usual_targets(game: str, target: int) -> None:
    """Clause 3.1: 24 for three and four, 7 where two play, 101 in Tute; any other can be agreed."""
    assert usual(game).target == target
    assert Pencil(game, target=11).sheet.agreement.target == 11


def test_3_1_any_target_up_to_999_can_be_agreed_on() -> None:
    """From a single point on; what is none, or too long for a sheet, is refused with the limit."""
    assert [Pencil("zweier", target=target).sheet.agreement.target for target in (1, 999)] == [1, 999]
    for target in (0, 1000):
        with refused("target"):
            replace(usual("zweier"), target=target)


def test_3_1_reaching_or_passing_the_target_wins() -> None:
    """Clause 3.1: 23 is not enough, 24 wins, and so does more."""
    exact, beyond = Pencil("bauern"), Pencil("bauern")
    for pencil in (exact, beyond):
        pencil.contract("farbenringerl", 0)
        pencil.contract("bettler", 1, won=False, worth=5)
        assert pencil.sheet.tally.scores[-1].ended is None
    exact.game(0, 1)
    beyond.contract("herrenschnapser", 2)
    for pencil in (exact, beyond):
        assert pencil.sheet.tally.scores[-1].ended.winners == (0,)


def test_3_2_counting_down_is_the_same_match_shown_the_other_way() -> None:
    """Clause 3.2: 24 falls to 0 and not below; who wins is the same."""
    up, down = Pencil("bauern"), Pencil("bauern", count="down")
    shown = []
    for pencil in (up, down):
        pencil.contract("farbenringerl", 0)
        pencil.contract("gang", 0)
        tally = pencil.sheet.tally
        shown.append((pencil.sheet.agreement.shown(tally.totals), tally.scores[-1].ended.winners))
    assert shown == [((27, 0), (0,)), ((0, 24), (0,))]


def test_3_3_several_who_reach_the_target_together_all_win() -> None:
    """Clause 3.3: both opponents of a lost solo reach 24; only the soloist is charged."""
    pencil = Pencil("dreier")
    pencil.contract("farbenringerl", 0)
    pencil.contract("farbenringerl", 1)
    pencil.game(1, 2)
    pencil.contract("gang", 2, won=False)
    assert pencil.totals == (27, 29, 0)
    ended = pencil.sheet.tally.scores[-1].ended
    assert (ended.winners, ended.charged) == ((0, 1), (0, 0, 2))


def test_3_3_or_whoever_has_most() -> None:
    """Clause 3.3: `most` lets only the higher win; equal ones share; nobody wins while all would."""
    pencil = Pencil("tute", target=60)
    pencil.tute(65, last_trick=1)
    assert pencil.totals == (65, 65)
    assert pencil.sheet.tally.scores[-1].ended is None
    pencil.tute(70, last_trick=0)
    assert pencil.totals == (145, 115)
    assert pencil.sheet.tally.scores[-1].ended.winners == (0,)


def test_3_4_the_next_hand_begins_the_next_match() -> None:
    """Clause 3.4: points start anew, marks stay, hands are numbered anew."""
    pencil = Pencil("bauern")
    pencil.contract("herrenschnapser", 0)
    assert pencil.totals == (24, 0)
    pencil.game(1, 2)
    score = pencil.sheet.tally.scores[-1]
    assert (score.match, score.number, pencil.totals, pencil.marks) == (2, 1, (0, 2), (0, 2))


def test_3_5_the_loser_is_charged_one_mark() -> None:
    """Clause 3.5: a match lost with points costs 1."""
    pencil = Pencil("bauern")
    pencil.game(1, 1)
    pencil.contract("herrenschnapser", 0)
    assert pencil.marks == (0, 1)


def test_3_6_schneider_costs_two() -> None:
    """Clause 3.6: without a point 2."""
    pencil = Pencil("bauern")
    pencil.contract("herrenschnapser", 1)
    assert pencil.marks == (2, 0)
    assert pencil.sheet.tally.scores[-1].ended.kinds == ("schneider", "won")


@pytest.mark.parametrize("before", [[], [(1, 2)], [(1, 3), (1, 3)]])
def test_3_6_two_who_play_are_charged_as_under_the_camera(before: list[tuple[int, int]]) -> None:
    """Clause 3.6: whatever the loser had, the sheet and a match by the usual rules charge the same."""
    unseen = PointRange(0, 120)
    pencil, match = Pencil("zweier"), Match(preset("schnapsen"), Player.SOUTH)
    for winner, worth in (*before, (0, 3), (0, 3), (0, 1)):
        pencil.game(winner, worth)
        match = match.with_award(Award(Player(winner), worth, "claim", "7.5", (unseen, unseen)))
    assert pencil.sheet.tally.scores[-1].ended.winners == (0,)
    assert pencil.marks == match.bummerl_marks == (0, 1)


def test_3_6_two_who_play_may_agree_on_two() -> None:
    """Clause 3.6: as with the modifier `schneider_bummerl` at the camera."""
    pencil = Pencil("zweier", marks=[1, 2, 1])
    for worth in (3, 3, 1):
        pencil.game(0, worth)
    assert pencil.marks == (0, 2)


def test_3_7_retourschneider_costs_four() -> None:
    """Clause 3.7: 23 to 0, and yet lost: 4; at 23 to 1, or from 22 to 0, it is an ordinary loss."""
    led, met, short = Pencil("bauern"), Pencil("bauern"), Pencil("bauern")
    for pencil in (led, met, short):
        pencil.contract("farbenringerl", 0)
    met.game(1, 1)
    for pencil in (led, met):
        pencil.contract("bettler", 0, worth=5)
    short.contract("bettler", 0, worth=4)
    for pencil in (led, met, short):
        pencil.contract("herrenschnapser", 1)
    assert (led.marks, met.marks, short.marks) == ((4, 0), (1, 0), (1, 0))
    assert led.sheet.tally.scores[-1].ended.kinds == ("retour", "won")


def test_3_7_the_lead_is_remembered_for_its_match_only() -> None:
    """Clause 3.7: 23 to 0, then 23 to 3, then lost: 4 all the same; in the next match it is forgotten."""
    pencil = Pencil("bauern")
    pencil.contract("farbenringerl", 0)
    pencil.contract("bettler", 0, worth=5)
    pencil.game(1, 3)
    pencil.contract("herrenschnapser", 1)
    assert pencil.marks == (4, 0)
    pencil.game(0, 1)
    pencil.contract("herrenschnapser", 1)
    assert pencil.marks == (5, 0)


def test_3_7_with_accounts_of_ones_own_all_others_must_have_nothing() -> None:
    """Clause 3.7: alone at 23, both others at 0; then both others win their points."""
    pencil = Pencil("dreier")
    pencil.contract("farbenringerl", 0)
    pencil.contract("bettler", 0, worth=5)
    pencil.contract("herrenschnapser", 1)
    assert pencil.marks == (4, 0, 2)


def test_3_8_what_a_match_costs_can_be_agreed() -> None:
    """Clause 3.8: other marks, as a table likes."""
    pencil = Pencil("bauern", marks=[1, 1, 3])
    pencil.contract("herrenschnapser", 1)
    assert pencil.marks == (1, 0)


def test_4_1_tute_counts_cards_and_ten_for_the_last_trick() -> None:
    """Clause 4.1: 120 in the cards, 10 for the last trick; the other's count goes without saying."""
    pencil = Pencil("tute")
    pencil.tute(77, last_trick=0)
    assert pencil.totals == (87, 43)
    pencil.say("undo")
    pencil.tute(None, 50, last_trick=1)
    assert pencil.totals == (70, 60)


def test_4_2_songs_count() -> None:
    """Clause 4.2: one 40, three 20s."""
    pencil = Pencil("tute")
    pencil.tute(60, last_trick=1, songs=[[40, 20], [20, 20]])
    assert pencil.totals == (120, 110)


def test_4_3_four_kings_win_the_match() -> None:
    """Clause 4.3: whatever the points; the other is charged."""
    pencil = Pencil("tute")
    pencil.tute(80, last_trick=0)
    pencil.tute(5, 0, tute=1)
    ended = pencil.sheet.tally.scores[-1].ended
    assert (ended.winners, pencil.marks) == ((1,), (1, 0))


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"cards": [77, 44], "last_trick": 0}, "cards_sum"),
        ({"cards": [77, 20], "last_trick": 0}, "cards_sum"),
        ({"cards": [77, 44]}, "cards_many"),
        ({"cards": [77, None]}, "no_last_trick"),
        ({"cards": [120, 0]}, "no_last_trick"),
        ({"cards": [130, None], "last_trick": 0}, "cards_many"),
        ({"cards": [1, None], "last_trick": 0}, "cards_range"),
        ({"cards": [119, None], "last_trick": 0}, "cards_range"),
        ({"cards": [60, None], "last_trick": 0, "songs": [[40], [40]]}, "forty_twice"),
        ({"cards": [60, None], "last_trick": 0, "songs": [[20, 20], [20, 20]]}, "twenties"),
        ({"cards": [60, None], "last_trick": 0, "songs": [[30], []]}, "songs"),
        ({"cards": [60, None], "last_trick": 0, "songs": [[20, 40], []]}, "songs"),
        ({"cards": [10, 0], "tute": 1, "songs": [[20], []]}, "tute_songs"),
        ({"cards": [60, None], "last_trick": 2}, "no_player"),
        ({"cards": [60, None], "last_trick": 0, "tute": 2}, "no_player"),
        ({"cards": [60, None], "last_trick": 0, "dealer": 2}, "no_player"),
    ],
)
def test_4_4_what_cannot_have_been_counted_is_refused(told: dict, reason: str) -> None:
    """Clause 4.4: each impossible count with a sentence of its own, and nothing is written."""
    pencil = Pencil("tute")
    with refused(reason):
        pencil.say("hand", hand=told)
    assert pencil.sheet.lines == ()


def test_4_4_a_hand_that_was_broken_off_has_fewer_points() -> None:
    """Clause 4.4: without a last trick the counts may stay below 120."""
    pencil = Pencil("tute")
    pencil.tute(40, 30, songs=[[40], []])
    assert pencil.totals == (80, 30)


def test_5_1_undo_takes_back_one_entry_after_the_other() -> None:
    """Clause 5.1: hands, corrections, names, a closing; until nothing is left but the open sheet."""
    pencil = Pencil("bauern")
    before = [pencil.sheet]
    line = pencil.game(0, 1).lines[0].seq
    before.append(pencil.sheet)
    pencil.say("correct", line=line, hand=None)
    before.append(pencil.sheet)
    pencil.say("rename", names=["Eva", "", "", ""])
    before.append(pencil.sheet)
    pencil.say("close")
    for old in reversed(before):
        pencil.say("undo")
        assert (pencil.sheet.lines, pencil.sheet.names) == (old.lines, old.names)
        assert (pencil.sheet.closed, pencil.totals) == (old.closed, old.tally.totals)
    with refused("nothing_to_undo"):
        pencil.say("undo")


def test_5_2_any_earlier_hand_can_be_corrected() -> None:
    """Clause 5.2: everything after it is counted anew; what stood before stays to be seen."""
    pencil = Pencil("bauern")
    first = pencil.contract("farbenringerl", 0).lines[0]
    pencil.contract("schnapser", 0)
    pencil.game(1, 2)
    assert (pencil.totals, pencil.marks) == ((0, 2), (0, 2))
    pencil.say("correct", line=first.seq, hand={"contract": "farbenringerl", "player": 0, "won": False})
    assert (pencil.totals, pencil.marks) == ((6, 20), (0, 0))
    line = pencil.sheet.lines[0]
    assert line.was == (first.hand,)
    assert line.hand.dealer == first.hand.dealer
    pencil.say("correct", line=first.seq, hand=None)
    assert pencil.sheet.lines[0].was == (first.hand, line.hand)


def test_5_2_a_hand_is_struck_out_and_comes_back() -> None:
    """Clause 5.2: it counts for nothing and stays visible; a correction makes it count again."""
    pencil = Pencil("dreier")
    line = pencil.contract("gang", 0).lines[0].seq
    pencil.contract("schnapser", 1)
    pencil.say("correct", line=line, hand=None)
    assert (pencil.totals, len(pencil.sheet.lines), pencil.sheet.tally.scores[0].number) == ((0, 6, 0), 2, 1)
    pencil.say("correct", line=line, hand={"contract": "gang", "player": 2, "won": True})
    assert (pencil.totals, pencil.sheet.lines[0].hand.dealer) == ((0, 6, 9), 0)


def test_5_2_corrections_that_are_none() -> None:
    """Clause 5.2: of a hand that is not there, to what stands already, to what cannot have been."""
    pencil = Pencil("bauern")
    line = pencil.game(0, 1).lines[0].seq
    with refused("no_line"):
        pencil.say("correct", line=line + 1, hand=None)
    with refused("no_change"):
        pencil.say("correct", line=line, hand={"contract": "game", "player": 0, "won": True, "worth": 1})
    with refused("no_player"):
        pencil.say("correct", line=line, hand={"contract": "game", "player": 4, "won": True, "worth": 1})


def test_5_3_two_phones_do_not_write_one_hand_twice() -> None:
    """Clause 5.3: what was said of an older state is refused."""
    pencil = Pencil("bauern")
    seen = pencil.sheet.seq
    pencil.game(0, 1)
    with refused("too_late"):
        pencil.say("hand", after=seen, hand={"contract": "game", "player": 0, "won": True, "worth": 1})
    with refused("too_late"):
        pencil.say("undo", after=seen)


def test_5_4_a_closed_sheet_takes_nothing() -> None:
    """Clause 5.4: but its own undoing."""
    pencil = Pencil("bauern")
    line = pencil.game(0, 1).lines[0].seq
    pencil.say("close")
    for kind, fields in (
        ("hand", {"hand": {"contract": "game", "player": 0, "won": True, "worth": 1}}),
        ("correct", {"line": line, "hand": None}),
        ("rename", {"names": ["", "", "", ""]}),
        ("close", {}),
    ):
        with refused("closed"):
            pencil.say(kind, **fields)
    pencil.say("undo")
    pencil.game(1, 1)
    assert pencil.totals == (1, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"target": 0}, "target"),
        ({"target": 1000}, "target"),
        ({"marks": (0, 2, 4)}, "marks"),
        ({"contracts": ()}, "contract_count"),
        ({"contracts": (Contract("Gang", (9,)), Contract("gang", (8,)))}, "contract_twice"),
        ({"doublings": (2, 4)}, "doublings"),
        ({"doublings": (1, 4, 2)}, "doublings"),
        ({"doublings": (1, 3)}, "doublings"),
    ],
)
def test_an_agreement_that_makes_no_sense_is_refused(change: dict, reason: str) -> None:
    """Each contradiction with a sentence of its own."""
    fields = {each: getattr(usual("bauern"), each) for each in Agreement.__slots__}
    with refused(reason):
        Agreement(**{**fields, **change})


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("", (1,)),
        (" Gang", (9,)),
        ("x" * 31, (1,)),
        ("Gang", ()),
        ("Gang", (9, 8)),
        ("Gang", (0,)),
        ("Gang", (100,)),
    ],
)
def test_a_line_of_the_table_that_makes_no_sense_is_refused(name: str, values: tuple[int, ...]) -> None:
    """A name, and one to four rising values."""
    with pytest.raises(SheetError):
        Contract(name, values)


def test_tute_has_no_contracts_and_contracts_have_no_cards() -> None:
    """A hand of one kind does not go on a sheet of the other."""
    with pytest.raises(RecordError, match="cards"):
        Pencil("tute").contract("game", 0)
    with pytest.raises(RecordError, match="cards"):
        Pencil("bauern").say("hand", hand={"cards": [60, 60]})
    with pytest.raises(RecordError, match="contracts"):
        Pencil("tute", contracts=[{"name": "gang", "values": [9]}])


def test_names_are_short_and_different() -> None:
    """Two of one name could not be told apart; empty ones are seats."""
    pencil = Pencil("bauern")
    with refused("name_twice"):
        pencil.say("rename", names=["Eva", "eva", "", ""])
    with refused("name_long"):
        pencil.say("rename", names=["x" * 25, "", "", ""])
    with refused("name_count"):
        pencil.say("rename", names=["Eva"])
    assert pencil.say("rename", names=["", "", "", ""]).names == ("", "", "", "")
