"""The words of the sheet of a hand, in German with the Austrian terms and in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LETTERS", "REASONS", "WORDS"]

LETTERS: Mapping[str, Mapping[str, str]] = {
    "de": {"A": "A", "T": "10", "K": "K", "Q": "D", "J": "B", "9": "9"},
    "en": {"A": "A", "T": "10", "K": "K", "Q": "Q", "J": "J", "9": "9"},
}
WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "title": "Partie {match} · Spiel {hand}",
        "deals": "{0} gibt, aufgeschlagen {card}, Atout {suit}.",
        "deals_unseen": "{0} gibt; die aufgeschlagene Karte hat niemand gesehen.",
        "noted": "Keine Karte davon wurde gesehen; eingetragen ist, was es gezählt hat.",
        "trick": "Stich",
        "lead": "Ausspiel",
        "answer": "Zugabe",
        "to": "an",
        "told": "Was auffiel",
        "nothing": "Nichts, was sich als Fehler zeigen ließe.",
        "rules_only": "Nicht durchgerechnet; nur was die Regeln allein zeigen.",
        "changed": "Berichtigt und gefragt",
        "was": "{what}; vorher: {before}",
        "removed": "Gestrichen: {before}",
        "asked": "{what}: nachgefragt",
        "unseen": "{what}: davor war der Tisch {n} s nicht zu sehen",
        "lay_there": "{what}: die Karten lagen schon da, als die Kamera zu schauen begann",
        "won": "{0} gewinnt {n} Punkte",
        "won_one": "{0} gewinnt 1 Punkt",
        "nobody": "Niemand punktet",
        "open": "Noch nicht entschieden",
        "points": "Augen {south} : {north}",
        "clause": "Regel {clause}",
        "loss": "kostet {n} Punkte",
    },
    "en": {
        "title": "Match {match} · hand {hand}",
        "deals": "{0} deals, {card} turned up, trumps {suit}.",
        "deals_unseen": "{0} deals; nobody saw the turned-up card.",
        "noted": "No card of it was seen; what it paid was entered.",
        "trick": "Trick",
        "lead": "Lead",
        "answer": "Answer",
        "to": "to",
        "told": "What was noticed",
        "nothing": "Nothing that can be shown to be a mistake.",
        "rules_only": "Not worked out; only what the rules alone show.",
        "changed": "Corrected and asked",
        "was": "{what}; before: {before}",
        "removed": "Taken out: {before}",
        "asked": "{what}: asked about",
        "unseen": "{what}: before this the table was out of sight for {n} s",
        "lay_there": "{what}: the cards lay there when the camera began to look",
        "won": "{0} wins {n} game points",
        "won_one": "{0} wins 1 game point",
        "nobody": "Nobody scores",
        "open": "Not decided yet",
        "points": "card points {south} : {north}",
        "clause": "rule {clause}",
        "loss": "costs {n} game points",
    },
}
REASONS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "claim": "ausgemeldet",
        "false_claim": "falsch ausgemeldet",
        "failed_close": "Zudrehen nicht geschafft",
        "last_trick": "letzter Stich",
        "higher_total": "mehr Augen",
        "drawn": "unentschieden",
        "revoke": "Farbe nicht bedient oder nicht gestochen",
        "given_up": "abgebrochen",
        "agreed": "eingetragen",
        "unfinished": "nicht zu Ende",
        "open": "eine Karte fehlt",
    },
    "en": {
        "claim": "claimed 66",
        "false_claim": "false claim",
        "failed_close": "failed close",
        "last_trick": "last trick",
        "higher_total": "more points",
        "drawn": "drawn",
        "revoke": "revoke",
        "given_up": "given up",
        "agreed": "entered",
        "unfinished": "not finished",
        "open": "a card was missed",
    },
}
"""By language and reason of a result."""
