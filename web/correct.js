// The sheets on which the record is corrected: an event, its picture and what else it may have been, what a change
// comes to, and a second touch to confirm it. What fits, in which order, and what changes is the server's answer.

import { CORRECT_WORDS } from "./correct_words.js";
import { button, closeSheet, el, openSheet, toast } from "./dom.js";
import { awardText, cardName, eventPicture, eventText, face, mayAgree, nameOf, now, packPart, rangeText, suitName, whenTaken } from "./now.js";
import { opens } from "./opening.js";
import { press } from "./press.js";
import { ask, stillPart, who } from "./record.js";
import { learn, refusedText, say } from "./words.js";

learn(CORRECT_WORDS);

const MOST_LIKELY = 3;

let proposed = null; // the preview on the sheet, while there is one

const refusal = ({ refused: reason, ...more }) => refusedText({ reason, ...more });

/** What the event `told` may have been instead; `told` has its number, the event and who told it. */
export async function correctSheet(told) {
  const body = el("div", { className: "correct" }, el("p", { text: say("loading") }));
  openSheet(say("correct_title"), body, button(say("cancel"), closeSheet, "quiet"));
  const answer = await ask(`/${told.seq}`);
  if (!body.isConnected) return;
  body.replaceChildren(...(answer.refused ? [el("p", { text: refusal(answer) })] : eventPart(told, answer)));
}

function eventPart(told, { alternatives, can_go: canGo, trick_can_go: trickCanGo, before, last, hand_before: handBefore, picture: pictured }) {
  const back = () => correctSheet(told);
  const fitting = alternatives.filter((each) => each.fits);
  const likely = fitting.slice(0, MOST_LIKELY);
  const rest = fitting.slice(MOST_LIKELY).filter((each) => !each.event.card && !each.event.turned_up);
  return [
    el("div", { className: "told" }, eventPicture(told.event),
      el("div", {}, el("strong", { text: eventText(told.event) }), el("small", { text: who("seen_by", told.source) }))),
    pictured && stillPart(told.seq),
    likely.length && el("h3", { text: say("correct_likely") }),
    el("div", { className: "options likely" }, ...[...likely, ...rest].map((each) => optionPart(each, back))),
    otherCards(told, alternatives, back),
    el("div", { className: "choice" },
      before !== null && button(say("correct_before"), () => missedSheet(before, back), "", "missed-before"),
      button(say("correct_after"), () => missedSheet(told.seq, back), "", "missed-after"),
      last && mayAgree() && button(say("agree"), () => opens("agree", "agreeSheet")({ seq: told.seq }), "", "correct-agree"),
      handBefore !== null && mayAgree() && button(say("correct_hand_before"), () => opens("agree", "agreeSheet")({ after: handBefore }), "", "correct-hand-before"),
      canGo && button(say("correct_gone"), () => previewSheet({ type: "correct", seq: told.seq, event: null }, back), "", "correct-gone"),
      trickCanGo && button(say("correct_trick_gone"), () => previewSheet({ type: "remove_trick", seq: told.seq }, back), "", "correct-trick-gone")),
  ].filter(Boolean);
}

const KINDS = [
  ["⇄", "correct_swap", ({ edit }) => edit.type === "swap"],
  ["?", "correct_elsewhere", ({ unnamed }) => unnamed],
  ["↻", "correct_turns", ({ turned }) => turned],
  ["!", "correct_breach", ({ breaches }) => breaches],
];

/** What is special about an alternative, if anything: its mark, and what that says. */
function noteOn(each) {
  const found = KINDS.find(([, , holds]) => holds(each));
  return found ? [found[0], say(found[1])] : [];
}

function optionPart(each, back) {
  const [, more] = noteOn(each);
  return el("button", { type: "button", "data-event": JSON.stringify(each.event), "data-edit": each.edit.type, onclick: () => previewSheet(each.edit, back) },
    eventPicture(each.event), el("span", { text: each.edit.type === "insert_trick" ? say("missed_trick") : eventText(each.event) }),
    more && el("em", { text: more }));
}

/** All cards of the pack; those that cannot have been are marked and do nothing. */
function otherCards(told, alternatives, back) {
  const own = told.event.card ?? told.event.turned_up;
  const cardOf = ({ event }) => event.card ?? event.turned_up;
  const found = new Map();
  for (const each of alternatives) {
    const same = each.event.type === told.event.type && (each.event.player ?? each.event.dealer) === (told.event.player ?? told.event.dealer);
    if (cardOf(each) && same && cardOf(each) !== own) found.set(cardOf(each), each);
  }
  if (!found.size) return null;
  const marks = new Map(); // those on the cards, and what they say
  const place = (card) => {
    const each = found.get(card);
    if (card === own) return el("span", { className: "same" }, face(card));
    if (!each?.fits) return el("button", { type: "button", className: "never", disabled: true, title: say("correct_never") }, face(card));
    const [mark, said] = noteOn(each);
    if (mark) marks.set(mark, said);
    return el("button", { type: "button", "data-card": card, "aria-label": [cardName(card), said].filter(Boolean).join(", "), onclick: () => previewSheet(each.edit, back) },
      face(card), mark && el("i", { "aria-hidden": "true", text: mark }));
  };
  const pack = packPart(now.match.rules.deck, place);
  return el("details", { className: "every", open: alternatives.filter((each) => each.fits).length > MOST_LIKELY },
    el("summary", { text: say("correct_other") }),
    pack,
    marks.size > 0 && el("p", { className: "legend", text: [...marks].map((each) => each.join(" ")).join(" · ") }));
}

async function missedSheet(after, back) {
  const body = el("div", { className: "correct" }, el("p", { text: say("loading") }));
  openSheet(say("missed_title"), body, button(say("back"), back, "quiet"));
  const answer = await ask(`/${after}/missed`);
  if (!body.isConnected) return;
  const again = () => missedSheet(after, back);
  const found = answer.alternatives ?? [];
  body.replaceChildren(...(answer.refused ? [el("p", { text: refusal(answer) })]
    : found.length ? [el("div", { className: "options likely" }, ...found.map((each) => optionPart(each, again)))]
      : [el("p", { text: say("missed_none") })]));
}

/** What a change comes to; only the second touch makes it. */
export function previewSheet(edit, back = closeSheet) {
  const body = el("div", { className: "correct" }, el("p", { text: say("loading") }));
  const said = edit.type === "insert_hand" || (edit.type === "insert" && edit.event.type === "agreed") ? "agree" : "preview";
  const yes = button(say(`${said}_yes`), () => confirm(edit, yes), "strong", "correct-yes");
  yes.disabled = true;
  openSheet(say(`${said}_title`), body, yes, button(say("back"), back, "quiet"));
  proposed = { edit, body, yes };
  return preview();
}

/** Ask anew what the change on the sheet comes to: the game may have gone on, or another device was quicker. */
async function preview() {
  const { edit, body, yes } = proposed;
  const at = proposed.at = lastSeq();
  const answer = await ask("/preview", edit);
  if (proposed?.body !== body || proposed.at !== at) return; // another is shown, or a newer answer on its way
  yes.disabled = Boolean(answer.refused);
  if (answer.refused) {
    body.replaceChildren(el("p", { role: "alert", text: refusal(answer) }));
    return;
  }
  const [{ was, now: then }] = answer.changes;
  const trick = edit.type.endsWith("_trick") && say("missed_trick");
  yes.dataset.what = then ? trick || eventText(then) : "";
  yes.dataset.gone = was ? trick || eventText(was) : "";
  body.replaceChildren(...previewPart(answer));
}

whenTaken(() => {
  if (!proposed?.body.closest("dialog[open]")) proposed = null;
  else if (proposed.at !== lastSeq()) preview();
});

const lastSeq = () => now?.last?.seq ?? now?.hand?.events.at(-1)?.seq;

function previewPart({ hand, earlier, changes, turned, rows, opens_match: opened }) {
  const side = (title, event, className) => el("div", { className }, el("small", { text: title }), event && eventPicture(event), el("span", { text: event ? eventText(event) : say("none_yet") }));
  return [
    el("p", { text: earlier ? `${say("of_hand", { n: hand })} · ${say("of_earlier")}` : say("of_hand", { n: hand }) }),
    ...changes.map(({ was, now: then }) => el("div", { className: "change" },
      was && side(say(then ? "preview_was" : "preview_removed"), was, "was"),
      then && side(say(was ? "preview_now" : "preview_added"), then, "now"))),
    turned > 0 && el("p", { className: "turned", text: say("preview_turned", { n: turned }) }),
    opened && el("p", { text: say("agree_next") }),
    rows === null ? el("p", { text: say("preview_hidden") })
      : rows.length === 0 ? el("p", { text: say("preview_same") })
        : el("table", { className: "rows" },
          el("caption", { text: say("preview_rows") }),
          el("thead", { className: "unseen" }, el("tr", {}, el("th", { text: "" }), el("th", { text: say("preview_was") }), el("th", { text: say("preview_now") }))),
          el("tbody", {}, ...rows.map((row) => el("tr", { "data-what": row.what, "data-player": row.player },
            el("th", { scope: "row", text: rowTitle(row) }),
            el("td", { text: rowValue(row, row.before) }), el("td", { className: "then", text: rowValue(row, row.after) }))))),
  ].filter(Boolean);
}

function rowTitle({ what, player }) {
  const key = what === "points" ? `points_${now.match.counts_down ? "down" : "up"}` : what;
  return say(`changed|${key}`, { name: player === null ? "" : nameOf(player) });
}

function rowValue({ what }, value) {
  if (what === "over") return say(value ? "is_over" : "is_running");
  if (what === "award") {
    if (value === null) return say("not_decided");
    return value.winner === null || value.reason === "agreed" ? awardText(value) : `${awardText(value)} (${say(`reason|${value.reason}`)})`;
  }
  if (what === "winner") return value === null ? say("nobody") : nameOf(value);
  if (value === null) return say("none_yet");
  if (what === "trump") return suitName(value);
  if (what === "total") return rangeText(value);
  return Array.isArray(value) ? value.join(" : ") : String(value);
}

async function confirm(edit, yes) {
  const { what, gone } = yes.dataset;
  proposed = null;
  if (await press(edit)) toast(what.startsWith(say("agreed", { what: "" })) ? what : what ? say("correct_done", { what }) : say("correct_done_gone", { what: gone }));
}
