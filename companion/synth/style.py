"""How two people handle cards, and where things lie on their table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.rules.cards import Player
from companion.synth.script import Grip

__all__ = ["HABITS", "Style", "View"]

HABITS = (
    "fidget", "helpful", "shows", "counts", "shoves", "looks_back", "serves", "rests",
    "takes_back", "straightens", "slides", "holds", "late", "snatches",
    "draws_first", "draws_late", "one_by_one", "fans", "both_back", "turns_there", "lays_beside",
    "leads_early", "turns_first", "out_of_turn", "flashes", "turned_last", "turns_over", "loser_shows",
    "second_pack", "lets_lie", "marks", "lands_down", "spreads", "mixes", "mixes_there", "throws_in",
    "stays_shown", "deals_twice", "nudges", "tucks", "shuffles", "squares",
    "shows_after", "hands_over", "turned_on_stock", "closes_beneath", "puts_aside", "moves_pile", "replays",
    "keeps_hand", "leaves_last", "faces_up", "lies_apart", "lifts_stock", "looks_on",
    "peeks", "reopens", "sticks", "plays_anew", "looks_later", "throws_open",
    "counts_early", "drops", "puts_by", "exposes", "shows_cut",
)  # fmt: skip
"""Probabilities and shares of a `Style`."""

_OUT_OF_SIGHT_MM = -70.0


@dataclass(frozen=True, slots=True)
class View:
    """The part of the table that the camera sees.

    Attributes:
        half_width_mm: From the middle to the left and right edge, where the picture is narrowest.
        north_mm: y of the top edge (below 0).
        south_mm: y of the bottom edge.
    """

    half_width_mm: float = 330.0
    north_mm: float = -185.0
    south_mm: float = 185.0

    def edge(self, south: bool) -> float:
        """Return y of the edge on one player's side."""
        return self.south_mm if south else self.north_mm


@dataclass(frozen=True, slots=True)
class Style:
    """What differs from table to table.

    Attributes:
        pace: Factor on all times; 1 is unhurried.
        think_s: Shortest and longest thought before a play, seconds.
        stock_side: -1: the stock lies left, 1: right.
        stock_x, stock_y, stock_angle: Where the stock lies: share of the half width, mm, radians.
        turn_up_way: -1 or 1: to which side of the stock the turn-up sticks out.
        pile_x: Of the won piles, share of the half width, on the other side.
        pile_inset_mm: Of their middle from the players' edges; below 0 outside the picture.
        trick_x, trick_y: Where tricks are played, mm from the middle.
        overlap_mm: Between the middles of the two cards of a trick, least and most.
        slope: Standard deviation of a played card's angle, radians.
        grips: Of south and north.
        left: Whether south and north play with the left hand.
        dealt: `carried` or `at_once`.
        swept: `carried` or `at_once`: how the table is cleared.
        marriage: `two_laid`: both laid down, one taken back; `one_held`: one stays in the hand; `button`:
            a button is laid beside the lead, and taken back with the trick (`button.with_buttons`).
        flip_late: Tricks are turned over where they are laid, not where they are picked up.
        fidget: Probability of a hand's needless move before a play.
        helpful: Probability that the loser pushes the trick to its winner.
        cut: The pack lies on the table before the deal, and is cut.
        before_each: Each plays before himself, and no card lies on another.
        packets: Hands are dealt face down before the players, by threes and twos, and picked up after.
        shows: Probability that whoever has claimed lays open the rest of the hand.
        counts: Probability that the winner turns up the won cards to count them.
        shoves: Probability that the stock is pushed, the turn-up with it, when somebody has drawn.
        looks_back: Probability that whoever took a trick looks at it once more.
        haste: How much of a hand's way home is still to go when the next act begins, of the other
            player's hand at most: 0 waits till it has gone, 1 for nothing.
        crosswise: Each player keeps won tricks at the right hand; one of the piles lies on the stock's side.
        serves: Probability that the winner of a trick draws for both.
        rests: Probability that a player lays the hand down, face down, while the other thinks.
        takes_back: Probability that a card is taken back, and another played.
        straightens: Probability that a card that was played is pushed or turned where it lies.
        holds: How much of their cards players hold over the edge of the picture, as a share of their height.
        slides: Probability that a card is put down before its player, and pushed in slowly.
        late: Probability that a claim is pressed on a phone only once all has been shown and counted.
        snatches: Probability that whoever wins a trick by answering takes it in the same motion.
        draws_first: Probability that a trick lies open until both have drawn.
        draws_late: Probability that whoever lost the trick draws only once the other has led.
        one_by_one: Probability that the cards of a trick are taken one after the other.
        fans: Probability that king and queen are shown half upon each other.
        both_back: Probability that both are taken back before the one is led.
        lays_beside: Probability that who exchanges first lays the lowest trump upon the turn-up.
        turns_there: Probability that who closes turns the turn-up down where it lies, half under the stock.
        leads_early: Probability that whoever won a trick draws only after leading to the next.
        turns_first: Probability that a trick is turned face down where it lies, and taken a while later.
        out_of_turn: Probability that whoever lost the trick lays a card as if to lead, and takes it back.
        flashes: Probability that the face of a card that is drawn shows on its way to the hand.
        turned_last: Probability that the turn-up is put under the stock once all else has been dealt.
        turns_over: Probability that somebody turns over what is left of the stock when the hand has ended.
        loser_shows: Probability that whoever lost the hand lays the rest open as well.
        second_pack: Probability that another pack lies face down on the table all evening.
        lets_lie: Probability that whoever won a trick leads to the next before taking it.
        marks: Probability that a card of a marriage lies open and crosswise in the pile that it was won for.
        lands_down: Probability that a card lands face down, and is turned over where it lies.
        spreads: Probability that somebody who is to lead spreads the stock to count it.
        mixes: Probability that the pack is mixed on the table between two hands, some cards face up.
        mixes_there: Probability that all that lies there after a hand is mixed on the table at once.
        throws_in: Probability that the rest of the loser's hand is thrown on the table, face down.
        stays_shown: Probability that both cards of a marriage lie there until the trick is taken.
        deals_twice: Probability that a deal is gathered in again before anybody plays, and dealt anew.
        nudges: Probability that an answer pushes the lead aside as it lands.
        tucks: Probability that no more than a third of the turn-up sticks out from under the stock.
        shuffles: Probability that the pack is shuffled in sight, in the dealer's hands over the table.
        squares: Probability that the cards are gathered into a pack that lies on the table for a while.
        shows_after: Probability that of a marriage first the one card is laid and then the other shown.
        hands_over: Probability that the winner of a trick draws for both, and pushes the other's card there.
        turned_on_stock: Probability that a card is turned over upon the stock, and then put under it.
        closes_beneath: Probability that who closes puts the turn-up face down wholly under the stock.
        puts_aside: Probability that a stock that has been closed is pushed aside.
        moves_pile: Probability that the winner of a trick puts the won cards in another place.
        keeps_hand: Probability that a hand stays upon the card that it has played for a while.
        leaves_last: Probability that a trick with which somebody has 66 is not taken any more.
        faces_up: Probability that a won trick lies face up.
        lies_apart: Probability that the turn-up lies beside the stock, and not under it.
        lifts_stock: Probability that whoever is to lead lifts the stock off the turn-up, and puts it back.
        looks_on: Probability that somebody who looks on reaches in from the side before a play, and points.
        peeks: Probability that somebody turns up the card that closed the stock, to see what is trump.
        reopens: Probability that whoever is to lead closes the stock and opens it again at once.
        sticks: Probability that another card comes along with a lead, and is taken back.
        plays_anew: Probability that both take back what they have played to a trick, and begin it anew.
        looks_later: Probability that the trick before is looked at once more while a lead lies there.
        throws_open: Probability that both throw what is left of their hands face up into the middle.
        counts_early: Probability that whoever has taken a trick turns up all won cards, and counts them.
        drops: Probability that before a play a card falls from one of the two hands, and is taken up again.
        puts_by: Probability that a trick is pushed aside as it lies, and taken with the next one.
        exposes: Probability that the last card that is dealt to whoever leads comes to lie face up.
        shows_cut: Probability that whoever cuts lays down the card that was cut, face up.
        replays: Probability that an answer that is not allowed is noted once the trick has been taken: it is
            turned up again, and answered anew.
    """

    pace: float = 1.0
    think_s: tuple[float, float] = (0.5, 3.0)
    stock_side: int = -1
    stock_x: float = 0.6
    stock_y: float = 0.0
    stock_angle: float = 0.1
    turn_up_way: int = 1
    pile_x: float = 0.75
    pile_inset_mm: float = 50.0
    trick_x: float = 15.0
    trick_y: float = 0.0
    overlap_mm: tuple[float, float] = (38.0, 75.0)
    slope: float = 0.25
    grips: tuple[Grip, Grip] = ("over", "over")
    left: tuple[bool, bool] = (False, False)
    dealt: str = "carried"
    swept: str = "carried"
    marriage: str = "two_laid"
    flip_late: bool = False
    fidget: float = 0.05
    helpful: float = 0.0
    cut: bool = False
    before_each: bool = False
    packets: bool = False
    shows: float = 0.0
    counts: float = 0.0
    shoves: float = 0.0
    looks_back: float = 0.0
    haste: float = 0.0
    crosswise: bool = False
    serves: float = 0.0
    rests: float = 0.0
    takes_back: float = 0.0
    straightens: float = 0.0
    slides: float = 0.0
    holds: float = 0.0
    late: float = 0.0
    snatches: float = 0.0
    draws_first: float = 0.0
    draws_late: float = 0.0
    one_by_one: float = 0.0
    fans: float = 0.0
    both_back: float = 0.0
    lays_beside: float = 0.0
    turns_there: float = 0.0
    leads_early: float = 0.0
    turns_first: float = 0.0
    out_of_turn: float = 0.0
    flashes: float = 0.0
    turned_last: float = 0.0
    turns_over: float = 0.0
    loser_shows: float = 0.0
    second_pack: float = 0.0
    lets_lie: float = 0.0
    marks: float = 0.0
    lands_down: float = 0.0
    spreads: float = 0.0
    mixes: float = 0.0
    mixes_there: float = 0.0
    throws_in: float = 0.0
    stays_shown: float = 0.0
    deals_twice: float = 0.0
    nudges: float = 0.0
    tucks: float = 0.0
    shuffles: float = 0.0
    squares: float = 0.0
    shows_after: float = 0.0
    hands_over: float = 0.0
    turned_on_stock: float = 0.0
    closes_beneath: float = 0.0
    puts_aside: float = 0.0
    moves_pile: float = 0.0
    replays: float = 0.0
    keeps_hand: float = 0.0
    leaves_last: float = 0.0
    faces_up: float = 0.0
    lies_apart: float = 0.0
    lifts_stock: float = 0.0
    looks_on: float = 0.0
    peeks: float = 0.0
    reopens: float = 0.0
    sticks: float = 0.0
    plays_anew: float = 0.0
    looks_later: float = 0.0
    throws_open: float = 0.0
    counts_early: float = 0.0
    drops: float = 0.0
    puts_by: float = 0.0
    exposes: float = 0.0
    shows_cut: float = 0.0

    def pile_side(self, player: Player) -> int:
        """Say where a player's won tricks lie: -1 left in the picture, 1 right."""
        if not self.crosswise:
            return -self.stock_side
        return 1 if player is Player.SOUTH else -1

    @classmethod
    def random(cls, rng: np.random.Generator) -> Style:
        """Any two players at any table."""
        slowest = float(rng.uniform(1.2, 3.0))
        habits = rng.spawn(1)[0]  # came later, and takes nothing from the other draws
        ways = rng.spawn(1)[0]  # later still
        slips = rng.spawn(1)[0]  # and these
        ends = rng.spawn(1)[0]  # then these
        quick = rng.spawn(1)[0]  # last of all
        side = int(rng.choice([-1, 1]))

        def grip() -> Grip:
            return "over" if rng.random() < 0.65 else "pinch"

        style = cls(
            pace=float(rng.uniform(0.75, 1.35)),
            think_s=(0.5, slowest),
            stock_side=side,
            stock_x=float(rng.uniform(0.5, 0.68)),
            stock_y=float(rng.normal(0, 15)),
            stock_angle=float(rng.normal(0, 0.25)),
            turn_up_way=int(rng.choice([-1, 1])),
            pile_x=float(rng.uniform(0.62, 0.85)),
            pile_inset_mm=float(rng.uniform(15, 60)),
            trick_x=float(-side * rng.uniform(0, 45)),
            trick_y=float(rng.normal(0, 8)),
            overlap_mm=(float(rng.uniform(32, 45)), float(rng.uniform(55, 95))),
            slope=float(rng.uniform(0.08, 0.4)),
            grips=(grip(), grip()),
            left=(bool(rng.random() < 0.15), bool(rng.random() < 0.15)),
            dealt="carried" if rng.random() < 0.75 else "at_once",
            swept="carried" if rng.random() < 0.8 else "at_once",
            marriage="two_laid" if rng.random() < 0.6 else "one_held",
            flip_late=bool(rng.random() < 0.3),
            fidget=float(rng.choice([0.0, 0.0, 0.05, 0.12])),
            helpful=float(rng.choice([0.0, 0.0, 0.1])),
            cut=bool(habits.random() < 0.4),
            packets=bool(habits.random() < 0.5),
            shows=float(habits.choice([0.0, 0.5])),
            counts=float(habits.choice([0.0, 0.0, 0.5])),
            shoves=float(habits.choice([0.0, 0.0, 0.15])),
            looks_back=float(habits.choice([0.0, 0.0, 0.1])),
            haste=float(ways.choice([0.0, ways.uniform(0.2, 1.0)])),
            crosswise=bool(ways.random() < 0.4),
            serves=float(ways.choice([0.0, 0.0, 0.3])),
            rests=float(ways.choice([0.0, 0.0, 0.1])),
            takes_back=float(slips.choice([0.0, 0.0, 0.04, 0.1])),
            straightens=float(slips.choice([0.0, 0.1, 0.25])),
            slides=float(slips.choice([0.0, 0.0, 0.2])),
            holds=float(slips.choice([0.55, 0.85])) if slips.random() < 0.2 else 0.0,
            late=float(ends.choice([0.0, 0.5])),
            snatches=float(quick.choice([0.0, 0.0, 0.2, 0.6])),
        )
        return replace(style, pile_inset_mm=_OUT_OF_SIGHT_MM) if ways.random() < 0.15 else style
