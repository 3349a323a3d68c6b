"""Finds a new deal among what lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np

from companion.decoding.evidence import Dark, TurnedUp, Unturned
from companion.decoding.held import lie_beside
from companion.decoding.known import Known
from companion.decoding.mixing import Mixing, lies_before_player
from companion.decoding.stock_place import StockPlace
from companion.decoding.things import Things
from companion.decoding.unfollowed import Unfollowed
from companion.rules.cards import PACK_24, Rank
from companion.table.detection import BACK
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import covered

__all__ = ["SHUFFLED_S", "Dealing"]

LEFT_LIES_S = 45.0
"""What a hand has left on the table is cleared away within this time."""
LEFT_S = 1.0
"""By then what lay there when a camera began to look has been read."""
ALONE_S = 1.0
"""A first face-up card without a stock in sight is taken for the turn-up after this time."""
AWAITED_S = 0.8
"""While a deal is awaited, a face waits this long for a stock beside it before it counts as a play."""
UNTURNED_S = 3.0
"""A first face away from a stock that lay there before it counts as a play after this time: till
then the stock may be something else, and the real one on its way to the turn-up."""
TURNED_UPON_S = 6.0
"""A card that was turned over upon the stock is put under it sooner."""
READ_S = 3.0
"""By then turn-up and stock that lay there as the table came in sight have been read."""
SHUFFLED_S = 6.0
"""A pack is not taken up, shuffled and dealt in less: a lone face that comes so soon is shown, or counted."""
DEALT_S = 20.0
"""Both hands and the stock lie there so soon after the turn-up."""
UPON_HAND = 0.25
"""A card that is turned over as it is dealt lies with this share of it upon the others."""
PUSHED_ASIDE_S = 6.0
"""In mid-hand not so many cards come to lie there in this time as when all are pushed together."""
LIES_UNDER = 0.05
"""Share of the turn-up that its stock covers at least, if it lies on it."""
ONE_HAND = 0.1
"""Least probability that turn-up and stock came from one side: whoever deals lays both."""
MISTAKEN_S = 4.0
"""Whoever has laid a card face down by mistake turns it over sooner."""
TOGETHER_S = 1.0
"""Faces that lie beside each other, and came within this time, were shown together."""


class Dealing:
    """Whether a deal is awaited, and what in the views is one.

    Attributes:
        awaited: Whether a new deal is looked for.
        alone: Whether a face without a stock beside it may be one: the hand before is known to be over.
        doubtful: Whether what was found last may have been no deal: nobody has a trick yet.
        at: When the turn-up of this hand or its stock came to rest, as far as it was seen; -inf: not yet.
        told_at: Time of the deal told last.
        mixing: Whether the pack is mixed on the table before it is dealt.
    """

    def __init__(self, known: Known, place: StockPlace, things: Things) -> None:
        self._known = known
        self._place = place
        self._things = things
        self.awaited = True
        self.alone = True
        self.doubtful = False
        self.at = -inf
        self.told_at = -inf
        self.mixing = Mixing()
        self._found_at = -inf
        """As `at`, of the deal found last."""
        self._epoch = -1.0
        """Only cards first seen later than this belong to a new deal."""
        self._left_over: int | None = None
        """Turn-up of a hand that is over and may still lie there; `None`: that is known."""
        self._left_since, self._left_until = 0.0, inf
        """When it was over, and when that is known."""
        self._seen: dict[int, float] = {}
        """When each card that lies there was seen last, seconds."""
        self._unfollowed = Unfollowed()
        self._awaited_since: float | None = None
        """When a deal was first looked for after the hand before, seconds; `None`: it is not yet."""
        self._stock: Observation | None = None
        """What may be the stock beside what has been played since."""
        self._lay_by: float | None = None
        """When a deal lay there at the latest that is looked for only then, seconds; `None`: no matter."""
        self._laid_unseen: set[int] = set()
        """Backs that may have been laid since the hand before, where another lay that looks like them."""

    def await_deal(self, since: float, *, over: bool, lay_by: float | None = None) -> None:
        """Look for a new deal among cards first seen after `since`; `over`: as `alone`.

        `lay_by`: only among those that lay there by then, and for no longer than it takes to read them.
        """
        self.awaited, self._epoch, self.alone, self._lay_by = True, since, over, lay_by
        self._laid_unseen = set()

    def understood(self, *, anew: bool) -> None:
        """The deal has been understood, `anew` that of a new hand."""
        self.awaited, self._awaited_since, self._stock, self._lay_by = False, None, None, None
        self._unfollowed.begin()
        if anew:
            self.at = self._found_at

    def leave(self, turn_up: int, since: float) -> None:
        """Take what lies there in the next views for what a hand has left, if its turn-up does.

        Args:
            turn_up: Class of the card under its stock.
            since: When it was over, seconds.
        """
        self._left_over, self._left_since, self._left_until = turn_up, since, inf

    def find(self, view: TableView, lying: Sequence[Observation]) -> TurnedUp | Unturned | None:
        """Return a new deal, if one lies there that is awaited, or that shows another to have been none."""
        self._look_for_mixing(view, lying)
        self._note_unseen(lying)
        if self.mixing.now:
            return None
        if self._lay_by is not None and view.time > self._lay_by + READ_S:
            self.awaited, self._lay_by = False, None
        if self._lay_by is not None:
            lying = [card for card in lying if self._known.since[card.track] <= self._lay_by]
        if not self.awaited:
            return self._find_real(view, lying) if self.doubtful else None
        if not self._knows_left(view, lying):
            return None
        old = [card for card in lying if card.first_seen <= self._epoch and self._is_old(card)]
        hidden = [card for card in old if view.time - max(card.last_seen, self._epoch) >= SHUFFLED_S]
        # what lies upon those may be the next deal, and where a stock lay the next may lie
        old = [card for card in old if card not in hidden and card.track not in self._laid_unseen]
        if any(not self._known.is_back(card) for card in old):
            return None
        faces = [card for card in lying if self._known.ready(card, view.time) and self._known.is_face(card)]
        # a score sheet beside the stock may look like a card; it lay there all day, and looks so less surely
        sights = self._known.sights
        faces.sort(key=lambda card: (self._things.lay_there(card), -sights[card.track].surest_face))
        backs = [card for card in lying if card.phase is Phase.STILL and self._known.is_back(card)]
        for face in faces:
            told = face.track in self._known.told
            if (told and face.first_seen <= self._epoch) or self._things.is_one(face):
                continue
            if self.mixing.is_part(face, view.time) or self._lies_upon_stock(face, view.time):
                continue
            beside = self._stocks_beside(face, backs, view, left=bool(old or hidden))
            # a stock has been laid since the hand before, and a box that looks like one has not
            before = [back for back in backs if self._epoch < back.first_seen < face.first_seen - ALONE_S]
            stocks = self._stocks(before, backs, view.size)
            lay_s = view.time - self._known.since[face.track]
            settled = self.alone and not (old or hidden)
            if beside or (
                settled and len(faces) == 1 and not stocks and lay_s >= ALONE_S and self._is_lone(face, view)
            ):
                self._tell_anew(lying)
                return self._found(face, beside)
            if stocks and settled and lay_s >= UNTURNED_S:
                self._place.dealt_without(stocks[0])
                self._tell_anew(lying)
                self._found_at = self.told_at = self._known.since[stocks[0].track]
                return Unturned(self.told_at)
        return None

    def find_missed(
        self, view: TableView, lying: Sequence[Observation], dark: Dark | None
    ) -> Unturned | None:
        """Return the deal that was missed, where tricks are played and none has been found.

        That is so beside a stock, or after nobody had seen the table for long enough. The hand begins with
        what is led next: nobody has followed what was played before.

        Args:
            view: The table.
            lying: What has come to lie there.
            dark: The last time for which nobody saw it.
        """
        if not (self.awaited and self.alone) or view.blind:
            return None
        if self._awaited_since is None:
            self._awaited_since = view.time
        if self.mixing.now:
            return None
        known, missed, unwatched = self._known, self._awaited_since, False
        if dark is not None and dark[1] >= self._awaited_since:
            missed, unwatched = min(missed, dark[0]), dark[1] - dark[0] >= SHUFFLED_S
        new = [card for card in lying if card.first_seen > self._epoch and known.ready(card, view.time)]
        faces = [card for card in new if known.is_face(card) and not known.is_doubtful(card)]
        since = {card.track: known.since[card.track] for card in faces if not self._things.is_one(card)}
        if since:
            backs = [card for card in lying if card.phase is Phase.STILL and known.is_back(card)]
            self._stock = next((back for back in backs if _may_be_stock(back, view.size)), self._stock)
        if not self._unfollowed.look(since) or not (self._stock or unwatched):
            return None
        if self._stock is None:
            self._place.lose()
        else:
            self._place.dealt_without(self._stock)
        self._tell_anew(lying)
        self._found_at = self.told_at = max(since.values(), default=view.time)
        return Unturned(self.told_at, missed)

    def _note_unseen(self, lying: Sequence[Observation]) -> None:
        """Note which backs nobody has seen for so long, the hand over, that they may have been laid anew."""
        for card in lying:
            before = self._seen.get(card.track, card.last_seen)
            if self._known.is_back(card) and card.last_seen - max(before, self._epoch) >= SHUFFLED_S:
                self._laid_unseen.add(card.track)
        self._seen = {card.track: card.last_seen for card in lying}

    def _look_for_mixing(self, view: TableView, lying: Sequence[Observation]) -> None:
        """Look whether the pack lies about: since the hand before, or in place of what lay there in this."""
        if self.awaited or self.doubtful:
            since = self._epoch if self.awaited else self.told_at
            new = [card for card in lying if card.first_seen > since]
        else:
            since = view.time - PUSHED_ASIDE_S
            new = [card for card in lying if card.first_seen > since and card.came]
            if any(self._place.is_turn_up(card) and card.last_seen >= view.time for card in lying):
                new = []  # nobody pushes the pack about around it
        backs = [card for card in new if self._known.is_back(card)]
        others = [card for card in new if not self._known.is_back(card)]
        self.mixing.look(backs, others, time=view.time, size=view.size, unit=self._place.unit)

    def _find_real(self, view: TableView, lying: Sequence[Observation]) -> TurnedUp | None:
        """Return the deal, where a card was seen before that was none: exposed as the pack was cut, or dealt.

        That card has gone, or what seemed to be a stock without a turn-up has; another face lies there
        elsewhere under a back, both laid since.
        """
        place, sights = self._place, self._known.sights
        if place.turn_up is None:
            if any(self._known.is_back(card) and place.near_stock(card) for card in lying):
                return None
        elif any(sights[track].phase is not Phase.GONE for track in place.tracks if track in sights):
            return None
        new = [card for card in lying if card.first_seen > self.told_at and card.phase is Phase.STILL]
        stocks = [card for card in new if self._known.is_back(card) and self._stays_apart(card, view)]
        for face in new:
            if not self._known.is_face(face) or self._known.is_doubtful(face):
                continue
            beside = [stock for stock in stocks if place.within_reach(stock, face)]
            if place.near_stock(face):
                beside = [stock for stock in beside if self._is_other_pack(face, stock)]
            if beside and not any(sights[track].best == sights[face.track].best for track in place.tracks):
                self._known.tell_again(self._known.since[face.track])
                return replace(self._found(face, beside), instead=True)
        return None

    def _is_other_pack(self, face: Observation, stock: Observation) -> bool:
        """Whether face and stock came once what seemed to be the turn-up had gone, and not by exchange."""
        tracks = [self._known.sights[track] for track in self._place.tracks if track in self._known.sights]
        if not tracks or min(face.first_seen, stock.first_seen) <= max(one.last_seen for one in tracks):
            return False
        laid = PACK_24[self._known.sights[face.track].best]
        suits = {PACK_24[one.best].suit for one in tracks if one.best < BACK}
        return laid.rank not in (Rank.NINE, Rank.JACK) or laid.suit not in suits

    def _found(self, face: Observation, beside: Sequence[Observation]) -> TurnedUp:
        """Take a face for the turn-up of a new hand, and what lies beside it for its stock."""
        self._place.dealt(face)
        self._known.told.add(face.track)
        self._found_at = min(self._known.since[card.track] for card in (face, *beside))
        self.told_at = self._known.since[face.track]
        return TurnedUp(face.track, self.told_at, deal=True)

    def is_exposed(self, card: Observation, lying: Sequence[Observation]) -> bool:
        """Whether a face lies upon a hand that is being dealt: no stock lies beside the turn-up yet."""
        place = self._place
        dealt = not place.tracks or card.first_seen - self.told_at > DEALT_S
        if dealt or place.seen_together or place.holds(card):
            return False
        backs = [one for one in lying if self._known.is_back(one)]
        if any(place.near_stock(back) for back in backs):
            return False
        return any(covered(card.corners, back.corners) >= UPON_HAND for back in backs)

    def may_await_stock(self, card: Observation, lying: Sequence[Observation], time: float) -> bool:
        """Whether a card may be the turn-up of a deal whose stock may be recognised a moment later.

        Of two faces in mid-hand none is.
        """
        if not self.awaited or card.first_seen <= self._epoch:
            return False
        if self._lay_by is not None and self._known.since[card.track] > self._lay_by:
            return False
        if self._lies_upon_stock(card, time):
            return True
        if self.waited(card, time):
            return False
        faces = [one for one in lying if one.first_seen > self._epoch and self._known.is_face(one)]
        return self.alone or len(faces) < 2

    def _lies_upon_stock(self, face: Observation, time: float) -> bool:
        """Whether a face was turned over upon the stock a moment ago: it is yet to be put under that.

        In mid-hand it is a card that has landed face down.
        """
        if not self.alone:
            return False
        sights = self._known.sights
        below = [sights[track] for track in sights[face.track].upon if track in sights]
        lay_s = time - self._known.since[face.track]
        return lay_s < TURNED_UPON_S and any(one.is_back and one.still_since > self._epoch for one in below)

    def waited(self, card: Observation, time: float) -> bool:
        """Whether a card has lain long enough for a stock beside it to be recognised."""
        return time - self._known.since[card.track] >= AWAITED_S

    def _stocks_beside(
        self, face: Observation, backs: Sequence[Observation], view: TableView, *, left: bool
    ) -> list[Observation]:
        """Backs that may be the stock of a face that is turned up.

        Args:
            face: That may be a turn-up.
            backs: All that lie still.
            view: In which they do.
            left: Whether backs of the hand before lie there.
        """
        beside = [back for back in backs if self._place.within_reach(back, face)]
        if self._lay_by is not None:  # it may be a lead beside a pile of won tricks
            beside = [back for back in beside if covered(face.corners, back.corners) >= LIES_UNDER]
        if self._things.lay_there(face):
            beside = [back for back in beside if self.waited(back, view.time)]
        if self._known.is_doubtful(face):
            # a score sheet looks a little like a card where a hand that was dealt covers a part of it
            beside = [back for back in beside if not lies_before_player(back, view.size)]
        if left or not self.alone:
            # it may be a card of the hand before, of whose end something was missed; no pile comes there,
            # and of a trick that is gathered one card lies face down beside the other for a moment only.
            # So, too, while backs of that hand lie there: they may be its piles, or another pack
            beside = [
                back for back in beside if back.first_seen > self._epoch and self._stays_apart(back, view)
            ]
        if face.track in self._known.told and not self.alone:
            if self._is_shown_with_another(face, view):
                return []
            # of a trick that is turned down where it lies one card lies under the other, out of sight; and a
            # card that lies face down by mistake answers the other player's
            beside = [
                back
                for back in beside
                if face.last_seen >= self._known.since[back.track]
                and (self._may_be_of_one_hand(face, back) or self._lies_on(back, view.time))
            ]
        return beside

    def _is_shown_with_another(self, face: Observation, view: TableView) -> bool:
        """Whether another face lies beside one since the same moment: a hand's last cards are shown so."""
        since, known = self._known.since[face.track], self._known
        return any(
            card.track in known.told - {face.track}
            and card.phase is not Phase.GONE
            and known.is_face(card)
            and abs(known.since[card.track] - since) < TOGETHER_S
            and lie_beside(face, card)
            for card in view.cards
        )

    def _stays_apart(self, back: Observation, view: TableView) -> bool:
        """Whether a card lies where no hand is dealt to, and for longer than a card of a gathered trick."""
        return (
            not lies_before_player(back, view.size) and view.time - self._known.since[back.track] >= ALONE_S
        )

    def _lies_on(self, back: Observation, time: float) -> bool:
        """Whether a card has lain face down for longer than by mistake."""
        return time - self._known.since[back.track] >= MISTAKEN_S

    def _may_be_of_one_hand(self, one: Observation, other: Observation) -> bool:
        """Whether one player may have laid both cards, as far as it is known from which side they came."""
        south = [self._known.sights[card.track].from_south for card in (one, other)]
        return south[0] * south[1] + (1.0 - south[0]) * (1.0 - south[1]) >= ONE_HAND

    def _is_lone(self, face: Observation, view: TableView) -> bool:
        """Whether a face without a stock in sight may be a turn-up.

        What is shown after a hand lies alone, too, but hardly just where the turn-up lay, and sooner than
        anybody can have dealt.
        """
        if self._things.lay_there(face) or self._known.is_doubtful(face) or self._lay_a_moment_ago(face):
            return False
        if face.track not in self._known.told:
            return True
        return self._place.is_usual(face, view.size) and not self._came_before_gathering(face)

    def _came_before_gathering(self, face: Observation) -> bool:
        """Whether cards of the hand before were seen there after this one came: nobody has dealt them yet."""
        since = self._known.since[face.track]
        return any(
            one.came and one.still_since <= self._epoch and one.last_seen > since
            for one in self._known.sights.values()
        )

    def _lay_a_moment_ago(self, face: Observation) -> bool:
        """Whether faces of the hand before lay there until a moment before this one came."""
        since = self._known.since[face.track]
        before = (self._known.sights[track] for track in self._known.told - {face.track})
        return any(
            one.best < BACK and one.came and one.still_since < since < one.last_seen + SHUFFLED_S
            for one in before
        )

    def _knows_left(self, view: TableView, lying: Sequence[Observation]) -> bool:
        """Whether it is known by now if the hand before still lies there; its turn-up tells.

        Soon after it was over that card is its own, though it may have been found anew; later only if it
        has lain there since.
        """
        if self._left_over is None:
            return True
        if view.blind:
            return False
        self._left_until = min(self._left_until, view.time + LEFT_S)
        if view.time < self._left_until:
            return False
        soon = view.time - self._left_since < LEFT_LIES_S
        left = [card for card in lying if self._known.sights[card.track].best == self._left_over]
        if any(soon or card.first_seen <= self._left_since for card in left):
            self._epoch = view.time
        self._left_over = None
        return True

    def _stocks(
        self, before: Sequence[Observation], backs: Sequence[Observation], size: tuple[int, int]
    ) -> list[Observation]:
        """Those of `before` that may be the stock: whole, not before a player, none of `backs` lies apart.

        Hands lie face down before the players while the cards are dealt.
        """
        if any(not self._place.within_reach(one, other) for one in before for other in backs):
            return []
        return [back for back in before if _may_be_stock(back, size)]

    def _tell_anew(self, lying: Sequence[Observation]) -> None:
        """What was laid since a hand was over, and told as something of that hand, belongs to the next."""
        if self.alone:
            self._known.told -= {card.track for card in lying if card.first_seen > self._epoch}

    def _is_old(self, card: Observation) -> bool:
        """Whether a card has been laid there; what is not read clearly may be a phone that was typed on."""
        came = self._known.sights[card.track].came
        return came and (self._known.is_back(card) or not self._known.is_doubtful(card))


def _may_be_stock(back: Observation, size: tuple[int, int]) -> bool:
    """Whether a back lies where no hand is dealt to, and all of it is in the picture.

    Nobody puts the stock half out of sight.
    """
    whole = (back.corners >= 0).all() and (back.corners <= np.array(size)).all()
    return bool(whole) and not lies_before_player(back, size)
