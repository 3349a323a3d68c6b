// The newest snapshot, how this device wants it shown, and the words for what is in it.

import { cardFace, cardUnread, suitSign } from "./cards.js";
import { choices, choose, el } from "./dom.js";
import { say } from "./words.js";

export const SEATS = ["south", "north"];
const RANKS = ["A", "T", "K", "Q", "J", "9"];
export const SUITS = ["H", "D", "C", "S"];

export let now = null; // the newest snapshot
export let style = choices();

const waiting = [];

/** Take the newest snapshot, and tell those who wait for one. */
export function take(snapshot) {
  now = snapshot;
  for (const told of waiting) told();
}

/** Call `told` whenever there is a new snapshot. */
export const whenTaken = (told) => waiting.push(told);

export function restyle(key, value) {
  style = choose(key, value);
}

export const nameOf = (player) => now?.match.names[player] || (player in SEATS ? say(SEATS[player]) : "");
/** Whether nobody could tell two names apart. */
export const areAlike = ([one, other]) => one !== "" && one.toLowerCase() === other.toLowerCase();
const german = () => style.faces === "german";
export const suitName = (suit) => say(`${german() ? "german_suits" : "suits"}|${suit}`);
export const rangeText = ([low, high]) => (low === high ? String(low) : `${low}\u2060–\u2060${high}`);
export const unsure = ([low, high]) => low !== high;

export function cardName(code) {
  if (!code) return say("unread");
  return say("card", { rank: say(`${german() ? "german_ranks" : "ranks"}|${code[0]}`), suit: suitName(code[1]) });
}

/** What happened, in words; `named(player)` says how a player is called. */
export function eventText(event, named = nameOf) {
  const name = named(event.player ?? event.dealer);
  const kind = event.type === "deal" && !event.turned_up ? "deal_unseen" : event.before_draw ? "close_early" : event.type;
  const card = cardName(event.card ?? event.turned_up);
  if (event.type === "agreed") return say("agreed", { what: awardText(event) });
  return say(`event|${kind}`, { name, card, suit: suitName(event.suit) });
}

/** Who has answered a question on another device and, where this one may know, what. */
export function answeredText({ by, event, not }) {
  const card = event?.card ?? event?.turned_up;
  const what = card ? cardName(card) : event ? eventText(event) : not?.type === "claim" ? say("not_claimed", { name: nameOf(not.player) }) : "";
  return say(`answered_by|${by}`, { name: nameOf(SEATS.indexOf(by)) }) + (what ? `: ${what}` : ".");
}

export function awardText(award, { carried = 0, given_up: ended = false } = {}) {
  if (!award) return say(ended ? "event|given_up" : "award_open");
  if (award.winner === null) return say("award_none");
  return say("award", { name: nameOf(award.winner), n: award.game_points }) + carriedText(carried);
}

/** What a tie before has added to the hand that is shown, and in words. */
export const carriedNow = () => now.match.hands.find((each) => each.number === now.hand?.number)?.carried ?? 0;
export const carriedText = (n) => (n ? ` ${say("award_carried", { n })}` : "");

export const whyPart = (award) => award && el("em", { className: "why", text: say(`reason|${award.reason}`) });

export function fairName({ mode, delay, unit }) {
  const late = mode === "broadcast" ? ` (${say(`late_${unit}`, { n: delay })})` : "";
  return say(`fair_modes|${mode}|0`) + late;
}

export const face = (code) => (code ? cardFace(code, style.faces, cardName(code)) : cardUnread(say("unread")));
export const sign = (suit) => suitSign(suit, style.faces, suitName(suit));

/** What an event looks like: its card, its suit, or a dot. */
export function eventPicture(event) {
  const card = event.card ?? event.turned_up;
  if (card || event.type === "play") return face(card);
  return event.suit ? sign(event.suit) : el("span", { className: "dot" });
}

/** The cards of a pack of 20 or 24 by suits, each as `draw(card)` makes it. */
export function packPart(deck, draw, className = "pack") {
  const ranks = RANKS.filter((rank) => rank !== "9" || deck === 24);
  return el("div", { className: `${className} of-${ranks.length}` }, ...SUITS.flatMap((suit) => ranks.map((rank) => draw(rank + suit))));
}

/** Whether anything may be pressed on this device. */
export const presses = () => now && !["spectator", "board"].includes(now.role);

/** Whether anybody on this device may say what a hand paid. */
export const mayAgree = () => presses() && (now.match.fair.mode === "training" || now.role === "referee");

/** The hand that is shown, as commands name it. */
export const handNow = () => now && { match: now.match.number, hand: now.hand?.number ?? 0 };

/** Players who may press `what` now. */
export const whoMay = (what) => [0, 1].filter((player) => now?.hand?.sides[player].may.includes(what));
