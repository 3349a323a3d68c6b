// The review page: a hand that has ended, step by step, and what was best. It shows what the server says.

import { choices, el, redraw, redrawFolding, shape } from "./dom.js";
import { FIGURES_WORDS } from "./figures_words.js";
import { read } from "./link.js";
import { dress, headed } from "./page.js";
import { REVIEW_WORDS } from "./review_words.js";
import {
  boardPart, choicePart, coursePart, findPart, listPart, noteAt, queryOf, seenPart, stepText, stillOf, takePart, toldPart,
} from "./review_parts.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const AGAIN_MS = 700;
const SHOWN = 40;

let review = null; // the hand that is shown
let list = null; // the hands there are, while none is chosen
let place = 0; // which step of it
let most = SHOWN; // how many of the hands are listed
const wanted = { find: "", kind: "", since: "", until: "" };
let trouble = "";

/** Which hand the address names: by its number, or by its match and its number there. */
const chosen = () => /^#(\d+)(?:\.(\d+))?$/.exec(location.hash);

// Reading

let asked = 0;
async function load() {
  const turn = ++asked;
  const which = chosen();
  const found = await ask(which ? `api/reviews/${which.slice(1).filter(Boolean).join("/")}` : `api/reviews${queryOf(wanted)}`);
  if (turn !== asked) return;
  trouble = found.trouble;
  if (trouble !== "link_off") [review, list] = which ? [found.body, null] : [null, found.body];
  if (review) place = Math.min(place, review.story.steps.length - 1); // a correction may have shortened it
  draw();
  const waits = review && !review.review && !review.failed;
  const wait = trouble === "link_off" ? 2 * AGAIN_MS : waits ? AGAIN_MS : 0;
  if (wait) setTimeout(() => { if (turn === asked) load(); }, wait);
}

async function ask(address) {
  const { ok, status, body } = await read(address, { withinMs: 8000 });
  return ok ? { body, trouble: "" } : { body: null, trouble: { 401: "not_paired", 403: "not_ended", 404: "no_such_hand" }[status] ?? "link_off" };
}

// Going back and forth

function jump(to) {
  place = Math.min(Math.max(to, 0), review.story.steps.length - 1);
  draw();
  window.scrollTo({ top: 0 });
}

function scrubPart() {
  const last = review.story.steps.length - 1;
  const glyph = (d) => shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d }));
  return [
    el("p", { id: "caption", "aria-live": "polite" }),
    el("div", { className: "bar" },
      el("button", { type: "button", id: "earlier", "aria-label": say("earlier"), onclick: () => jump(place - 1) }, glyph("M15.5 3.5 17 5l-7 7 7 7-1.5 1.5L7 12z")),
      el("input", { type: "range", id: "place", min: 0, max: last, value: place, "aria-label": say("step"), oninput: (event) => jump(Number(event.target.value)) }),
      el("button", { type: "button", id: "later", "aria-label": say("later"), onclick: () => jump(place + 1) }, glyph("M8.5 3.5 7 5l7 7-7 7 1.5 1.5L17 12z"))),
  ];
}

function draw() {
  const look = [choices(), document.documentElement.lang];
  headed(review ? say("review_hand", { n: review.hand }) : say("reviews"), review ? "to_reviews" : "to_table", trouble && say(trouble));
  $("back").href = review ? "#" : "./";
  redraw($("find"), [look, list?.kinds], () => (list ? findPart(wanted, list.kinds, () => { most = SHOWN; load(); }) : []));
  redraw($("list"), [look, list, most], () => (list ? listPart(list, wanted, most, () => { most += SHOWN; draw(); }) : []));
  if (!review) {
    for (const id of ["board", "seen", "choice", "told", "course", "take", "scrub"]) redraw($(id), [], () => []);
    return;
  }
  const step = review.story.steps[place];
  const hand = [look, review.number, review.names];
  redraw($("board"), [hand, review.story.steps.length, place, step, review.result, review.decides], () => boardPart(review, place));
  redraw($("seen"), [hand, place, step.event, noteAt(review, place)], () => seenPart(review, place));
  const next = stillOf(review, place + 1);
  if (next) new Image().src = next;
  redraw($("choice"), [hand, place, review.decisions.find((each) => each.at === place)], () => choicePart(review, place));
  redraw($("told"), [hand, review.decisions.length, review.review, review.failed, review.total], () => toldPart(review, jump));
  redrawFolding($("course"), [hand, place, review.decisions.length, review.notes, review.story.steps.map(({ event }) => event)], () => coursePart(review, place, jump));
  redraw($("take"), [hand], () => takePart(review));
  redraw($("scrub"), [hand, review.story.steps.length], scrubPart);
  $("caption").textContent = `${say("trick_number", { n: step.trick })} · ${stepText(review, step.event)}`;
  $("place").value = place;
  $("earlier").disabled = place === 0;
  $("later").disabled = place === review.story.steps.length - 1;
}

dress(choices(), REVIEW_WORDS, FIGURES_WORDS);
window.addEventListener("hashchange", () => {
  [review, list, place, trouble] = [null, null, 0, ""];
  draw();
  load();
});
window.addEventListener("keydown", (event) => {
  if (!review || event.target.id === "place") return;
  if (event.key === "ArrowLeft") jump(place - 1);
  if (event.key === "ArrowRight") jump(place + 1);
});
draw();
load();
