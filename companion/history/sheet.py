"""One hand as one HTML file, whole in itself and without scripts: to keep, to send, to print."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from html import escape
from typing import Any

from companion.history.hands import PlayedHand
from companion.history.sheet_words import LETTERS, REASONS, WORDS
from companion.review.course import Course
from companion.review.form import finding_to_json
from companion.review.reviewed import ranked
from companion.review.story import Told, tricks
from companion.review.wording import LANGUAGES, event_text, filled
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import Agreed, CardPlayed, Dealt, Event
from companion.rules.record import result_of
from companion.rules.scoring import Count
from companion.store.item import Corrected
from companion.table.entry import in_all

__all__ = ["sheet_of"]

_SIGNS = {Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣", Suit.SPADES: "♠"}
_STYLE = """
:root { color-scheme: light; font: 16px/1.4 system-ui, sans-serif; color: #15211a; background: #fff; }
body { max-width: 46rem; margin: 1.2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; }
p { margin: .2rem 0; } .soft { color: #46564c; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: #46564c; font-size: .88rem; }
td, th { padding: .3rem .5rem .3rem 0; border-bottom: 1px solid #c9d2c6; vertical-align: middle; }
.n { text-align: right; } .word td { color: #46564c; border: 0; padding-bottom: 0; }
.card { font-weight: 700; white-space: nowrap; } .red { color: #b01024; }
img { display: block; width: 7.5rem; height: 5rem; object-fit: cover; border-radius: 4px; }
li { margin: .25rem 0; }
@media (max-width: 32rem) { body { font-size: .88rem; } img { width: 4.2rem; height: 2.8rem; } }
@page { margin: 14mm; }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 11pt; }
  tr, li { break-inside: avoid; }
}
"""


def sheet_of(
    hand: PlayedHand,
    language: str,
    *,
    review: Mapping[str, Any] | None = None,
    picture: Callable[[float], bytes | None] = lambda time: None,
) -> str:
    """Return the page.

    Args:
        hand: The hand.
        language: `de` or `en`.
        review: What there is to say of it, as `companion.review.form` writes it; `None`: what the rules show.
        picture: Gives the JPEG of what happened at a time.

    Raises:
        ImpossibleEvent: The hand cannot have happened.
    """
    return _Sheet(hand, language if language in LANGUAGES else LANGUAGES[0], review, picture).page()


class _Sheet:
    """A page while it is written."""

    def __init__(
        self,
        hand: PlayedHand,
        language: str,
        review: Mapping[str, Any] | None,
        picture: Callable[[float], bytes | None],
    ) -> None:
        self._hand, self._language, self._review, self._picture = hand, language, review, picture
        self._course = Course.of(hand.record)
        self._words = WORDS[language]
        events = [each.event for each in hand.entries]
        self._entered = hand.fold.state.agreed and all(isinstance(each, Dealt | Agreed) for each in events)
        """Whether nothing is known of it but what was entered."""

    def page(self) -> str:
        """Return the whole page."""
        title = self._words["title"].format(match=self._hand.match, hand=self._hand.hand)
        seen = () if self._entered else (*self._tricks(), *self._noticed())
        parts = [f"<h1>{title}</h1>", *self._head(), *seen, *self._known()]
        body = "\n".join(parts)
        return (
            f'<!doctype html>\n<html lang="{self._language}"><head><meta charset="utf-8">'
            f'<title>{title}</title><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
        )

    def _say(self, name: str, **values: object) -> str:
        """Return words with players' names put in and everything safe for HTML; `values` are HTML."""
        text = escape(self._words[name])
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", str(value))
        return self._names(text)

    def _names(self, text: str) -> str:
        for player in Player:
            text = text.replace(f"{{{int(player)}}}", self._name(player))
        return text

    def _name(self, player: Player) -> str:
        return escape(filled(f"{{{int(player)}}}", self._language, self._hand.names))

    def _card(self, card: Card | None) -> str:
        if card is None:
            return '<span class="card">?</span>'
        tone = " red" if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else ""
        letter = LETTERS[self._language][card.rank.letter]
        return f'<span class="card{tone}">{_SIGNS[card.suit]}{letter}</span>'

    def _suit(self, suit: Suit) -> str:
        return filled(f"{{{suit.letter}}}", self._language)

    def _head(self) -> Iterator[str]:
        final, began = self._course.final, self._hand.began
        names = f"{self._name(Player.SOUTH)} – {self._name(Player.NORTH)}"
        day = "" if began is None else began.strftime(" · %Y-%m-%d %H:%M")
        yield f'<p class="soft">{names}{day} · {escape(final.rules.title)}</p>'
        dealer = {"0": f"{{{int(final.dealer)}}}"}
        if self._entered and final.dealt_up is None:
            yield f"<p>{self._say('noted')}</p>"
        elif final.dealt_up is None or final.trump is None:
            yield f"<p>{self._say('deals_unseen', **dealer)}</p>"
        else:
            suit = self._suit(final.trump)
            yield f"<p>{self._say('deals', **dealer, card=self._card(final.dealt_up), suit=suit)}</p>"
        result, award = result_of(final), final.award
        won = "won_one" if result.game_points == 1 else "won"
        if result.winner is None:
            won = "open" if result.reason == "open" else "nobody"
        outcome = self._say(won, **{"0": f"{{{int(result.winner or 0)}}}"}, n=result.game_points)
        south, north = (str(points).replace(" to ", "–") for points in result.card_points)
        why = REASONS[self._language].get(result.reason, result.reason)
        clause = "" if award is None else f", {self._say('clause', clause=award.clause)}"
        counted = "" if self._entered else f" · {self._say('points', south=south, north=north)}"
        yield f"<p><strong>{outcome}</strong> ({escape(why)}{clause}){counted}</p>"

    def _tricks(self) -> Iterator[str]:
        heads = ("trick", "lead", "answer", "to")
        cells = "".join(f"<th>{self._say(name)}</th>" for name in heads)
        points = "".join(f'<th class="n">{self._name(player)}</th>' for player in Player)
        yield f"<table><thead><tr>{cells}{points}<th></th></tr></thead><tbody>"
        for told in tricks(self._course):
            plays = told.trick is not None or told.led is not None
            for event in told.words:
                yield f'<tr class="word"><td></td><td colspan="6">{self._event(event)}</td></tr>'
            if plays:
                yield self._trick(told)
        yield "</tbody></table>"

    def _trick(self, told: Told) -> str:
        trick = told.trick
        if trick is not None:
            lead = f"{self._name(trick.leader)} {self._card(trick.led)}"
            answer, to = self._card(trick.followed), "?" if trick.winner is None else self._name(trick.winner)
        else:
            lead = "" if told.led is None else f"{self._name(told.led.player)} {self._card(told.led.card)}"
            answer = to = ""
        points = "".join(f'<td class="n">{_points(count)}</td>' for count in told.counts)
        return (
            f"<tr><td>{told.number}</td><td>{lead}</td><td>{answer}</td><td>{to}</td>{points}"
            f"<td>{self._still(told.number)}</td></tr>"
        )

    def _still(self, number: int) -> str:
        """Return the picture of a trick: that of its second card, where both were played."""
        if len(self._hand.entries) - 1 != len(self._course.events):
            return ""  # a revoke was taken back: which entries the tricks are of is not known
        plays = [entry for entry in self._hand.entries if isinstance(entry.event, CardPlayed)]
        for entry in reversed(plays[2 * number - 2 : 2 * number]):
            if jpeg := self._picture(entry.time):
                data = base64.b64encode(jpeg).decode()
                return f'<img alt="" src="data:image/jpeg;base64,{data}">'
        return ""

    def _event(self, event: Event) -> str:
        if isinstance(event, Dealt):
            return f"{self._name(event.dealer)}: {self._card(event.turned_up)}"
        names = self._name(Player.SOUTH), self._name(Player.NORTH)
        return event_text(event, self._language, names, self._card)

    def _noticed(self) -> Iterator[str]:
        yield f"<h2>{self._say('told')}</h2>"
        if self._review is not None and "unjudged" not in self._review:
            told = self._review["told"]
        else:
            told = [finding_to_json(each) for each in ranked(self._course)]
            yield f'<p class="soft">{self._say("rules_only")}</p>'
        if not told:
            yield f"<p>{self._say('nothing')}</p>"
            return
        yield "<ol>"
        for each in told:
            text = escape(filled(each["pattern"][self._language], self._language, self._hand.names))
            cost = self._cost(each["loss"])
            yield f"<li>{text}{cost}</li>"
        yield "</ol>"

    def _cost(self, loss: float | None) -> str:
        if not loss:
            return ""
        points = f"{loss:.1f}".replace(".", "," if self._language == "de" else ".")
        return f" <strong>({self._say('loss', n=points)})</strong>"

    def _known(self) -> Iterator[str]:
        """Yield what people changed and were asked, and where nobody saw the table."""
        lines = []
        for change in self._hand.corrections:
            before = "–" if change.told.was is None else self._event(change.told.was)
            if change.told.now is None:
                line = self._say("removed", before=before)
            else:
                line = self._say("was", what=self._event(change.told.now), before=before)
            lines.append(f"{line} ({self._by(change.told)})")
        by_seq = {entry.seq: entry for entry in self._hand.entries}
        for question in self._hand.questions:
            if question.seq in by_seq and question.seq not in self._hand.corrected:
                lines.append(self._say("asked", what=self._event(by_seq[question.seq].event)))
        for entry in self._hand.entries:
            if gaps := self._hand.gaps_before(entry):
                n = in_all(gap.whole_seconds for gap in gaps)
                what = self._event(entry.event)
                lines.append(
                    self._say("lay_there", what=what) if n is None else self._say("unseen", what=what, n=n)
                )
        if lines:
            yield f"<h2>{self._say('changed')}</h2><ul>"
            yield from (f"<li>{line}</li>" for line in lines)
            yield "</ul>"

    def _by(self, told: Corrected) -> str:
        """Return who changed something, and when by this machine's clock."""
        at = datetime.fromisoformat(told.at).astimezone()
        who = self._say(told.source) if told.source in self._words else escape(told.source)
        return f"{who}, {at:%Y-%m-%d %H:%M}"


def _points(count: Count) -> str:
    total = str(count.total.low) if count.total.exact else f"{count.total.low}–{count.total.high}"
    return f"{total} +{count.pending.high}" if count.pending.high else total
