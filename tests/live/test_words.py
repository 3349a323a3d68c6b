"""Words that only some rules know, and series: offered where they are played, and nowhere else."""

from __future__ import annotations

import json

import pytest
from scripted_table import REVOKED, dealt_and, newest, play_on, random_hand, tied, timed, view_at

from companion.live.audience import snapshot_for
from companion.live.command import (
    CallRevoke,
    Claim,
    Close,
    InvalidCommandError,
    Knock,
    NewMatch,
    RefusedCommandError,
    ShowHand,
    Undo,
    parse_command,
)
from companion.live.fold import fold
from companion.live.offer import offered_rules
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Event, GivenUp
from companion.rules.presets import MODIFIERS
from companion.rules.ruleset import PRESETS, RuleSet, RuleSetError, preset
from companion.store.coding import decode, encode
from companion.store.item import MatchStarted
from companion.table.entry import Asked, Settled

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def offered(table) -> list[set[str]]:
    """What south and north may press now."""
    return [set(side.may) for side in newest(table).hand.sides]


@pytest.mark.parametrize("name", list(PRESETS))
def test_only_words_of_the_chosen_rules_are_offered(open_table, name: str) -> None:
    """Through a whole hand, knocking and closing before the draw are offered where they are played."""
    rules = preset(name)
    script = timed(random_hand(3, SOUTH, rules))
    table = open_table(script, rules=rules)
    seen: set[str] = set()
    for end in range(1, len(script) + 1):
        play_on(table, end)
        seen |= offered(table)[0] | offered(table)[1]

    assert "knock" not in seen
    assert ("close_early" in seen) == rules.close_before_draw


def test_a_claim_is_taken_while_it_is_asked_what_was_played_since(open_table) -> None:
    """Nobody may claim while a lead waits for its answer; the card that is asked about may have been it."""
    events = random_hand(8)
    lead = next(at for at, event in enumerate(events) if isinstance(event, CardPlayed))
    asked = Asked(0, 30.0, "which_card", None, (events[lead + 1],), 29.0)
    table = open_table([*timed(events[: lead + 1]), (30.0, asked)])
    claim = Claim(events[lead].player)

    table.see(view_at(20.0))
    assert all("claim" not in words for words in offered(table))
    with pytest.raises(RefusedCommandError, match="not now"):
        table.submit(claim)

    table.see(view_at(40.0))
    assert all("claim" in words for words in offered(table))
    table.submit(claim)


def test_knocking_is_offered_on_lead_and_ends_the_hand_with_its_trick(open_table) -> None:
    """Whoever is on lead may knock; the trick decides, and nobody is asked for a claim."""
    script = timed(dealt_and("TD", "AS", "JS"))
    table = open_table(script, rules=preset("schnapsen+knock"))
    play_on(table, 1)
    assert ["knock" in may for may in offered(table)] == [False, True]
    table.submit(Knock(NORTH))
    assert offered(table) == [set(), {"exchange"}]
    play_on(table, 4)
    hand = newest(table).hand
    assert hand.over
    assert hand.award.reason == "failed_close"
    assert "knock" in [
        told["event"]["type"] for told in json.loads(json.dumps(newest(table).to_json()))["hand"]["events"]
    ]


def test_the_stock_is_closed_before_the_draw_from_the_phone(open_table) -> None:
    """In Sixty-Six the winner of a trick may close with all twelve cards in the stock."""
    table = open_table(timed(dealt_and("TD", "AS", "JS")), rules=preset("sixty_six"))
    play_on(table, 3)
    assert newest(table).hand.stock_left == 10
    assert offered(table)[NORTH] >= {"close", "close_early"}
    table.submit(Close(NORTH, before_draw=True))
    hand = newest(table).hand
    assert (hand.stock, hand.stock_left) == ("closed", 12)
    assert hand.events[-1].event == Closed(NORTH, before_draw=True)


def test_a_revoke_is_called_by_the_other_player_once_it_is_proven(open_table) -> None:
    """A call without proof is refused by its clause; a proven revoke ends the hand and pays 3."""
    table = open_table(timed(dealt_and("TD", *REVOKED, close=True)))
    play_on(table, 4)
    with pytest.raises(RefusedCommandError, match=r"3\.7"):
        table.submit(CallRevoke(NORTH))
    play_on(table, 7)
    assert ["revoke" in may for may in offered(table)] == [False, True]
    table.submit(CallRevoke(NORTH))
    snapshot = newest(table)
    assert (snapshot.hand.award.winner, snapshot.hand.award.game_points) == (NORTH, 3)
    assert snapshot.hand.award.reason == "revoke"
    assert snapshot.match.points == (7, 4)


def test_a_revoke_that_is_taken_back_puts_its_lead_on_the_table_again(open_table) -> None:
    """With `take_back` the hand stands where it was before the wrong card."""
    table = open_table(timed(dealt_and("TD", *REVOKED, close=True)), rules=preset("schnapsen_casual"))
    play_on(table, 7)
    table.submit(CallRevoke(NORTH))
    hand = newest(table).hand
    assert [laid.card for laid in hand.trick] == [Card.parse("AH")]
    assert hand.to_play is SOUTH
    assert hand.breaches[-1].taken_back
    table.submit(Undo(newest(table).last.seq))
    assert newest(table).hand.trick == ()


def test_cards_shown_after_the_end_prove_what_they_prove(open_table) -> None:
    """A claimed hand leaves cards; laid open they prove the revoke, which may be called then."""
    script = timed(dealt_and("TD", "AH", "JS", "AC", "QC", "AS", "KS", close=True))
    table = open_table(script)
    play_on(table, 8)
    assert all("show" not in may for may in offered(table))
    table.submit(Claim(NORTH))
    side = newest(table).hand.sides[SOUTH]
    king = Card.parse("KH")
    assert (side.left, king in side.may_show) == (2, True)
    with pytest.raises(RefusedCommandError):
        table.submit(ShowHand(SOUTH, (Card.parse("AH"),)))
    table.submit(ShowHand(SOUTH, (king,)))
    snapshot = newest(table)
    assert (snapshot.hand.sides[SOUTH].left, king in snapshot.hand.sides[SOUTH].may_show) == (1, False)
    assert [(noted.breach.value, noted.proved_by) for noted in snapshot.hand.breaches] == [("3.2", king)]
    assert "revoke" in snapshot.hand.sides[NORTH].may
    for side in snapshot_for(snapshot, Role.SPECTATOR).hand.sides:
        assert (side.may, side.may_show) == ((), ())


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"type": "close", "player": 0, "before_draw": 1}, "before_draw"),
        ({"type": "show", "player": 0}, "'cards' is missing"),
        ({"type": "show", "player": 0, "cards": []}, "at least one"),
        ({"type": "show", "player": 0, "cards": ["XX"]}, "XX"),
        ({"type": "show", "player": 0, "cards": "KH"}, "not a list"),
        ({"type": "knock"}, "'player' is missing"),
        ({"type": "revoke", "player": 2}, "player"),
    ],
)
def test_what_is_no_word_is_named(value: object, words: str) -> None:
    """A field that is missing or wrong is named."""
    with pytest.raises(InvalidCommandError, match=words):
        parse_command(value)


def test_words_are_read_from_json() -> None:
    """Each word has its form on the wire."""
    read = [
        parse_command({"type": "close", "player": 0, "before_draw": True}),
        parse_command({"type": "knock", "player": 1}),
        parse_command({"type": "revoke", "player": 1}),
        parse_command({"type": "show", "player": 0, "cards": ["KH", "QS"]}),
    ]
    cards = Card.parse("KH"), Card.parse("QS")
    assert read == [Close(SOUTH, before_draw=True), Knock(NORTH), CallRevoke(NORTH), ShowHand(SOUTH, cards)]


# Series


def test_a_match_knows_the_series_that_it_belongs_to(open_table) -> None:
    """What was won before is in the log with each match; the page is told goal, wins and series."""
    rules = preset("schnapsen+best_of_3")
    table = open_table(rules=rules)
    started = MatchStarted("", rules, marks=(1, 0), wins=(0, 1), series=(2, 0), number=2)
    again = decode(*encode(started))
    assert again == started
    match = fold([started]).match
    assert (match.matches_won, match.series_won, match.bummerl_marks) == ((0, 1), (2, 0), (1, 0))
    table.submit(NewMatch())
    series = newest(table).match.series
    assert (series.kind, series.goal, series.wins, series.won) == ("best_of_3", 2, (0, 0), (0, 0))


def test_a_new_match_carries_the_series_that_stands(open_table) -> None:
    """Won matches count on after "new match"; another kind of series, or clearing, begins anew."""
    rules = preset("schnapsen+best_of_3")
    events: list[Event] = []
    for _ in range(3):  # north wins three hands for 3, and the match
        events += [*dealt_and("TD", *REVOKED, close=True)]
    table = open_table(timed(events), rules=rules)
    for hand in range(3):
        play_on(table, 6 * (hand + 1))
        table.submit(CallRevoke(NORTH))
    match = newest(table).match
    assert (match.winner, match.series.wins, match.marks) == (NORTH, (0, 1), (1, 0))
    table.submit(NewMatch())
    match = newest(table).match
    assert (match.winner, match.series.wins, match.marks, match.number) == (None, (0, 1), (1, 0), 2)
    table = open_table(rules=rules)
    assert newest(table).match.series.wins == (0, 1)
    table.submit(NewMatch(rules=preset("schnapsen_tournament")))
    match = newest(table).match
    assert (match.series.kind, match.series.wins, match.marks) == ("first_to_n_marks", (0, 0), (0, 0))
    table.submit(NewMatch(clear_marks=True))
    assert newest(table).match.number == 1


def test_a_log_from_before_there_were_series_is_read() -> None:
    """A match written without wins and series has none."""
    kind, text = encode(MatchStarted("", RuleSet(), marks=(1, 2), number=3))
    fields = json.loads(text)
    del fields["wins"], fields["series"]
    assert decode(kind, json.dumps(fields)) == MatchStarted("", RuleSet(), marks=(1, 2), number=3)


def test_what_a_tie_carries_over_is_shown(open_table) -> None:
    """After a drawn hand the next pays 1 more, and the page is told so."""
    table = open_table(rules=preset("schnapsen+last_trick_10+tie_carry"))
    assert newest(table).match.carry == 0
    drawn = tied()
    start = MatchStarted("", preset("schnapsen+last_trick_10+tie_carry"))
    match = fold([start, *(Settled(n, float(n), event, 1.0) for n, event in enumerate(drawn, 1))]).match
    assert match.carry == 1


# Rules offered for a new match


def test_every_preset_is_offered_with_the_modifiers_that_fit() -> None:
    """Each modifier offered can be chosen, together with what it needs; none is left out that could be."""
    presets = {each["name"]: each for each in offered_rules()["presets"]}
    assert list(presets) == list(PRESETS)
    for name, each in presets.items():
        assert each["deck"] == PRESETS[name].deck
        for modifier, needs in each["modifiers"].items():
            chosen = preset("+".join(filter(None, (name, needs, modifier))))
            assert modifier in chosen.modifiers
        for modifier in set(MODIFIERS) - set(each["modifiers"]):
            assert all(getattr(PRESETS[name], key) == value for key, value in MODIFIERS[modifier].items())


def test_rules_are_told_by_preset_and_modifiers(open_table) -> None:
    """The page is told what is played, and how much differs beyond preset and modifiers."""
    table = open_table(rules=preset("sixty_six+knock").with_overrides({"match_target": 9}))
    rules = newest(table).match.rules
    assert (rules.preset, rules.modifiers, rules.more, rules.deck) == ("sixty_six", ("knock",), 1, 24)
    assert (rules.knock, rules.close_before_draw, rules.counts_itself) == (True, True, False)
    assert not rules.claims_between
    with pytest.raises(InvalidCommandError, match="tie"):
        parse_command({"type": "new_match", "rules": {"preset": "schnapsen", "modifiers": ["tie_carry"]}})
    with pytest.raises(RuleSetError):
        preset("schnapsen+tie_carry")


@pytest.mark.parametrize(
    "word",
    [
        {"type": "claim"},
        {"type": "marriage", "suit": "H"},
        {"type": "close"},
        {"type": "exchange"},
        {"type": "knock"},
        {"type": "revoke"},
        {"type": "show", "cards": ["AD"]},
    ],
    ids=lambda word: word["type"],
)
def test_a_word_meant_for_the_hand_before_is_none_of_this(open_table, word: dict[str, object]) -> None:
    """A phone slept with its sheet open; confirmed in the next hand it would have been a false claim."""
    first, second = dealt_and("JD", "AH", "QH"), dealt_and("JC", "AS", "QS")
    table = open_table(timed([*first, GivenUp(), *second]))
    play_on(table, len(first))
    number = newest(table).hand.number
    play_on(table, len(first) + 1 + len(second))
    assert newest(table).hand.number == number + 1
    before = newest(table).hand.events

    with pytest.raises(RefusedCommandError) as refused:
        table.submit(parse_command({**word, "player": 1, "hand": number}))

    assert refused.value.reason == "too_late"
    assert newest(table).hand.events == before


@pytest.mark.parametrize("said", [{"type": "claim", "player": 1}, {"type": "new_hand"}])
def test_what_was_meant_for_the_match_before_is_for_none_of_this(open_table, said: dict[str, object]) -> None:
    """The next match begins at hand 1 again: a sheet left open in that of the last is not of it."""
    events = dealt_and("JD", "AH", "QH")
    table = open_table(timed(events))
    play_on(table, len(events))
    shown = newest(table)
    table.submit(NewMatch(dealer=NORTH))
    play_on(table, len(events))
    again = newest(table)
    assert (again.hand.number, again.match.number) == (shown.hand.number, shown.match.number + 1)

    meant = {"hand": shown.hand.number, "match": shown.match.number}
    with pytest.raises(RefusedCommandError) as refused:
        table.submit(parse_command({**said, **meant}))

    assert refused.value.reason == "too_late"
    assert newest(table).hand.events == again.hand.events


def test_a_word_is_taken_in_the_hand_it_was_meant_for(open_table) -> None:
    """With the number of the hand, and without: other programs may send none."""
    for hand in ({"hand": 1, "match": 1}, {"hand": 1}, {}):
        events = dealt_and("JD", "AH", "QH")
        table = open_table(timed(events))
        play_on(table, len(events))
        table.submit(parse_command({"type": "claim", "player": 1, **hand}))
        assert newest(table).hand.over
