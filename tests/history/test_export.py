"""Hands handed on: read again they are the same hands, and a page for itself needs nothing else."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser

import pytest
from played_log import HAND, NORTH, SOUTH, Log
from scripted_table import random_hand

from companion.history.export import as_csv, as_hand, as_jsonl
from companion.history.form import notes_of
from companion.history.hands import PlayedHand
from companion.history.sheet import sheet_of
from companion.live.changes import Correction
from companion.rules.events import Agreed, CardPlayed, Dealt
from companion.rules.notation import read
from companion.rules.record import Record, result_of
from companion.rules.ruleset import preset
from companion.store.item import Corrected, MatchStarted
from companion.table.entry import Settled, Unseen

LOG = Log(*(event for seed in range(6) for event in random_hand(seed)), *HAND)


def test_json_lines_hold_the_records() -> None:
    """Read again, each is the record that it was."""
    lines = as_jsonl(LOG.hands()).splitlines()
    assert [Record.parse(line) for line in lines] == [hand.record for hand in LOG.hands()]


def test_the_notation_holds_the_matches_and_their_hands() -> None:
    """Each match under its heading, with its names."""
    parts = read(as_hand(LOG.hands()))
    assert [record for part in parts for record in part.hands] == [hand.record for hand in LOG.hands()]
    assert {part.title.names for part in parts} == {("Anna", "Bert")}
    assert [part.title.number for part in parts] == sorted({hand.match for hand in LOG.hands()})


def test_names_that_the_notation_cannot_hold_are_made_to_fit() -> None:
    """A bar or a number sign would end the name."""
    log = Log(*HAND)
    log.items[0] = MatchStarted("", log.items[0].rules, ("A|n#na", "  Bert  X "))
    (part,) = read(as_hand(log.hands()))
    assert part.title.names == ("A n na", "Bert X")


def test_the_table_has_a_line_for_each_hand() -> None:
    """With what the rules say of it."""
    rows = list(csv.DictReader(io.StringIO(as_csv(LOG.hands()))))
    assert [int(row["number"]) for row in rows] == [hand.number for hand in LOG.hands()]
    last = rows[-1]
    told = [last[name] for name in ("winner", "reason", "closed_by", "north_points", "marriages", "tricks")]
    assert told == ["south", "false_claim", "north", "53", "1", "3"]


def out_of_sight(seconds: float) -> PlayedHand:
    """A hand of which nobody saw so long what was before its seventh event."""
    log = Log(*HAND[:6])
    seq = len(log.items)
    log.items.append(Unseen(seq, seq - 0.5, seq - 0.5 - seconds))
    for event in HAND[6:]:
        log.see(event)
    (hand,) = log.hands()
    return hand


def test_half_a_second_out_of_sight_is_told_alike_wherever_it_is_told() -> None:
    """The table's page says three seconds of two and a half, and so do the notes and the page of the hand."""
    hand = out_of_sight(2.5)
    (noted,) = (note["unseen"] for note in notes_of(hand, lambda time: False)["notes"] if "unseen" in note)

    assert (noted, [gap.whole_seconds for gap in hand.fold.unseen]) == (3, [3])
    assert "davor war der Tisch 3 s nicht zu sehen" in Seen(sheet_of(hand, "de")).text


def test_where_nobody_saw_the_table_is_told_with_what_came_after() -> None:
    """In the notes beside the hand, on the page for itself, and in the table how long it was in all."""
    hand = out_of_sight(3.0)

    noted = notes_of(hand, lambda time: False)
    told = {at: note["unseen"] for at, note in enumerate(noted["notes"], start=1) if "unseen" in note}
    (row,) = csv.DictReader(io.StringIO(as_csv([hand])))

    assert told == {6: 3.0}
    assert "davor war der Tisch 3 s nicht zu sehen" in Seen(sheet_of(hand, "de")).text
    assert row["unseen_s"] == "3.0"


def test_the_rules_are_told_whole() -> None:
    """Modifiers and options of the house stand beside the preset, in the table as on the page of a hand."""
    log = Log(*HAND)
    rules = preset("schnapsen+last_trick_10").with_overrides({"match_target": 9})
    log.items[0] = MatchStarted("", rules, ("Anna", "Bert"))
    (hand,) = log.hands()

    (row,) = csv.DictReader(io.StringIO(as_csv([hand])))

    assert row["rules"] == "schnapsen+last_trick_10 match_target=9"
    assert row["rules"] in Seen(sheet_of(hand, "de")).text


def test_a_claim_that_is_open_is_told_as_such() -> None:
    """A missed card decides: the page does not say that nobody scored (clause 7.9)."""
    (hand,) = Log(*HAND[:-1], CardPlayed(NORTH, None), CardPlayed(SOUTH, None), HAND[-1]).hands()
    assert result_of(hand.fold.state).reason == "open"
    assert "Noch nicht entschieden" in Seen(sheet_of(hand, "de")).text


def test_of_a_hand_that_was_only_entered_no_points_are_told() -> None:
    """Nobody saw a card of it: that is no count of 0, and no trick."""
    log = Log(*HAND)
    log.items += [
        Settled(len(log.items) + place, 100.0 + place, event, 1.0, "phone:anna")
        for place, event in enumerate((Dealt(SOUTH, None), Agreed(NORTH, 2)))
    ]
    *_, row = csv.DictReader(io.StringIO(as_csv(log.hands())))
    assert (row["winner"], row["game_points"], row["reason"]) == ("north", "2", "agreed")
    assert (row["south_points"], row["north_points"], row["tricks"]) == ("", "", "")


@pytest.mark.parametrize("name", ["=1+1", "+49", "@x", "-x"])
def test_no_cell_is_taken_for_a_formula(name: str) -> None:
    """A name is text in every spreadsheet."""
    log = Log(*HAND)
    log.items[0] = MatchStarted("", log.items[0].rules, (name, ""))
    (row,) = csv.DictReader(io.StringIO(as_csv(log.hands())))
    assert row["south"] == f"'{name}"


class Seen(HTMLParser):
    """What a page has in it: its text, and every address that it names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.addresses, self.tags = "", [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs) -> None:
        """Note it."""
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data) -> None:
        """Note it."""
        if self.lasttag != "style":
            self.text += data


def test_a_page_is_whole_in_itself() -> None:
    """Pictures are in it; it asks for nothing and runs nothing."""
    (hand,) = Log(*HAND).hands()
    seen = Seen(sheet_of(hand, "en", picture=lambda time: b"\xff\xd8" + bytes([int(time)])))

    assert len(seen.addresses) == 3
    assert all(each.startswith("data:image/jpeg;base64,") for each in seen.addresses)
    assert "script" not in seen.tags


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("Anna gewinnt 3 Punkte", "Bert dreht zu", "Bert sagt Treff an", "um 13 zu früh", "Regel")),
        ("en", ("Anna wins 3 game points", "Bert closes", "Bert declares clubs", "13 too early", "rule")),
    ],
)
def test_a_page_tells_the_hand_in_words(language: str, words: tuple[str, ...]) -> None:
    """Every trick with both cards, every word, the award with its clause, and what was noticed."""
    (hand,) = Log(*HAND).hands()
    text = Seen(sheet_of(hand, language)).text

    for said in (*words, "♦A", "♣K", "♠B" if language == "de" else "♠J"):
        assert said in text
    assert "{" not in text


@pytest.mark.parametrize(("source", "who"), [("phone:referee", "Schiedsrichter"), ("phone:north", "Bert")])
def test_a_page_says_who_changed_what_and_when(source: str, who: str) -> None:
    """It is what lies on the table when somebody protests the day after."""
    (hand,) = Log(*HAND).hands()
    was, at = CardPlayed(SOUTH, None), "2026-11-22T20:31:07+01:00"
    told = Corrected(at, 9.0, source, 12, 12, 4, 12, was, hand.entries[3].event)
    gone = replace(told, new=None, now=None)
    changed = replace(hand, corrections=(Correction(told, 12), Correction(gone, None)))
    text = Seen(sheet_of(changed, "de")).text

    when = datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    assert text.count(f"({who}, {when})") == 2


def test_of_a_hand_that_nobody_saw_a_page_tells_what_it_paid() -> None:
    """Who, how many, and that it was entered: no empty course, no card points, no verdict on play."""
    (hand,) = Log(Dealt(SOUTH, None), Agreed(NORTH, 2)).hands()
    text = sheet_of(hand, "de")
    assert "Bert gewinnt 2 Punkte" in text
    assert "eingetragen" in text
    assert not any(word in text for word in ("<table>", "Augen", "Was auffiel"))
    (dealt,) = Log(Dealt(SOUTH, None)).hands()
    assert "eingetragen" not in sheet_of(dealt, "de")


def test_names_cannot_put_anything_into_a_page() -> None:
    """They are text, whatever is in them."""
    log = Log(*HAND)
    log.items[0] = MatchStarted("", log.items[0].rules, ("<script>x</script>", "{0}&"))
    (hand,) = log.hands()
    seen = Seen(sheet_of(hand, "de"))
    assert "script" not in seen.tags
    assert "<script>x</script>" in seen.text


def test_what_the_solver_told_is_in_the_page() -> None:
    """With what it cost; without it the page says that only the rules were asked."""
    (hand,) = Log(*HAND).hands()
    told = {"pattern": {"en": "{1} should have waited", "de": ""}, "loss": 1.25}
    judged = Seen(sheet_of(hand, "en", review={"told": [told]})).text
    assert "Bert should have waited (costs 1.2 game points)" in judged
    assert "Not worked out" not in judged
    assert "Not worked out" in Seen(sheet_of(hand, "en")).text


def test_cards_that_nobody_could_name_are_told_as_such() -> None:
    """A hand with an unread card is handed on and shown like any other."""
    (hand,) = Log(*HAND[:3], CardPlayed(SOUTH, None), HAND[2]).hands()
    assert Record.parse(as_jsonl([hand])) == hand.record
    assert "?" in Seen(sheet_of(hand, "de")).text
