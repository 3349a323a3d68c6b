"""A review as JSON: an object for the hand, one for each decision, one for what there is to say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.review.course import Course
from companion.review.findings import Finding
from companion.review.judging import Decision
from companion.review.story import Step, story
from companion.review.wording import LANGUAGES, filled, pattern
from companion.rules.cards import Player
from companion.rules.event_form import event_to_json
from companion.rules.match_form import written_points
from companion.rules.record import result_of
from companion.rules.scoring import Count
from companion.solver.sampling import Chance

__all__ = ["chance_to_json", "decision_to_json", "finding_to_json", "hand_to_json", "review_to_json"]


def hand_to_json(course: Course, found: Sequence[Finding]) -> dict[str, Any]:
    """Write the story of a hand and what the rules alone show of it."""
    record, final = course.record, course.final
    return {
        "type": "hand",
        "rules": record.rules.to_json(),
        "dealer": int(final.dealer),
        "turned_up": None if final.dealt_up is None else str(final.dealt_up),
        "trump": None if final.trump is None else final.trump.letter,
        "result": {
            **result_of(final).to_json(),
            "clause": None if final.award is None else final.award.clause,
        },
        "steps": [_step_to_json(step) for step in story(course)],
        "found": [finding_to_json(each) for each in found],
    }


def _step_to_json(step: Step) -> dict[str, Any]:
    state = step.state
    return {
        "at": step.at,
        "event": None if step.event is None else event_to_json(step.event),
        "trick": step.trick,
        "counts": [_count_to_json(each) for each in step.counts],
        "tricks": [state.tricks_of(player) for player in Player],
        "held": [[str(card) for card in hand] for hand in step.held],
        "hidden": list(step.hidden),
        "table": [
            {"player": int(each.player), "card": None if each.card is None else str(each.card)}
            for each in step.table
        ],
        "taken_by": int(state.leader) if len(step.table) == 2 and state.leader is not None else None,
        "turned_up": None if state.turned_up is None else str(state.turned_up),
        "stock_left": state.stock_left,
        "stock": "closed" if state.at_close else "exhausted" if state.exhausted else "open",
    }


def _count_to_json(count: Count) -> dict[str, Any]:
    parts = {
        "cards": count.cards,
        "marriages": count.marriages,
        "pending": count.pending,
        "bonus": count.bonus,
    }
    return {
        "total": written_points(count.total),
        **{name: written_points(each) for name, each in parts.items() if each.high},
    }


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Write a finding with its sentence in each language, as text and with places for names."""
    patterns = {language: pattern(finding, language) for language in LANGUAGES}
    return {
        "kind": finding.kind,
        "player": int(finding.player),
        "trick": finding.trick,
        "at": finding.at,
        "loss": None if finding.loss is None else round(finding.loss, 2),
        **({"proof": finding.known["proof"]} if finding.kind == "revoke" else {}),
        "text": {language: filled(each, language) for language, each in patterns.items()},
        "pattern": patterns,
    }


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Write a decision with what each action promised."""
    moment = decision.moment
    return {
        "type": "decision",
        "at": moment.at,
        "player": int(moment.player),
        "trick": moment.trick,
        "action": moment.action,
        "best": decision.best,
        "loss": round(decision.loss, 2),
        "standard_error": round(decision.error, 3),
        "certain": decision.certain,
        "layouts": decision.layouts,
        "open_loss": decision.open_loss,
        "actions": {name: chance_to_json(each) for name, each in _best_first(decision)},
    }


def _best_first(decision: Decision) -> list[tuple[str, Chance]]:
    return sorted(decision.actions.items(), key=lambda each: (-each[1].game_points, -each[1].wins))


def chance_to_json(chance: Chance) -> dict[str, float]:
    """Write what an action promises."""
    return {"game_points": round(chance.game_points, 2), "wins": round(chance.wins, 2)}


def review_to_json(
    told: Sequence[Finding], decisions: Sequence[Decision], unjudged: str = ""
) -> dict[str, Any]:
    """Write what there is to say of a hand, what cost most first."""
    lost = [
        round(sum(each.loss for each in decisions if each.moment.player == player), 2) for player in (0, 1)
    ]
    return {
        "type": "review",
        "told": [finding_to_json(each) for each in told],
        "decisions": len(decisions),
        "lost": lost,
        **({"unjudged": unjudged} if unjudged else {}),
    }
