"""One card read as another for as long as it lies: what the rest of the hand tells of it."""

from __future__ import annotations

import pytest
from further import further
from puppets import stage
from trial import filmed, played

from companion.decoding.decoder import Decoder
from companion.rules.events import CardPlayed
from companion.rules.ruleset import preset
from companion.table.entry import Asked, Entry, Retracted, Settled
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")


def written(seed: int, restart: int | None = None) -> list[Entry]:
    """What is written of a hand of `lasting`; with `restart` a new decoder goes on after so many entries."""
    show = stage(RULES, seed, errs=True)
    spectator, log = Spectator(show, Decoder(RULES)), []
    for reading in filmed(show, "lasting", seed)[1]:
        log.extend(spectator.see(reading))
        if restart is not None and len(log) >= restart:
            spectator.decoder, restart = Decoder(RULES), None
            spectator.decoder.resume(log)
    return [*log, *spectator.finish()]


def questions(log: list[Entry]) -> list[Asked]:
    """Those that nothing took the place of."""
    replaced = {one.withdraws for one in log if isinstance(one, Retracted)}
    return [one for one in log if isinstance(one, Asked) and one.seq not in replaced]


@pytest.mark.parametrize("seed", [1125, *further(1135)])
def test_a_marriage_of_which_one_card_is_misread(seed: int) -> None:
    """King or queen beside another card, one of the two taken back: a marriage all the same."""
    outcome, _ = played(seed, "lasting")

    assert outcome.kind == "exact"


def test_a_misread_turn_up_is_found_by_the_tricks() -> None:
    """Whose lead is whose fits no trump but another: the turn-up is written anew, and asked about."""
    outcome, _ = played(1091, "lasting")

    assert outcome.kind == "exact"
    assert outcome.questions


def test_a_misread_turn_up_or_a_misread_play() -> None:
    """Where either explains what is seen, both are asked about."""
    outcome, _ = played(1035, "lasting")

    assert outcome.kind == "asked"


def test_a_card_seen_twice_asks_one_question() -> None:
    """Which of two plays was misread is told by the answer what the later one was; the truth is offered."""
    outcome, _ = played(1008, "lasting")

    assert (outcome.kind, outcome.questions) == ("open", 1)


def test_an_exchange_whose_jack_is_misread() -> None:
    """The turn-up is played while another card lies under the stock: the exchange is put in where it was."""
    outcome, _ = played(1627, "lasting")

    assert outcome.kind == "exact"


@pytest.mark.parametrize("seed", [1643, *further(1671)])
def test_a_claim_that_is_not_its_player_s_turn_shows_a_misread_trick(seed: int) -> None:
    """A phone offers the claim to nobody else: the last trick went to whoever claims, and is asked about."""
    outcome, _ = played(seed, "lasting")

    assert outcome.kind == "asked"


@pytest.mark.parametrize("seed", [1059, *further(1282)])
def test_a_question_asked_anew_takes_the_place_of_the_old_one(seed: int) -> None:
    """What was offered has been played elsewhere by the time that the card is written without its name."""
    log = written(seed)
    (question,) = questions(log)

    assert len([one for one in log if isinstance(one, Asked)]) == 2
    entry = next(one for one in log if isinstance(one, Settled) and one.seq == question.about)
    assert entry.event == CardPlayed(question.options[0].player, None)


def test_a_card_that_looks_like_the_turn_up_is_one_question() -> None:
    """The answer to which card that was tells whether the turn-up was read right."""
    assert [one.text for one in questions(written(1101))] == ["which_card"]


def test_a_restart_does_not_ask_again() -> None:
    """The question about a card that was written without its name is in the log."""
    log = written(1015)
    asked = max(place for place, one in enumerate(log) if isinstance(one, Asked))

    again = written(1015, restart=asked + 1)

    assert questions(again[: asked + 1])
    assert questions(again[asked + 1 :]) == []
