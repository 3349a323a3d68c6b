"""What the rules alone show of a played hand, and how it is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.review.course import Course
from companion.review.findings import Finding, findings
from companion.review.judging import Decision
from companion.review.moments import moments
from companion.review.reviewed import ranked
from companion.review.wording import sentence
from companion.rules.cards import Card
from companion.rules.events import Event, HandShown
from companion.rules.hand import apply
from companion.rules.record import Record
from companion.solver.sampling import Chance
from tests.rules.telling import NORTH, SOUTH, event_of, new_hand, words


def cards(names: str) -> tuple[Card, ...]:
    """The cards named."""
    return tuple(map(Card.parse, names.split()))


KNOWN = cards("AS KH QH JC TC"), cards("TS AC JH JD QS")
STOCK = cards("KS QC KC AH TH AD KD QD JS TD")


def course(told: str, up: str = "TD", *shown: Event, **options: object) -> Course:
    """A hand told in a line with hidden cards, and what was laid open at its end."""
    start = state = new_hand(up, **options)
    events: list[Event] = []
    for word in words(told):
        events.append(event_of(state, word))
        state = apply(state, events[-1])
    return Course.of(Record(start.rules, start.dealer, start.dealt_up, (*events, *shown)))


def texts(found: Course, kind: str) -> list[str]:
    """What is said of this kind, in German."""
    return [sentence(each, "de") for each in findings(found) if each.kind == kind]


def test_a_claim_with_a_marriage_that_was_not_held_is_short_of_its_points() -> None:
    """68 with 20 for hearts, whose queen north lays open: a claim with 48, by 18 too early."""
    found = course("AS-TS AC-TC mH KH-JH S:claim", "TD", HandShown(NORTH, cards("QH KC")))

    assert texts(found, "claim_early") == ["Süd meldete mit 48 Augen aus, um 18 zu früh."]


def test_points_of_a_marriage_that_was_not_held_could_not_be_claimed_before() -> None:
    """62 after the fourth trick, 48 after the third: no 66 was left unclaimed."""
    found = course("AS-TS AC-TC mH KH-JH AD-QD S:claim", "TD", HandShown(NORTH, cards("QH KC")))

    assert texts(found, "claim_late") == []
    assert texts(found, "claim_early") == ["Süd meldete mit 62 Augen aus, um 4 zu früh."]


def test_a_word_that_came_too_late_to_count_is_no_claim() -> None:
    """78 after the fourth trick; said with a card on the table it had no effect (clause 7.2)."""
    told = "AS-TS AC-TC AH-TH AD-KD KC S:claim QC"
    never, later = course(f"{told} give-up"), course(f"{told} claim")

    assert texts(never, "claim_late") == ["Süd hatte nach Stich 4 schon 78 Augen und meldete nicht aus."]
    assert texts(later, "claim_late") == [
        "Süd hatte nach Stich 4 schon 78 Augen und meldete erst nach Stich 5 aus."
    ]


def test_who_calls_a_revoke_has_missed_no_claim() -> None:
    """70 at that moment, too: the call ends the hand and pays as much as a claim would have."""
    found = course("close AS-TS AH-JC AC-TC AD-KH S:revoke")

    assert found.final.award.reason == "revoke"
    assert texts(found, "claim_late") == []


def test_a_claim_that_would_have_paid_less_has_cost_nothing() -> None:
    """69 were not claimed, and what the other revoked came to light a trick later, for 3 instead of 2."""
    found = course("JC-AC KS-AS AH-JS TH-QC AD-KD TS-QS JD-KH S:revoke", follow="always_strict")

    assert texts(found, "claim_late") == ["Süd hatte nach Stich 6 schon 69 Augen und meldete nicht aus."]
    assert [each.loss for each in findings(found) if each.kind == "claim_late"] == [0.0]


def test_a_revoke_that_was_taken_back_is_told_as_such() -> None:
    """Both plays, the proof, and that the hand went on without it."""
    found = course("close AH-KS AS-KH S:revoke KH AS-KS", "JD", revoke_award="take_back")

    (said,) = texts(found, "revoke")
    assert said.endswith("Herz König kam in Stich 2 zum Vorschein. Das wurde zurückgenommen.")


def test_after_a_knock_no_marriage_is_enough_by_itself() -> None:
    """The trick has to be taken first: nothing may be claimed on the declaration."""
    pair = HandShown(SOUTH, cards("KH QH"))
    closed = course("AS-TS AC-TC close AD-JC KH-JH QH-KD", "TH")
    knocked = course("AS-TS AC-TC knock AD-JC", "TH", pair, rules="schnapsen+knock")

    assert "Stich 3, Süd: Herz anzusagen hätte mit 82 Augen gereicht." in texts(closed, "marriage_missed")
    assert texts(knocked, "marriage_missed") == []


@pytest.mark.parametrize(("would", "said"), [(1, "hätte 1 Punkt gebracht."), (2, "hätte 2 Punkte gebracht.")])
def test_one_point_is_one_point(would: int, said: str) -> None:
    """In German it has no plural."""
    known = {"since": 4, "points": 70, "claimed": 5, "would": would}

    assert sentence(Finding("claim_late", NORTH, 4, 9, 1.0, known), "de").endswith(said)


@pytest.mark.parametrize(
    ("best", "starts"),
    [
        ("play:KH", "Stich 1, Süd: Herz wurde nicht angesagt. Die Ansage in Herz gewinnt"),
        ("play:TC", "Stich 1, Süd: Treff Zehner gewinnt"),
    ],
)
def test_a_marriage_that_was_better_than_another_card_is_named_as_one(best: str, starts: str) -> None:
    """South leads the ace of spades: no king was led in silence, and no other card is a declaration."""
    record = replace(course("AS-TS").record, hands=KNOWN, stock=STOCK)
    whole = Course.of(record)
    moment = next(moments(whole))
    decision = Decision(moment, best, 1.0, 0.1, Chance(0.0, 0.3), Chance(1.0, 0.8), False, 40, None, {})
    (said,) = (sentence(each, "de") for each in ranked(whole, [decision]))

    assert said.startswith(starts)


def test_the_best_card_of_a_suit_is_no_declaration_of_it() -> None:
    """South leads the king from the pair in silence; what was better is the ten of hearts, not the word."""
    wins = {"done_wins": 0.3, "best_wins": 0.8, "certain": False}
    known = {"suit": "H", "card": "KH", "done": "play:KH", "best": "play:TH", **wins}

    assert "Herz Zehner gewinnt" in sentence(Finding("marriage_missed", SOUTH, 1, 0, 1.0, known), "de")


def test_a_missed_exchange_is_told_of_the_trick_in_which_it_cost_most() -> None:
    """What it is compared with was played there: the ace of clubs in the second trick, not the first lead."""
    hands = cards("AS AC JD QC JC"), cards("TS TC JH KC QS")
    stock = cards("KS KH QH AH TH AD KD QD JS TD")
    whole = Course.of(replace(course("AS-TS AC-TC").record, hands=hands, stock=stock))
    leads = [each for each in moments(whole) if each.leads]
    promised = Chance(0.0, 0.3), Chance(1.0, 0.8)
    decisions = [
        Decision(moment, "exchange", loss, 0.1, *promised, False, 40, None, {})
        for moment, loss in zip(leads, (0.6, 0.9), strict=True)
    ]
    (told,) = ranked(whole, decisions)

    assert (told.kind, told.trick, told.loss) == ("exchange_missed", 2, 0.9)
    assert sentence(told, "de") == (
        "Süd hatte in Stich 2 Karo Bub in der Hand und tauschte Karo Zehner nie aus."
        " Austauschen gewinnt in 8 von 10 Verteilungen, Treff Ass in 3 von 10 Verteilungen."
    )


def test_an_exchange_that_came_later_was_not_left_out() -> None:
    """Only the solver says that it should have come in the first trick."""
    hands = cards("AS AC JD QC JC"), cards("TS TC JH KC QS")
    stock = cards("KS KH QH AH TH AD KD QD JS TD")
    whole = Course.of(replace(course("AS-TS x AC-TC").record, hands=hands, stock=stock))
    promised = Chance(0.0, 0.3), Chance(1.0, 0.8)
    decision = Decision(next(moments(whole)), "exchange", 0.9, 0.1, *promised, False, 40, None, {})
    (told,) = ranked(whole, [decision])

    wins = ("gewinnt in 8 von 10 Verteilungen", "in 3 von 10 Verteilungen.")
    assert sentence(told, "de") == f"Stich 1, Süd: Austauschen {wins[0]}, Pik Ass {wins[1]}"
    assert sentence(told, "en").startswith("Trick 1, South: exchanging wins in 8 of 10 layouts, the ace")


def test_an_exchange_is_missed_in_the_first_trick_in_which_it_was_open() -> None:
    """North cannot have drawn the jack before the fourth trick, and leads it to the fifth."""
    found = course("AS-TS AC-TC QH-AH TH-KH JD-KD", "TD")
    (missed,) = [each for each in findings(found) if each.kind == "exchange_missed"]

    assert (missed.player, missed.trick, missed.at) == (NORTH, 5, 8)


@pytest.mark.parametrize(("held", "drawn", "missed"), [("9H", "9D", []), ("9D", "9H", [(SOUTH, 2)])])
def test_what_an_early_close_puts_back_was_not_there_to_be_exchanged(
    held: str, drawn: str, missed: list
) -> None:
    """South closes before drawing (clause 6.4): the nine of trumps counts where it was in the hand."""
    hands = cards(f"AS TS KC QC JH {held}"), cards("JS QS TC KH QH JC")
    stock = cards(f"{drawn} 9S AC 9C AH TH JD QD KD KS TD AD")
    seen = course("AS-JS early", "AD", rules="sixty_six").record
    found = findings(Course.of(replace(seen, hands=hands, stock=stock)))

    assert [(each.player, each.trick) for each in found if each.kind == "exchange_missed"] == missed


def test_the_first_event_may_be_against_the_rules() -> None:
    """It is told of the first trick, and of the event that it is."""
    (found,) = findings(course("N:close AS-TS"))

    assert (found.kind, found.player, found.trick, found.at) == ("breach", NORTH, 1, 0)


def test_a_lead_that_breaks_a_declaration_is_not_judged() -> None:
    """Hearts are declared and spades led, against clause 5.2. A lead from the pair is, and its answer."""
    broken, kept = (
        Course.of(replace(course(told).record, hands=KNOWN, stock=STOCK)) for told in ("mH AS-TS", "mH KH-JH")
    )

    assert [each.action for each in moments(broken) if each.leads] == []
    assert [each.action for each in moments(kept)] == ["play:KH", "play:JH"]


def test_what_cost_most_comes_first_and_each_player_has_a_mistake_of_their_own() -> None:
    """South's forgotten exchange does not hide that north should have answered otherwise."""
    hands = cards("AS AC JD QC JC"), cards("TS TC JH KC QS")
    stock = cards("KS KH QH AH TH AD KD QD JS TD")
    whole = Course.of(replace(course("AS-TS AC-TC").record, hands=hands, stock=stock))
    lead, answer = list(moments(whole))[:2]
    promised = Chance(0.0, 0.3), Chance(1.0, 0.8)
    decisions = [
        Decision(moment, best, loss, 0.1, *promised, False, 40, None, {})
        for moment, best, loss in ((lead, "exchange", 0.6), (answer, "play:QS", 1.2))
    ]

    told = [(each.kind, each.player, each.loss) for each in ranked(whole, decisions)]

    assert told == [("answer", NORTH, 1.2), ("exchange_missed", SOUTH, 0.6)]
    turned = [replace(each, loss=1.8 - each.loss) for each in decisions]
    assert [each.kind for each in ranked(whole, turned)] == ["exchange_missed", "answer"]
