// A moment that is set up by hand: which card lies where, and what both have.

import { el } from "./dom.js";
import { SUITS, cardName, face, packPart, sign, suitName } from "./now.js";
import { say } from "./words.js";

const PLACES = ["hand", "other", "stock", "led", "gone"];
const [MOST_POINTS, MOST_TRICKS] = [220, 10]; // all cards and all marriages; all tricks
const EMPTY = { rules: undefined, deck: 20, cards: {}, trump: "H", points: [0, 0], tricks: [0, 0], pending: [0, 0], closed: "", then: { card_points: 0, has_trick: false } };

let setting = structuredClone(EMPTY); // `cards`: the place of each, those of a place in the order in which they were put there
let place = "hand";

/** What is set up now. */
export const settingOf = () => [setting, place];

const lying = (where) => Object.keys(setting.cards).filter((card) => setting.cards[card] === where);

/** Begin with a puzzle: its player is "me". */
export function takeSetting(puzzle) {
  const mine = (pair) => (puzzle.player === 0 ? pair : [pair[1], pair[0]]);
  const cards = {};
  for (const [where, those] of [["hand", puzzle.hand], ["other", puzzle.other], ["stock", puzzle.lying], ["led", puzzle.led ? [puzzle.led] : []], ["gone", puzzle.gone]]) {
    for (const card of those) cards[card] = where;
  }
  const closed = puzzle.closed_by === null ? "" : puzzle.closed_by === puzzle.player ? "0" : "1";
  setting = { rules: puzzle.rules, deck: puzzle.deck, cards, trump: puzzle.trump, points: mine(puzzle.card_points), tricks: mine(puzzle.tricks_won), pending: mine(puzzle.pending_marriage_points), closed, then: { ...(puzzle.opponent_at_close ?? EMPTY.then) } };
}

/** What is sent to be solved. */
function sent() {
  const { rules, trump, points, tricks, pending, closed, then } = setting;
  return {
    rules, trump, card_points: points, tricks_won: tricks, pending_marriage_points: pending, led: lying("led")[0] ?? null,
    ...Object.fromEntries(["hand", "other", "stock", "gone"].map((where) => [where, lying(where)])),
    ...(closed === "" ? {} : { closed_by: Number(closed), opponent_at_close: then }),
  };
}

function put(card) {
  const was = setting.cards[card];
  delete setting.cards[card]; // whatever is put somewhere comes last there
  if (was === place) return;
  if (place === "led") for (const other of lying("led")) delete setting.cards[other];
  setting.cards[card] = place;
}

/** A field for a number; the form stays as it is, so that the next field can be touched. */
function numberField(title, name, most, value, take) {
  const count = (text) => Math.min(Math.max(Math.trunc(Number(text)) || 0, 0), most);
  return el("label", {}, el("span", { text: say(title) }),
    el("input", { type: "number", inputmode: "numeric", name, min: 0, max: most, value, oninput: ({ target }) => take(count(target.value)) }));
}

function numbers(titles, name, most) {
  return titles.map((title, player) => numberField(title, `${name}-${player}`, most, setting[name][player], (count) => { setting[name][player] = count; }));
}

function closedPart(again) {
  const options = [["", "closed_by_nobody"], ["0", "closed_by_me"], ["1", "closed_by_other"]];
  const parts = [el("label", {}, el("span", { text: say("closed") }),
    el("select", { name: "closed", onchange: ({ target }) => { setting.closed = target.value; again(); } },
      ...options.map(([value, text]) => el("option", { value, selected: setting.closed === value, text: say(text) }))))];
  if (setting.closed !== "") {
    const { then } = setting;
    parts.push(
      numberField("then_points", "then", MOST_POINTS, then.card_points, (count) => { then.card_points = count; }),
      el("label", { className: "check" }, el("input", { type: "checkbox", name: "had", checked: then.has_trick, onchange: ({ target }) => { then.has_trick = target.checked; } }),
        el("span", { text: say("then_trick") })));
  }
  return parts;
}

/** The form; `again` draws it anew, `solve` is given what is to be solved. */
export function settingPart(again, solve) {
  const card = (code) => {
    const where = setting.cards[code];
    const text = where ? say(`places|${where}`) : say("unknown");
    const nth = where === "stock" ? ` ${lying("stock").indexOf(code) + 1}` : "";
    return el("button", { type: "button", className: `in-${where ?? "doubt"}`, "data-card": code, "aria-label": `${cardName(code)}: ${text}${nth}`, onclick: () => { put(code); again(); } },
      face(code), where && el("i", { "aria-hidden": "true", text: text + nth }));
  };
  return [
    el("fieldset", { className: "trumps" }, el("legend", { text: say("trump") }), el("div", { className: "choice" }, ...SUITS.map((suit) =>
      el("button", { type: "button", "data-trump": suit, "aria-label": suitName(suit), "aria-pressed": String(setting.trump === suit), onclick: () => { setting.trump = suit; again(); } }, sign(suit))))),
    el("fieldset", { className: "places" }, el("legend", { text: say("place") }), el("div", { className: "choice" }, ...PLACES.map((each) =>
      el("button", { type: "button", "data-place": each, "aria-pressed": String(place === each), onclick: () => { place = each; again(); } }, say(`places|${each}`), el("small", { text: String(lying(each).length) }))))),
    packPart(setting.deck, card, "cards"),
    el("p", { className: "more", text: say("place_more") }),
    el("div", { className: "numbers" },
      ...numbers(["my_points", "other_points"], "points", MOST_POINTS), ...numbers(["my_tricks", "other_tricks"], "tricks", MOST_TRICKS), ...closedPart(again)),
    el("div", { className: "choice" },
      el("button", { type: "button", id: "clear", text: say("clear"), onclick: () => { setting = structuredClone(EMPTY); again(); } }),
      el("button", { type: "button", id: "solve", className: "strong", text: say("solve"), onclick: () => solve(sent()) })),
  ];
}
