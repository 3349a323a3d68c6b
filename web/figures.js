// The page of figures: what the server has counted up, by player, and two plots of it.

import { choices, el, redraw } from "./dom.js";
import { FIGURES_WORDS } from "./figures_words.js";
import { read } from "./link.js";
import { dress, headed } from "./page.js";
import { plot } from "./plot.js";
import { nameIn, number } from "./review_parts.js";
import { REVIEW_WORDS } from "./review_words.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const AGAIN_MS = 1500;
const MOST_PLOTTED = 4;
const ROWS = ["hands", "won", "game_points", "matches", "matches_won", "marks", "claims", "wrong_claims", "closings", "closings_won", "marriages", "exchanges", "revokes", "seconds_a_play", "lost_a_decision", "decisions"];
const PRECISION = { seconds_a_play: 1, lost_a_decision: 2 };

let told = null;
let judging = false;
let trouble = "";

async function load() {
  const query = new URLSearchParams(location.search);
  if (judging) query.set("judge", "1");
  const { ok, status, body } = await read(`api/history/figures?${query}`, { withinMs: 8000 });
  trouble = ok ? "" : status === 401 ? "not_paired" : "link_off";
  if (ok) told = body;
  judging = judging && told?.left > 0;
  draw();
  if (judging || trouble === "link_off") setTimeout(load, AGAIN_MS);
}

const nameOf = (person) => nameIn({ names: { [person.seat]: person.name } }, person.seat);
const written = (value, digits = 0) => (value === null ? "–" : number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits }));

function peoplePart({ people }) {
  if (!people.some((each) => each.hands)) return [el("p", { className: "none", text: say("no_figures") })];
  return [el("div", { className: "scroll", tabindex: "0", role: "group", "aria-label": say("figures") }, el("table", { className: "figures" },
    el("thead", {}, el("tr", {}, el("td", {}), ...people.map((each) => el("th", { scope: "col", text: nameOf(each) })))),
    el("tbody", {}, ...ROWS.map((row) => el("tr", { "data-row": row }, el("th", { scope: "row", text: say(`row|${row}`) }), ...people.map((each) => el("td", { text: written(each[row], PRECISION[row]) })))))))];
}

function judgePart({ left }) {
  if (!left) return [];
  return [el("p", { text: say("judge_left", { n: left }) }),
    judging ? el("progress", { "aria-label": say("thinking") }) : el("button", { type: "button", id: "go", text: say("judge", { n: left }), onclick: () => { judging = true; load(); } })];
}

function plotPart({ people }, key, title, digits, kind) {
  const shown = people.slice(0, MOST_PLOTTED).filter((each) => each[key].length);
  if (!shown.some((each) => each[key].length > 1)) return [];
  return [el("h2", { text: title }),
    el("ul", { className: "legend" }, ...shown.map((each, place) => el("li", {}, el("i", { className: `line-${place}` }), nameOf(each)))),
    plot(shown.map((each) => each[key]), title, (value) => number(value, { maximumFractionDigits: digits }), kind),
    el("p", { className: "axis", text: say("by_hand") })];
}

function draw() {
  const look = [choices(), document.documentElement.lang];
  headed(say("figures"), "to_reviews", trouble && say(trouble));
  if (!told) return;
  redraw($("people"), [look, told.people], () => peoplePart(told));
  redraw($("judge"), [look, told.left, judging], () => judgePart(told));
  redraw($("won"), [look, told.people], () => plotPart(told, "course", say("course_plot"), 0, "steps"));
  redraw($("losses"), [look, told.people], () => plotPart(told, "losses", say("losses_plot"), 2, "dots"));
}

dress(choices(), REVIEW_WORDS, FIGURES_WORDS);
draw();
load();
