"""How many stories are followed and when they are believed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DecoderOptions"]


@dataclass(frozen=True, slots=True)
class DecoderOptions:
    """What a decoder may be told; times in seconds, odds in nats.

    Attributes:
        width: Stories kept. Too few and a late repair finds its story gone.
        within: Stories this far below the best are dropped.
        margin: Every story within this distance of the best must agree before an act settles.
        retract_margin: How much better another story must be to withdraw what was settled.
        settle_s: How long a card must have lain before it settles.
        hold_lead_s: How long a lead waits for what may still come before it: a closing, a marriage.
        ask_s: How long ago an act must be that the table is asked about.
        contest_s: How long close stories must have differed on it by then.
        alone_s: How long, where the others only tell nothing yet: what follows will mostly decide.
        move_on: How many acts may follow a contested card before it is written without its name.
        swept_s: How long the table stays bare before the hand counts as ended by a claim.
        wait_told_s: How long a player's word waits for the cards that it belongs to.
        claim_rest_s: How long nothing must have moved before a claim is judged: a card may just come to lie.
        claim_wait_s: How long a claim waits for that at most.
        claim_margin: A claim is taken where a story within this distance of the best allows it, in nats.
        resume_s: A card that lies still so soon after a restart may have been played before it.
        sure: Share of the belief from which on a card counts as known when time is up.
        doubtful: Share of the belief that tells a written act differently from which on it is asked about.
        doubtful_deal: Share that tells the deal differently from which on that is asked about: what is trump
            decides all that follows.
        heard_confidence: Confidence of a claim that only the swept table tells of.
    """

    width: int = 48
    within: float = 16.0
    margin: float = 4.0
    retract_margin: float = 3.0
    settle_s: float = 0.5
    hold_lead_s: float = 2.0
    ask_s: float = 3.0
    contest_s: float = 1.0
    alone_s: float = 8.0
    move_on: int = 3
    swept_s: float = 2.0
    wait_told_s: float = 2.5
    claim_rest_s: float = 0.6
    claim_wait_s: float = 1.0
    claim_margin: float = 6.0
    resume_s: float = 2.0
    sure: float = 0.9
    doubtful: float = 0.2
    doubtful_deal: float = 0.1
    heard_confidence: float = 0.8
