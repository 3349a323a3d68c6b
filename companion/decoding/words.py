"""What players say, put into stories: words of the game, corrections, withdrawals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.decoding.belief import Belief
from companion.decoding.evidence import Dark
from companion.decoding.likelihood import (
    LOG_GATHERED_UNANSWERED,
    LOG_MARRIAGE_HELD,
    LOG_NOT_OFFERED,
    Sight,
)
from companion.decoding.marriages import unseen_partner
from companion.decoding.options import DecoderOptions
from companion.decoding.settler import Settler
from companion.decoding.shown import led_or_shown, may_be_open
from companion.decoding.story import Act, Story
from companion.decoding.unseen import announced_unseen, answered_unseen
from companion.rules.altered import altered
from companion.rules.cards import Player
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Event,
    Exchanged,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, ImpossibleEvent, check
from companion.rules.scoring import ENOUGH, count
from companion.table.observation import Phase

__all__ = ["Words"]

TAKEN_S = 1.5
"""A card that was gone for longer when a claim was heard was hardly laid open with it."""


class Words:
    """What players have said and no story tells yet; true while there is any.

    Args:
        options: How long a word waits for the cards that it belongs to.
    """

    def __init__(self, options: DecoderOptions) -> None:
        self._options = options
        self._waiting: list[Act] = []
        self._sayable: tuple[object, frozenset[Event]] = (None, frozenset())
        """What it was worked out for, and what may be said."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def say(self, event: Event, time: float, source: str) -> None:
        """Take a word; one that waits already was meant, too."""
        if all(act.event != event for act in self._waiting):
            self._waiting.append(Act(event, time, source=source))

    def unsay(self, event: Event) -> None:
        """Drop a word that was taken back, however often it was said."""
        self._waiting = [act for act in self._waiting if act.event != event]

    def forget(self) -> None:
        """Drop what is still waiting."""
        self._waiting = []

    def waits_to_claim(self, since: float) -> bool:
        """Whether a claim made after `since` waits until nothing moves any more."""
        return any(isinstance(act.event, Claimed) and act.time > since for act in self._waiting)

    def sayable(self, belief: Belief, time: float, dark: Dark | None) -> frozenset[Event]:
        """Return which claims may be made now, and which revokes called, by a story that is not far behind.

        Who follows may just have, unseen; who leads may have laid the rest of the hand open.
        """
        stories = belief.within(self._options.claim_margin)
        unseen = dark is not None and dark[1] >= time - self._options.wait_told_s
        known = stories, unseen, bool(stories) and may_be_open(stories[0], time)
        if known != self._sayable[0]:
            states = [story.state for story in stories]
            states += [state for story in stories if unseen and (state := _followed(story, time)) is not None]
            claims = {
                Claimed(player)
                for player in Player
                if any(
                    _is_legal(state, Claimed(player))
                    for state in (*states, *_opened(stories, Act(Claimed(player), time)))
                )
            }
            calls = {
                RevokeCalled(player)
                for player in Player
                if any(_is_legal(story.state, RevokeCalled(player)) for story in stories)
            }
            self._sayable = known, frozenset(claims | calls)
        return self._sayable[1]

    def hear(self, belief: Belief, settler: Settler, time: float, dark: Dark | None, stirred: float) -> None:
        """Put words into the stories in which they are allowed; those that have waited too long into any.

        Args:
            belief: The stories.
            settler: Knows what has been asked.
            time: Now, seconds.
            dark: From when until when nobody saw the table last.
            stirred: When something moved on the table last, seconds.
        """
        still: list[Act] = []
        for act in self._waiting:
            unrest = time - stirred < self._options.claim_rest_s
            if isinstance(act.event, Claimed) and unrest and time - act.time < self._options.claim_wait_s:
                still.append(act)
                continue
            late = time - act.time >= self._options.wait_told_s
            if not late and not any(_allowed(story, act.event) for story in belief.rivals):
                still.append(act)
                continue
            heard = [story for story in belief.stories if _said_already(story, act)]
            if not (heard and settler.has_offered(act.event)):
                able = [story for story in belief.stories if late or _allowed(story, act.event)]
                able.extend(
                    one.costing(_taken_before(story, act.time, belief.sights))
                    for story in belief.stories
                    for one in led_or_shown(story, act)
                )
                if late or isinstance(act.event, Claimed):
                    caught_up = (answered_unseen(one, belief.sights, act.time, dark) for one in able)
                    able.extend(one for one in caught_up if one is not None and _allowed(one, act.event))
                able.extend(one for story in able[:] for one in _before_claim(story, act, dark))
                able.extend(
                    one.costing(_taken_before(story, act.time, belief.sights))
                    for story in belief.stories
                    for one in _other_beneath(story, act)
                )
                grown = [_spoken(story, act, belief.sights) for story in able if story not in heard]
                heard.extend(story for story in grown if story is not None)
            belief.keep(heard)  # an answer is about what some stories tell already
        self._waiting = still


def _spoken(story: Story, act: Act, sights: Mapping[int, Sight]) -> Story | None:
    """Return the story with what a player said, dearly where the rules do not allow it then.

    A lead that was gone when a claim was made had been answered, most likely.
    """
    if _goes_with_lead(story, act.event):
        return story.refolded((*story.acts[:-1], act, story.acts[-1]))
    grown = story.then(act)
    if grown is None:
        return None
    price = LOG_NOT_OFFERED if len(grown.state.breaches) > len(story.state.breaches) else 0.0
    led = sights.get(story.table.led) if story.table.led is not None else None
    if isinstance(act.event, Claimed) and story.state.led is not None and led is not None:
        price += LOG_GATHERED_UNANSWERED if led.phase is Phase.GONE and led.last_seen < act.time else 0.0
    return altered(grown, extra=grown.extra + price)


def _goes_with_lead(story: Story, event: Event) -> bool:
    """Whether what a player said comes right before what that player has led: nobody says it later.

    A phone offers it as long as the lead is not written.
    """
    led = story.acts[-1] if story.acts and story.state.led is not None else None
    if led is None or led.told or not isinstance(led.event, CardPlayed):
        return False
    card = led.event.card
    match event:
        case MarriageDeclared(player, suit):
            fits = card is not None and card.suit is suit and card.partner is not None
        case Knocked(player):
            fits = True
        case _:
            return False
    return fits and led.event.player is player and _is_legal(story.states[-2], event)


def _before_claim(story: Story, act: Act, dark: Dark | None) -> Iterator[Story]:
    """Yield the marriages, shown while nobody looked, without which a claim would be wrong."""
    if not isinstance(act.event, Claimed) or story.state.on_lead is not act.event.player:
        return
    player = act.event.player
    if count(story.state, player).total.high < ENOUGH:
        for declared in announced_unseen(story, act.time, dark):
            if count(declared.state, player).total.high >= ENOUGH:
                yield declared


def _other_beneath(story: Story, claim: Act) -> Iterator[Story]:
    """Yield the marriage without which a claim over a king or queen would be wrong: the other lies unseen.

    Cards that are shown overlap.
    """
    led = story.state.led
    for opened in led_or_shown(story, claim):
        partner = None if led is None else unseen_partner(opened.state, led.card)
        if led is None or partner is None:
            continue
        event, laid = MarriageDeclared(led.player, partner.suit), story.acts[-1]
        shown = opened.then(Act(event, laid.time, None, laid.from_south, prior=LOG_MARRIAGE_HELD))
        short = count(opened.state, led.player).total.high < ENOUGH
        if short and shown is not None and count(shown.state, led.player).total.high >= ENOUGH:
            yield shown


def _taken_before(story: Story, time: float, sights: Mapping[int, Sight]) -> float:
    """What it costs that a card was laid open with a claim, and taken up before that was said."""
    shown = sights.get(story.table.led) if story.table.led is not None else None
    gone = shown is not None and shown.phase is Phase.GONE and shown.away_s(time) > TAKEN_S
    return LOG_GATHERED_UNANSWERED if gone else 0.0


def _opened(stories: Sequence[Story], claim: Act) -> Iterator[HandState]:
    """The hands in which what seems to be led was laid open with a claim."""
    return (opened.state for story in stories for opened in led_or_shown(story, claim))


def _followed(story: Story, time: float) -> HandState | None:
    """Return the hand after a card that nobody saw, if one was led."""
    if story.state.led is None or story.state.to_play is None:
        return None
    followed = story.then(Act(CardPlayed(story.state.to_play, None), time))
    return None if followed is None else followed.state


def _allowed(story: Story, event: Event) -> bool:
    """Whether the rules allow `event` now in this story, or right before what it has led."""
    return _is_legal(story.state, event) or _goes_with_lead(story, event)


def _is_legal(state: HandState, event: Event) -> bool:
    try:
        breach = check(state, event)
    except ImpossibleEvent:
        return False
    return breach is None or isinstance(event, HandShown)  # what cards prove is no fault of showing them


def _said_already(story: Story, act: Act) -> bool:
    """Whether the camera saw what a player says; each of these happens once a hand."""
    return isinstance(act.event, Closed | MarriageDeclared | Exchanged) and any(
        old.event == act.event for old in story.acts
    )
