// The record of the match as the server told it: its hands as strips of cards, and what was changed, by whom.

import { button, el, toast } from "./dom.js";
import { read } from "./link.js";
import { SEATS, awardText, eventPicture, eventText, nameOf, now, presses, whyPart } from "./now.js";
import { opens } from "./opening.js";
import { press } from "./press.js";
import { say } from "./words.js";

const WAIT_MS = 6000;

const correctSheet = opens("correct", "correctSheet");

let record = null; // hands and changes, as the server told them last
let known = ""; // what `record` was asked for
let version = 0; // how often `record` came

/** Ask the record at `path`, with a `question` by POST; `{refused, clause}` where it says no or nothing. */
export async function ask(path, question = undefined) {
  const { ok, status, body } = await read(`api/corrections${path}`, { withinMs: WAIT_MS, question });
  if (!status) return { refused: "offline" };
  return ok ? body : { refused: body.reason ?? "other", clause: body.clause };
}

/** Who told or changed something; `kind` names the texts. */
export function who(kind, source) {
  const from = source.replace("phone:", "");
  const name = from === "south" ? nameOf(0) : from === "north" ? nameOf(1) : "";
  return say(`${kind}|${from}`, { name }) ?? from;
}

/** The table when the event with the number `seq` happened; only where a picture of that was kept. */
export const stillPart = (seq) => el("img", {
  className: "still", src: `api/corrections/${seq}/picture`, alt: say("correct_picture"),
  onerror: ({ target }) => target.replaceWith(el("p", { text: say("still_gone") })),
});

const matchNow = () => String([now.match.number, now.match.names]);

/** Ask for the record when it has changed, then call `draw`. */
export async function freshRecord(draw) {
  if (!presses()) return;
  const { hand, match } = now;
  const key = JSON.stringify([match.number, match.hands, match.changes, hand?.events[0]?.seq, hand?.over && hand.events.at(-1)?.seq, hand?.events.filter((told) => told.corrected).map((told) => told.seq)]);
  if (key === known) return;
  known = key;
  const of = matchNow();
  const answer = await ask("");
  if (answer.refused) {
    if (known === key) known = "";
    return;
  }
  if (known !== key) return; // a newer one is on its way
  record = { ...answer, of };
  version += 1;
  draw();
}

/** What changes when the strips have to be drawn anew. */
export const recordKey = () => version;

const handOf = (number) => record?.hands.find((each) => record.of === matchNow() && each.hand === number && !each.earlier);

/** Number of the last event that `fits` and has a picture, or `null`. */
export function stillOf(number, fits) {
  const told = handOf(number)?.events.findLast(({ event, unfit }) => !unfit && fits(event));
  return told?.picture ? told.seq : null;
}

/** Lead to the course of the hand, where every event can be corrected; `where` says how. */
export function correctPlace(where) {
  const story = document.querySelector("#story details");
  story.open = true;
  const summary = story.querySelector("summary");
  summary.focus({ preventScroll: true });
  summary.scrollIntoView({ block: "center" });
  toast(say(where));
}

/** The events of a finished hand of this match, each a touch from being corrected; what is missing is asked. */
export function stripParts(number) {
  const hand = handOf(number);
  return hand ? listed(hand, hand.current && now.hand) : [];
}

function listed(hand, asked = false) {
  const row = strip(hand);
  return [row, ...gapParts(asked ? [] : hand.unseen, () => {
    row.focus();
    toast(say("unseen_where"));
  })];
}

/** `null`: nobody had looked before. */
export const outOfSight = (seconds) => say(seconds.includes(null) ? "lay_there" : "out_of_sight", { n: seconds.reduce((sum, n) => sum + n) });

/** Whether anything is missing of what nobody saw of a hand; `lead()` goes to where that is put in. */
export function gapParts(gaps, lead) {
  if (!gaps.length) return [];
  const [first, seq] = [gaps[0][2], gaps.at(-1)[2]];
  return [el("p", { className: "checked open gap", text: say("unseen", { what: outOfSight(gaps.map(([, n]) => n)) }) }),
    presses() && el("div", { className: "choice" },
      button(say("unseen_nothing"), () => press({ type: "vouch", first, seq }), "vouch"), button(say("unseen_something"), lead, "missed"))];
}

function strip(hand) {
  if (!hand?.events.length) return null;
  return el("div", { className: "strip", tabindex: "0", role: "group", "aria-label": say("of_hand", { n: hand.hand }) }, ...hand.events.map((told) => {
    const { event } = told;
    const side = (event.player ?? event.dealer ?? event.winner) === 1 ? "north" : "south";
    return el("button", { type: "button", className: `${side} ${told.corrected ? "mended" : ""}`, "aria-label": eventText(event), "data-seq": told.seq, onclick: () => correctSheet(told) },
      event.type === "deal" || event.type === "play" || event.suit ? eventPicture(event) : el("span", { className: "word", text: say(`short|${event.type}`) ?? "•" }));
  }));
}

/** The hands of matches that were won before this one, since the rules and names were agreed. */
export function earlierPart() {
  const hands = (record?.hands ?? []).filter((each) => each.earlier && each.events.length);
  if (!hands.length) return null;
  return el("details", { className: "story" },
    el("summary", { text: say("earlier_hands", { n: hands.length }) }),
    el("ol", {}, ...hands.map((each) => el("li", {}, el("p", {},
      el("span", { className: "place", text: each.hand }), el("span", { text: awardText(each.award, each) }), whyPart(each.award)),
    ...listed(each)))));
}

function namesChange([before, after]) {
  const player = before[0] === after[0] ? 1 : 0;
  return el("span", {}, el("s", { text: before[player] || say(SEATS[player]) }), " → ", el("strong", { text: after[player] || say(SEATS[player]) }));
}

export function changesPart() {
  const changes = record?.changes ?? [];
  if (!changes.length) return null;
  const time = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  return el("details", { className: "story changes" },
    el("summary", { text: say("changes", { n: changes.length }) }),
    el("ol", {}, ...changes.map((each) => el("li", {}, el("p", {},
      el("span", { className: "when", text: `${time(each.at)} · ${who("changed_by", each.source)}` }),
      each.names ? namesChange(each.names) : el("span", {}, each.was ? el("s", { text: eventText(each.was) }) : el("span", { text: say("change_added") }),
        " → ", el("strong", { text: each.now ? eventText(each.now) : say("change_gone") })),
      each.answer && el("em", { text: say("change_answer") }))))));
}
