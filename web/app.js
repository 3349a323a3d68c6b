// The table page: shows the newest snapshot, and sends what is pressed. It decides nothing.

import { closeSheet, redraw, toast } from "./dom.js";
import { follow } from "./link.js";
import { answeredText, eventText, now, style, take } from "./now.js";
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
  camera.textContent = say(`camera|${sight}`);
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
  const before = now?.hand?.events.at(-1)?.seq ?? 0;
  const wasOver = now?.hand?.over ?? true;
  const lost = !snapshot.health.sitting_kept && (now?.health.sitting_kept ?? true);
  noteTakenBack(now?.last, snapshot.last);
  take(snapshot);
  if (snapshot.health.sitting_kept) unkept = null; // a new start keeps a new one
  draw();
  if (lost) import("./unkept.js").then((told) => told.unkept((what) => { unkept = what; draw(); }), () => {});
  if (snapshot.hand?.over && !wasOver) window.scrollTo({ top: 0 });
  const last = snapshot.hand?.events.at(-1);
  if (last && last.seq > before && before) $("announcer").textContent = eventText(last.event);
  perceive(snapshot);
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
