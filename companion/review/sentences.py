"""The words of a review, in German with the Austrian terms and in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CARDS", "DUTIES", "EVENTS", "SEATS", "SENTENCES", "SUITS"]

SEATS = {"de": ("Süd", "Nord"), "en": ("South", "North")}
SUITS: Mapping[str, Mapping[str, str]] = {
    "de": {"H": "Herz", "D": "Karo", "C": "Treff", "S": "Pik"},
    "en": {"H": "hearts", "D": "diamonds", "C": "clubs", "S": "spades"},
}
CARDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "A": "Ass",
        "T": "Zehner",
        "K": "König",
        "Q": "Dame",
        "J": "Bub",
        "9": "Neuner",
        "card": "{suit} {rank}",
    },
    "en": {
        "A": "ace",
        "T": "ten",
        "K": "king",
        "Q": "queen",
        "J": "jack",
        "9": "nine",
        "card": "{rank} of {suit}",
    },
}
DUTIES: Mapping[str, Mapping[str, str]] = {
    "de": {"3.2": "Farbe nicht bedient", "3.3": "nicht gestochen", "3.4": "nicht mit Atout gestochen"},
    "en": {"3.2": "did not follow suit", "3.3": "did not head the trick", "3.4": "did not trump"},
}

EVENTS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "Exchanged": "{who} tauscht aus",
        "MarriageDeclared": "{who} sagt {suit} an",
        "Closed": "{who} dreht zu",
        "ClosedEarly": "{who} dreht vor dem Ziehen zu",
        "Knocked": "{who} klopft",
        "CardPlayed": "{who}: {card}",
        "Claimed": "{who} meldet aus",
        "RevokeCalled": "{who} reklamiert",
        "HandShown": "{who} legt auf: {cards}",
        "Conceded": "{who} gibt nach dem Zudrehen auf",
        "GivenUp": "Spiel abgebrochen",
        "Agreed": "eingetragen: {who}, Punkte {points}",
        "AgreedNone": "eingetragen: niemand punktet",
    },
    "en": {
        "Exchanged": "{who} exchanges",
        "MarriageDeclared": "{who} declares {suit}",
        "Closed": "{who} closes",
        "ClosedEarly": "{who} closes before drawing",
        "Knocked": "{who} knocks",
        "CardPlayed": "{who}: {card}",
        "Claimed": "{who} claims 66",
        "RevokeCalled": "{who} calls a revoke",
        "HandShown": "{who} lays open {cards}",
        "Conceded": "{who} has closed and gives up",
        "GivenUp": "the hand is given up",
        "Agreed": "entered: {who}, game points {points}",
        "AgreedNone": "entered: nobody scores",
    },
}
"""By language and kind of event."""

_DE = {
    "claim_late": "{who} hatte nach Stich {since} schon {points} Augen und meldete erst nach Stich"
    " {claimed} aus.{cost}",
    "claim_never": "{who} hatte nach Stich {since} schon {points} Augen und meldete nicht aus.{cost}",
    "cost": " Gleich ausmelden hätte {would} Punkte gebracht.",
    "cost_one": " Gleich ausmelden hätte 1 Punkt gebracht.",
    "claim_early": "{who} meldete mit {points} Augen aus, um {short} zu früh.",
    "claim_early_pending": "{who} meldete mit {points} Augen aus, um {short} zu früh: Die Ansage"
    " ({pending}) zählt erst mit einem Stich.",
    "marriage_missed": "Stich {trick}, {who}: {card} ohne Ansage ausgespielt, obwohl das Paar in der Hand"
    " war.",
    "marriage_unsaid": "Stich {trick}, {who}: {suit} wurde nicht angesagt.",
    "marriage_enough": "Stich {trick}, {who}: {suit} anzusagen hätte mit {made} Augen gereicht.",
    "exchange_missed": "{who} hatte in Stich {trick} {card} in der Hand und tauschte {up} nie aus.",
    "revoke": "Stich {trick}, {who}: auf {led} {duty_text}, gespielt wurde {card}.{undone}",
    "revoke_shown": "Stich {trick}, {who}: auf {led} {duty_text}. Gespielt wurde {card}; {shown} kam in Stich"
    " {shown_in} zum Vorschein.{undone}",
    "undone": " Das wurde zurückgenommen.",
    "breach": "Stich {trick}, {who}: gegen Regel {clause}.",
    "turn": "Stich {trick}, {who}:",
    "wins": "{best} gewinnt {best_wins}, {done} {done_wins}.",
    "means": "{best} bringt im Schnitt {best_mean} Punkte, {done} {done_mean}.",
    "certain": "{best} {best_gets}, {done} {done_gets}. Das war auszuzählen.",
    "gets": "bringt {n} Punkte",
    "gets_one": "bringt 1 Punkt",
    "loses": "verliert {n} Punkte",
    "loses_one": "verliert 1 Punkt",
    "gets_nothing": "bringt nichts",
    "in_all": "in allen Verteilungen",
    "in_most": "in fast allen Verteilungen",
    "in_some": "in {n} von 10 Verteilungen",
    "in_few": "in fast keiner Verteilung",
    "in_none": "in keiner Verteilung",
    "act_close": "Zudrehen",
    "act_exchange": "Austauschen",
    "act_marriage": "die Ansage in {suit}",
    "act_play": "{card}",
}
_EN = {
    "claim_late": "{who} had {points} points after trick {since} and claimed only after trick"
    " {claimed}.{cost}",
    "claim_never": "{who} had {points} points after trick {since} and never claimed.{cost}",
    "cost": " Claiming at once would have paid {would}.",
    "cost_one": " Claiming at once would have paid 1.",
    "claim_early": "{who} claimed with {points} points, {short} too early.",
    "claim_early_pending": "{who} claimed with {points} points, {short} too early: the marriage"
    " ({pending}) counts only with a trick.",
    "marriage_missed": "Trick {trick}, {who}: led the {card} without declaring, with the pair in hand.",
    "marriage_unsaid": "Trick {trick}, {who}: {suit} were not declared.",
    "marriage_enough": "Trick {trick}, {who}: declaring {suit} would have been enough, with {made} points.",
    "exchange_missed": "{who} held the {card} in trick {trick} and never exchanged it for the {up}.",
    "revoke": "Trick {trick}, {who}: {duty_text} when the {led} was led, and played the {card}.{undone}",
    "revoke_shown": "Trick {trick}, {who}: {duty_text} when the {led} was led, and played the {card};"
    " the {shown} turned up in trick {shown_in}.{undone}",
    "undone": " It was taken back.",
    "breach": "Trick {trick}, {who}: against rule {clause}.",
    "turn": "Trick {trick}, {who}:",
    "wins": "{best} wins {best_wins}, {done} {done_wins}.",
    "means": "{best} is worth {best_mean} game points on average, {done} {done_mean}.",
    "certain": "{best} {best_gets}, {done} {done_gets}. It could be counted.",
    "gets": "wins {n} game points",
    "gets_one": "wins 1 game point",
    "loses": "loses {n} game points",
    "loses_one": "loses 1 game point",
    "gets_nothing": "wins nothing",
    "in_all": "in all layouts",
    "in_most": "in nearly all layouts",
    "in_some": "in {n} of 10 layouts",
    "in_few": "in hardly any layout",
    "in_none": "in no layout",
    "act_close": "closing",
    "act_exchange": "exchanging",
    "act_marriage": "declaring {suit}",
    "act_play": "the {card}",
}
SENTENCES: Mapping[str, Mapping[str, str]] = {"de": _DE, "en": _EN}
"""By language and name; values in braces are filled in by `companion.review.wording`."""
