// How a hand ended: what it pays, the claim with its sum, line by line, and the sum counted again by hand.

import { button, closeSheet, el, openSheet, redraw } from "./dom.js";
import { SEATS, awardText, cardName, carriedNow, eventText, face, mayAgree, nameOf, now, presses, rangeText, suitName, whoMay } from "./now.js";
import { opens } from "./opening.js";
import { press } from "./press.js";
import { correctPlace, gapParts, recordKey, stillOf, stillPart } from "./record.js";
import { say } from "./words.js";

const showSheet = opens("dialogs", "showSheet");
const previewSheet = opens("correct", "previewSheet");

/** The lines of a sum of hand `number`; where a still was kept a touch shows it. */
function workingPart(working, number) {
  return el("ul", { className: "working" }, ...working.map((text) => {
    const [left, value] = text.split(" = ");
    const codes = left.match(/[AKQJT9][HDCS]/g) ?? [];
    const marriage = left.startsWith("marriage") && say("line_marriage", { suit: suitName(codes[0][1]) });
    const line = [
      marriage && el("span", { text: marriage }),
      left === "last trick" && el("span", { text: say("line_last_trick") }),
      ...codes.map(face),
      !codes.length && left.includes("?") && el("span", { text: say("line_unread") }),
      el("b", { text: value }),
    ];
    const seq = stillOf(number, ({ type, card, suit }) => (marriage ? type === "marriage" && suit === codes[0][1] : type === "play" && codes.includes(card)));
    if (seq === null) return el("li", {}, ...line);
    const what = marriage || codes.map(cardName).join(", ");
    return el("li", {}, el("button", { type: "button", "aria-haspopup": "dialog", "aria-label": say("still_show", { what, n: value }), onclick: () => stillSheet(what, seq) }, ...line));
  }));
}

const stillSheet = (what, seq) => openSheet(what, stillPart(seq), button(say("done"), closeSheet, "quiet", "still-done"));

/** Marriages that the camera did not see and that would make a claim right; a touch shows the sum. */
const unannouncedPart = (missed) => missed.length > 0 && presses() && el("div", { className: "unannounced" },
  el("p", { text: say("unannounced") }),
  el("div", { className: "choice" }, ...missed.map(({ after, event }) =>
    button(eventText(event), () => previewSheet({ type: "insert", after, event })))));

/** Whether the sum is counted again; a player's phone speaks for that player. */
function recountPart({ recount, verdict }) {
  const seat = SEATS.indexOf(now.role);
  const send = (player, right) => press({ type: "recount", player, right });
  if (recount?.right) return [el("p", { className: "recount right", text: say("recounted") })];
  if (!recount) {
    return presses() ? [button(say("recount"), () => send(seat < 0 ? 1 - verdict.player : seat, false), "", "recount")] : [];
  }
  const asked = seat < 0 || seat === recount.player;
  return [el("p", { className: "recount", text: say("recount_by", { name: nameOf(recount.player) }) }),
    presses() && el("div", { className: "choice" },
      asked && button(say("recount_right"), () => send(recount.player, true), "", "recount-right"),
      button(say("recount_wrong"), () => correctPlace("recount_where"), "", "recount-wrong"))];
}

const missed = (hand) => hand?.unseen.filter(([, n]) => n === null || n > 2) ?? []; // a trick takes 3 s

/** What the hand pays, as far as that is sure. */
export function wonText(hand) {
  const award = awardText(hand.award, { carried: carriedNow(), given_up: hand.given_up });
  return !hand.award || (hand.checked !== "open" && !missed(hand).length) ? award : say("award_so_far", { award });
}

function resultPart({ match, hand }) {
  const parts = [];
  if (match.winner !== null && (!hand || hand.over)) {
    parts.push(el("p", { className: "match", text: say("match_won", { name: nameOf(match.winner) }) }),
      el("p", { className: "for", text: say("bummerl_for", { n: match.charged, name: nameOf(1 - match.winner) }) }));
    const champion = match.series?.winner ?? null;
    if (champion !== null) parts.push(el("p", { className: "match", text: say("series_won", { name: nameOf(champion) }) }));
  }
  const ask = (gaps) => parts.push(...gapParts(gaps, () => correctPlace("unseen_where")));
  const gaps = missed(hand);
  if (!hand?.over) {
    ask(gaps);
    return parts.length ? el("div", { className: "result" }, ...parts) : null;
  }
  const { award, verdict } = hand;
  parts.push(el("h2", { text: wonText(hand) }));
  if (award) parts.push(el("p", { className: "reason", text: `${say(`reason|${award.reason}`)} · ${say("clause", { clause: award.clause })}` }));
  const due = award === null && !verdict ? whoMay("claim") : [];
  parts.push(...due.map((player) => el("p", { className: "reason", text: say("claim_due", { name: nameOf(player) }) })));
  if (award === null && !due.length && !verdict && mayAgree()) parts.push(button(say("agree"), () => opens("agree", "agreeSheet")(), "", "agree"));
  const counted = hand.sides.every(({ total }) => total); // how sure it is is told with the counts
  if (counted && award?.reason !== "agreed" && (hand.asked || (!hand.given_up && !due.length && !hand.unseen.length))) parts.push(el("p", { className: `checked ${hand.checked}`, text: say(`checked|${hand.checked}`, { n: hand.asked }) }));
  ask(hand.unseen);
  if (verdict) {
    const { outcome, points, working } = verdict.verdict;
    const counting = hand.recount && !hand.recount.right ? "counting" : "";
    parts.push(el("div", { className: `verdict ${outcome} ${counting}` },
      el("p", {}, el("span", { text: `${say("claim_by", { name: nameOf(verdict.player) })}. ` }),
        el("strong", { text: say(`outcome|${outcome}`, { points: rangeText(points) }) })),
      outcome === "refuted" && gaps.length > 0 && el("p", { text: say("outcome_more|unseen") }),
      outcome === "open" && el("p", { text: say(`outcome_more|${hand.checked === "open" ? "asked" : "open"}`) }),
      el("details", { open: true }, el("summary", { text: say("how_counted") }), workingPart(working, hand.number),
        el("p", { className: "sum" }, el("b", { text: rangeText(points) }))),
      unannouncedPart(verdict.unannounced),
      ...recountPart(hand)));
  }
  const shown = whoMay("show");
  if (shown.length) parts.push(button(say("show"), () => showSheet(shown), "", "show-hand"));
  return el("div", { className: "result" }, ...parts);
}

/** Draw how the hand ended; `look` is how it is shown. */
export function drawResult(look) {
  const { hand, match } = now;
  redraw(document.getElementById("result"), [look, hand?.over && hand, hand?.unseen, hand && carriedNow(), recordKey(), now.role, whoMay("claim"), whoMay("show"), match.winner, match.charged, match.series, match.names], () => resultPart(now));
}
