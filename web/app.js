// The table page: shows the newest snapshot, and sends what is pressed. It decides nothing.

import { closeSheet, redraw, toast, write } from "./dom.js";
import { follow } from "./link.js";
import { answeredText, eventText, nameOf, now, rangeText, style, take } from "./now.js";
import { afterView, opens, viewed } from "./opening.js";
import { actionsPart, questionPart } from "./parts.js";
import { PHONE_WORDS } from "./phone_words.js";
import { noteTakenBack } from "./press.js";
import { drawTable, tableTrouble, titleOf } from "./table.js";
import { showLink, showTrouble } from "./trouble.js";
import { learn, say, speak } from "./words.js";

learn(PHONE_WORDS);

const $ = (id) => document.getElementById(id);

let line = "off";
let unkept = null; // what an owner is told once the sitting is kept no more

const menuSheet = opens("menu", "menuSheet");
const course = afterView("course", "drawCourse");
const perceive = afterView("senses", "perceive");

function draw() {
  const look = [style, line];
  $("title").textContent = document.title = now ? titleOf(now) : say("title");
  $("open-menu").setAttribute("aria-label", say("menu"));
  const sight = now?.health.sight ?? "starting";
  const camera = $("camera");
  camera.className = `pill ${{ watching: "good", lost: "bad" }[sight] ?? "idle"}`;
  write(camera, say(`camera|${sight}`));
  camera.hidden = Boolean(now) && line !== "on"; // nobody knows
  showLink(line);
  showTrouble(line, now, tableTrouble() ?? unkept);
  if (!now) return;
  const { hand, match } = now;
  drawTable(look);
  redraw($("questions"), [look, now.questions, hand?.trick], () => now.questions.slice(-1).map((question) => questionPart(question, now.questions.length)));
  redraw($("actions"), [look, now.role, hand?.over, hand?.sides.map((side) => [side.may, side.marriage_suits]), now.last, now.may_deal, match.winner, match.names, match.rules, match.next_dealer], () => actionsPart(now));
  course(look, draw);
}

function show(snapshot) {
  if (!now) (document.hidden ? setTimeout : requestAnimationFrame)(() => setTimeout(viewed));
  const before = now;
  const wasOver = now?.hand?.over ?? true;
  const lost = !snapshot.health.sitting_kept && (now?.health.sitting_kept ?? true);
  noteTakenBack(now?.last, snapshot.last);
  take(snapshot);
  if (snapshot.health.sitting_kept) unkept = null; // a new start keeps a new one
  draw();
  if (lost) import("./unkept.js").then((told) => told.unkept((what) => { unkept = what; draw(); }), () => {});
  if (snapshot.hand?.over && !wasOver) window.scrollTo({ top: 0 });
  if (before) announce(before);
  perceive(snapshot);
}

/** What whoever has the page read out is told, once: the newest event since `before`, counts that moved, a question. */
function announce({ hand: before, questions: open }) {
  const { hand, questions } = now;
  const [last, asked] = [hand?.events.at(-1), questions.at(-1)];
  const counted = (of, player) => String((of?.number === hand?.number && of?.sides[player].total) || [0, 0]);
  const moved = [0, 1].filter((player) => counted(hand, player) !== counted(before, player));
  const news = [
    last?.seq > (before?.events.at(-1)?.seq ?? 0) && eventText(last.event),
    ...moved.map((player) => hand?.sides[player].total && `${nameOf(player)} ${rangeText(hand.sides[player].total)}`),
    asked && asked.seq !== open.at(-1)?.seq && $("questions").querySelector("h2").textContent,
  ].filter(Boolean);
  if (news.length) $("announcer").textContent = news.join(". ");
}

function applyStyle() {
  speak(style.language);
  const root = document.documentElement;
  root.dataset.theme = style.theme;
  root.dataset.size = style.size;
  if (parseFloat(getComputedStyle(root).fontSize) > 20) root.dataset.size = "large"; // the browser's own type is
}

const restyled = () => {
  applyStyle();
  draw();
};

$("open-menu").addEventListener("click", () => menuSheet(restyled));
$("sheet").addEventListener("click", (event) => { if (event.target === event.currentTarget) closeSheet(); });
restyled();
follow(show, (state) => {
  if (state === line) return;
  line = state;
  if (state === "unpaired") closeSheet();
  draw();
}, "", (given) => toast(answeredText(given)));
