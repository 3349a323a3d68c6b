// The sheets on which a word is confirmed, a card is named, a hand or a match is begun.

import { button, closeSheet, el, openSheet, toast } from "./dom.js";
import { SEATS, face, handNow, nameOf, now, packPart, sign, suitName } from "./now.js";
import { goOn, opens } from "./opening.js";
import { press } from "./press.js";
import { say } from "./words.js";

/** A sheet that asks whose it is, if several players may, and goes on with that player, in the hand of that moment. */
const whoseSheet = (title, then) => (players) => {
  const hand = handNow();
  if (players.length === 1) then(players[0], hand);
  else openSheet(say(title), ...players.map((player) => button(nameOf(player), () => goOn(hand, () => then(player, hand)))), button(say("no"), closeSheet, "quiet"));
};

/** Ask once more before a word is said; `what` names its texts. */
function confirmSheet(what, player, command, text = `${what}_text`) {
  const names = { name: nameOf(player), other: nameOf(1 - player) };
  openSheet(say(`${what}_title`, names), el("p", { text: say(text, names) }),
    button(say(`${what}_yes`), () => press({ ...command, player }), "strong", `${what}-yes`),
    button(say("no"), closeSheet, "quiet"));
}

const wordSheet = (what, title = what) => whoseSheet(title, (player, hand) => confirmSheet(what, player, { type: what, ...hand }));
export const claimSheet = wordSheet("claim", "claim_who");
export const exchangeSheet = wordSheet("exchange");
export const knockSheet = wordSheet("knock");
export const revokeSheet = (player) => confirmSheet("revoke", player, { type: "revoke", ...handNow() }, `revoke_award|${now.match.rules.revoke_award}`);

export function marriageSheet(suits) {
  const hand = handNow();
  openSheet(say("marriage_title"),
    el("div", { className: "choice" }, ...suits.map(([player, suit]) =>
      el("button", { type: "button", onclick: () => press({ type: "marriage", player, suit, ...hand }) },
        sign(suit), el("span", { text: say("marriage_button", { name: nameOf(player), suit: suitName(suit) }) })))),
    button(say("no"), closeSheet, "quiet"));
}

export const closeStockSheet = whoseSheet("close", confirmClose);

function confirmClose(player, hand) {
  const { may } = now.hand.sides[player];
  const early = may.includes("close_early");
  openSheet(say("close_title", { name: nameOf(player) }),
    el("p", { text: say("close_text", { name: nameOf(player) }) }),
    may.includes("close") && button(say("close_yes"), () => press({ type: "close", player, ...hand }), "strong", "close-yes"),
    early && el("p", { text: say("close_early_text") }),
    early && button(say("close_early"), () => press({ type: "close", player, before_draw: true, ...hand }), "", "close-early"),
    button(say("no"), closeSheet, "quiet"));
}

export const showSheet = whoseSheet("show_who", showCards);

function showCards(player, hand) {
  const { left, may_show: cards } = now.hand.sides[player];
  const chosen = new Set();
  const done = button(say("show_yes"), () => press({ type: "show", player, cards: [...chosen], ...hand }), "strong stay", "show-yes");
  done.disabled = true;
  const choose = (node, card) => {
    if (!chosen.delete(card) && chosen.size < left) chosen.add(card);
    node.setAttribute("aria-pressed", String(chosen.has(card)));
    done.disabled = !chosen.size;
  };
  openSheet(say("show_title", { name: nameOf(player) }), el("p", { text: say("show_text", { n: left }) }),
    packPart(now.match.rules.deck, (card) => (cards.includes(card)
      ? el("button", { type: "button", "aria-pressed": "false", onclick: (event) => choose(event.currentTarget, card) }, face(card)) : el("span"))),
    done, button(say("no"), closeSheet, "quiet"));
}

/** Name the card that lies there, from the whole pack: which it may be would tell what has been played. */
export function nameCardSheet(question) {
  const player = 1 - now.hand.to_play;
  openSheet(say("questions|which_card_of", { name: nameOf(player) }),
    packPart(now.match.rules.deck, (card) =>
      el("button", { type: "button", onclick: () => press({ type: "correct", seq: question.about, event: { type: "play", player, card } }) }, face(card))),
    button(say("cancel"), closeSheet, "quiet"));
}

export function newHandSheet() {
  const dealer = now.match.next_dealer;
  const hand = handNow();
  const next = now.match.winner !== null; // the next hand is the first of another match
  openSheet((next ? `${say("new_match")}: ` : "") + say("new_hand_title"),
    now.hand && !now.hand.over && el("p", { text: say("new_hand_running") }),
    now.hand?.over && now.hand.checked === "open" && el("p", { className: "checked open", text: say("checked|open", { n: now.hand.asked }) }),
    ...[0, 1].map((player) => button(nameOf(player), () => press({ type: "new_hand", dealer: player, ...hand }), player === dealer ? "strong" : "")),
    next && now.may_begin && button(say("new_match_others"), beginMatch, "", "others"),
    button(say("cancel"), closeSheet, "quiet"));
}

const newMatchSheet = opens("match", "newMatchSheet");
export const beginMatch = () => newMatchSheet(now.match, { running: !!now.hand && !now.hand.over, seats: SEATS.map((seat) => say(seat)), start: press, fail: toast });
