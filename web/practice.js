// The practice page: moments of played hands as puzzles, and moments set up by hand. The server has the answers.

import { button, choices, el, redraw } from "./dom.js";
import { read } from "./link.js";
import { face } from "./now.js";
import { dress, headed } from "./page.js";
import { PRACTICE_WORDS } from "./practice_words.js";
import { settingPart, settingOf, takeSetting } from "./practice_setting.js";
import { actionName, actionRows, boardPart, nameIn, number, ONE_DIGIT, stepText } from "./review_parts.js";
import { REVIEW_WORDS } from "./review_words.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const WAIT_MS = 20000;
const LONG_MS = 4000; // a moment is mostly worked out by then, unless others wait as well

let puzzle = null; // what is asked
let choice = null; // what was chosen
let solved = null; // the answer to what was set up
let waits = ""; // what is said while the server works
let trouble = "";
let asked = 0;
let again = null; // what asks once more where no answer came

const settingUp = () => location.hash === "#set";

/** Ask, and say at once that the server works, then that it takes long; `null` where something else is asked by now. */
async function ask(path, question = undefined) {
  const turn = ++asked;
  const tell = (what) => {
    if (turn !== asked) return;
    waits = what;
    draw();
  };
  [trouble, again] = ["", null];
  tell("solving");
  const long = setTimeout(() => tell("solving_long"), LONG_MS);
  const found = await read(`api/practice${path}`, { withinMs: WAIT_MS, question });
  clearTimeout(long);
  if (turn !== asked) return null;
  waits = "";
  return found;
}

function refusal({ status, body }, missing) {
  if (body?.reason === "impossible") return say("wrong_setting", { text: say(`wrong|${body.fault}`, body.known) ?? body.error });
  return say({ 401: "not_paired", 403: "not_ended", 404: missing, 409: "not_now", 503: "crowded", 0: "no_answer" }[status] ?? "link_off");
}

/** Say why there is no answer; where one may come yet, `onceMore()` asks for it. */
function refused(found, missing, onceMore) {
  trouble = refusal(found, missing);
  if (found.status === 0 || found.status === 503) again = onceMore;
}

async function load() {
  const which = /^#(\d+)\.(\d+)$/.exec(location.hash);
  [puzzle, choice, solved] = [null, null, null];
  if (settingUp()) {
    changed();
    return;
  }
  const found = await ask(which ? `/${which[1]}/${which[2]}` : "");
  if (!found) return;
  if (found.ok) puzzle = found.body;
  else refused(found, which ? "no_such_puzzle" : "no_puzzle", load);
  draw();
}

async function solve(setting) {
  solved = null;
  const answered = ask("/solve", setting);
  $("answer").scrollIntoView({ behavior: "smooth", block: "nearest" });
  const found = await answered;
  if (!found) return;
  if (found.ok) solved = found.body;
  else refused(found, "link_off", () => solve(setting));
  draw();
  if (solved) $("answer").scrollIntoView({ behavior: "smooth", block: "start" });
}

/** The position is another one: what was worked out was not of it. */
function changed() {
  asked += 1;
  [solved, waits, trouble, again] = [null, "", "", null];
  draw();
}

function choose(action) {
  choice = choice ?? action;
  draw();
}

// Drawing

/** The table of a puzzle, as the review draws it. */
function tableOf({ names, player, trump, hand, led, other, hidden, turned_up: up, stock_left: left, stock, card_points: points, tricks_won: tricks }) {
  const bySide = (mine, others) => (player === 0 ? [mine, others] : [others, mine]);
  const step = {
    counts: points.map((total) => ({ total })), tricks, held: bySide(hand, other), hidden: bySide(0, hidden),
    table: led ? [{ player: 1 - player, card: led }] : [], taken_by: null, turned_up: stock === "open" ? up : null, stock_left: left, stock,
  };
  return { names, story: { trump, steps: [step] } };
}

function pressable(card, player) {
  const action = `play:${card}`;
  if (player !== puzzle.player || choice || !puzzle.actions[action]) return face(card);
  return el("button", { type: "button", className: "play", "data-action": action, onclick: () => choose(action) }, face(card));
}

function askedPart() {
  const words = Object.keys(puzzle.actions).filter((action) => !action.startsWith("play:"));
  const name = nameIn(puzzle, puzzle.player);
  return [el("h2", { text: say(puzzle.led ? "what_now_answer" : "what_now_lead", { name }) }),
    !puzzle.known && el("p", { text: say("supposed") }),
    !choice && words.length > 0 && el("div", { className: "choice" }, ...words.map((action) =>
      el("button", { type: "button", "data-action": action, text: actionName(action), onclick: () => choose(action) })))];
}

function resultPart({ actions, layouts }, mark, said) {
  return el("div", { className: "panel" },
    el("header", {}, el("h2", { text: said }), el("p", {}, el("span", { text: say(layouts === undefined ? "exact" : "wins") }), el("span", { text: layouts > 1 ? say("layouts", { n: layouts }) : say("average") }))),
    actionRows(actions, mark));
}

function puzzleAnswer() {
  const [best] = Object.keys(puzzle.actions);
  const { loss, sure } = puzzle.actions[choice];
  const mark = (action) => {
    const words = [action === choice && say("yours"), action === best && say("is_best"), action === puzzle.done && say("was_played")].filter(Boolean);
    return { className: action === best ? "best" : action === choice ? "done" : "", text: words.join(", ") };
  };
  return [resultPart(puzzle, mark, choice === best ? say("right") : !sure ? say("as_good") : say("costs", { n: number(loss, ONE_DIGIT) })),
    el("div", { className: "choice" },
      el("a", { className: "button", href: `review.html#${puzzle.number}`, text: say("see_hand") }),
      el("a", { className: "button", id: "change", href: "#set", text: say("change_it"), onclick: () => takeSetting(puzzle) }))];
}

function settingAnswer() {
  const mark = (action) => (solved.actions[action].sure ? { className: "", text: "" } : { className: "best", text: say("is_best") });
  const line = (solved.line ?? []).map((event) => stepText({ names: [say("me"), say("opponent")] }, event));
  return [resultPart(solved, mark, say("set_up")),
    line.length > 0 && el("details", { className: "story" }, el("summary", { text: say("goes_on") }), el("ol", {}, ...line.map((text) => el("li", {}, el("span", { text })))))];
}

function draw() {
  const look = [choices(), document.documentElement.lang];
  headed(say("to_practice"), "to_reviews", trouble);
  redraw($("ways"), [look, settingUp()], () => [["#", "puzzles", !settingUp()], ["#set", "set_up", settingUp()]].map(([href, text, here]) =>
    el("a", { href, text: say(text), "aria-current": here ? "page" : undefined })));
  redraw($("asked"), [look, puzzle, choice], () => (puzzle ? askedPart() : []));
  redraw($("board"), [look, puzzle, choice], () => (puzzle ? boardPart(tableOf(puzzle), 0, puzzle.player, pressable) : []));
  redraw($("setting"), [look, settingUp(), settingUp() && settingOf()], () => (settingUp() ? settingPart(changed, solve) : []));
  redraw($("answer"), [look, puzzle, choice, solved, waits, !!again], () => (waits ? [el("p", { className: "panel", text: say(waits) })]
    : again ? [button(say("again"), again, "main", "again")]
      : choice ? puzzleAnswer() : solved && settingUp() ? settingAnswer() : []));
  redraw($("next"), [look, puzzle?.number, puzzle?.at, choice], () => (puzzle && choice
    ? el("button", { type: "button", id: "another", className: "main", onclick: () => (location.hash === "" || location.hash === "#" ? load() : (location.hash = "#")) }, el("strong", { text: say("next_puzzle") })) : []));
}

dress(choices(), REVIEW_WORDS, PRACTICE_WORDS);
window.addEventListener("hashchange", load);
load();
