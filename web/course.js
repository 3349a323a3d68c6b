// What lies below the table: how the hand ended, its course, the hands and matches before, and what was changed. It
// comes after the first view.

import { button, el, redraw, redrawFolding } from "./dom.js";
import { awardText, eventPicture, eventText, face, nameOf, now, presses, whoMay, whyPart } from "./now.js";
import { opens } from "./opening.js";
import { changesPart, earlierPart, freshRecord, outOfSight, recordKey, stripParts } from "./record.js";
import { drawResult } from "./result.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const correctSheet = opens("correct", "correctSheet");
const revokeSheet = opens("dialogs", "revokeSheet");

/** Draw what has changed; `look` is how it is shown, `drawn` is called when there is news of hands before. */
export function drawCourse(look, drawn) {
  const { hand, match } = now;
  drawResult(look);
  redraw($("breaches"), [look, hand?.breaches, whoMay("revoke"), match.names], () => breachesPart(now));
  redrawFolding($("story"), [look, hand?.events, hand?.unseen, hand?.vouched, match.names], () => storyPart(hand), true);
  redrawFolding($("hands"), [look, match.hands, match.names, recordKey()], () => handsPart(match), true);
  redrawFolding($("earlier"), [look, match.names, recordKey()], earlierPart, false);
  redrawFolding($("changes"), [look, match.names, recordKey()], changesPart, false);
  freshRecord(drawn);
}

function breachPart(breach) {
  return el("li", {},
    el("strong", { text: say(`breaches|${breach.breach}`) ?? say("breach") }), " – ",
    say("breach_by", { name: nameOf(breach.player), n: breach.trick }), " ",
    breach.card && face(breach.card), breach.proved_by && face(breach.proved_by),
    el("small", { text: say("clause", { clause: breach.breach }) }),
    breach.taken_back && el("em", { text: say("taken_back") }));
}

function breachesPart({ hand }) {
  if (!hand?.breaches.length) return [];
  return [el("h2", { text: say("breach") }), el("ul", {}, ...hand.breaches.map(breachPart)),
    ...whoMay("revoke").map((player) => button(say("revoke", { name: nameOf(player) }), () => revokeSheet(player), "revoke"))];
}

function storyPart(hand) {
  if (hand && !hand.events.length) return null; // fair play keeps it until the end
  const gaps = ["unseen", "vouched"].flatMap((told) => (hand?.[told] ?? []).map(([until, n]) => [until, n, told])).sort(([one], [other]) => one - other);
  const gapsBefore = (time) => gaps.splice(0, gaps.filter(([until]) => until <= time).length).map(([, n, told]) =>
    el("li", { className: told === "vouched" ? "gap vouched" : "gap" }, el("p", { text: say(told, { what: outOfSight([n]) }) })));
  const rows = (hand?.events ?? []).flatMap((told) => {
    const { event } = told;
    const can = presses();
    const body = [
      eventPicture(event),
      el("span", { text: eventText(event) }),
      told.corrected && el("em", { text: say("corrected") }),
      told.unfit && el("em", { className: "unfit", text: say("unfit") }),
    ];
    return [...gapsBefore(told.time), el("li", { className: event.player === 1 ? "north" : "south" },
      can ? el("button", { type: "button", onclick: () => correctSheet(told) }, ...body.filter(Boolean)) : el("p", {}, ...body.filter(Boolean)))];
  });
  rows.push(...gapsBefore(Infinity));
  return el("details", { className: "story" },
    el("summary", { text: say("story") }),
    rows.length ? el("ol", {}, ...rows) : el("p", { text: say("story_empty") }));
}

function handsPart(match) {
  if (!match.hands.length) return null;
  return el("details", { className: "story" },
    el("summary", { text: say("hands") }),
    el("ol", {}, ...match.hands.map((told) => {
      const { number, award, checked } = told;
      const won = awardText(award, told);
      const open = checked === "open" && say("question_open");
      return el("li", {}, el("a", { href: `review.html#${match.number}.${number}`, "aria-label": say("review_of", { n: number, what: [won, open].filter(Boolean).join(", ") }) },
        el("span", { className: "place", text: number }), el("span", { text: won }),
        whyPart(award),
        open && el("em", { text: open }), el("span", { className: "on", "aria-hidden": "true", text: "›" })),
      ...stripParts(number));
    })));
}
