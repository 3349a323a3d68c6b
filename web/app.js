// The table page: shows the newest snapshot, and sends what is pressed. It decides nothing.

import { changesPart, earlierPart, freshRecord, recordKey } from "./correct.js";
import { devicesSheet } from "./devices.js";
import { beginMatch, newHandSheet, revokeSheet } from "./dialogs.js";
import { button, closeSheet, el, openSheet, redraw, redrawFolding } from "./dom.js";
import { fairName } from "./fair.js";
import { follow } from "./link.js";
import { rulesName } from "./match.js";
import { eventText, nameOf, now, presses, restyle, style, take, whoMay } from "./now.js";
import { actionsPart, breachesPart, handsPart, questionPart, storyPart } from "./parts.js";
import { PHONE_WORDS } from "./phone_words.js";
import { canStayAwake, perceive, waken } from "./senses.js";
import { drawTable, tableTrouble, titleOf } from "./table.js";
import { showLink, showTrouble } from "./trouble.js";
import { learn, say, speak } from "./words.js";

learn(PHONE_WORDS);

const $ = (id) => document.getElementById(id);

let line = "off";

/** A choice of this device; `again` shows the sheet anew. */
function pick(title, key, options, again) {
  const take = (value) => {
    restyle(key, value);
    applyStyle();
    waken(key === "voice");
    draw();
    again();
    document.querySelector(`[data-choice="${key}-${value}"]`)?.focus({ preventScroll: true });
  };
  return el("fieldset", {}, el("legend", { text: title }),
    el("div", { className: "choice" }, ...options.map(([value, text]) =>
      el("button", { type: "button", "data-choice": `${key}-${value}`, "aria-pressed": String(style[key] === value), text, onclick: () => take(value) }))));
}

function sensesSheet() {
  const switched = (key) => pick(say(key), key, [["on", say("on")], ["off", say("off")]], sensesSheet);
  openSheet(say("senses"),
    switched("voice"), switched("sound"), switched("vibrate"),
    canStayAwake() ? switched("awake") : el("fieldset", {}, el("legend", { text: say("awake") }), el("p", { text: say("cannot_awake") })),
    pick(say("size"), "size", ["normal", "large"].map((each) => [each, say(`size_${each}`)]), sensesSheet),
    button(say("done"), closeSheet, "quiet"));
}

function menuSheet() {
  const calls = whoMay("revoke").filter(() => !now.hand.breaches.length);
  openSheet(say("menu"),
    presses() && el("div", { className: "choice" },
      button(say("new_hand"), newHandSheet, "", "menu-new-hand"), button(say("new_match"), beginMatch, "", "menu-new-match")),
    ...calls.map((player) => button(say("revoke", { name: nameOf(player) }), () => revokeSheet(player), "", `menu-revoke-${player}`)),
    now && el("p", { text: say("rules_now", { rules: rulesName(now.match.rules) }) }),
    now && el("p", { text: say("fair_now", { what: fairName(now.match.fair) }) }),
    el("div", { className: "choice" }, button(say("devices"), devicesSheet, "", "menu-devices"), button(say("senses"), sensesSheet, "", "menu-senses")),
    presses() && el("a", { className: "button", id: "menu-setup", href: "setup.html", text: say("setup") }),
    el("a", { className: "button", id: "menu-played", href: "review.html", text: say("played") }),
    el("a", { className: "button", id: "menu-sheets", href: "sheet.html", text: say("sheets") }),
    pick(say("language"), "language", [["de", "Deutsch"], ["en", "English"]], menuSheet),
    pick(say("theme"), "theme", ["auto", "dark", "light"].map((each) => [each, say(`theme_${each}`)]), menuSheet),
    pick(say("faces"), "faces", ["french", "english", "german"].map((each) => [each, say(`faces_${each}`)]), menuSheet),
    button(say("done"), closeSheet, "quiet"));
}

function draw() {
  const look = [style, line];
  $("title").textContent = now ? titleOf(now) : say("title");
  $("open-menu").setAttribute("aria-label", say("menu"));
  const sight = now?.health.sight ?? "starting";
  const camera = $("camera");
  camera.className = `pill ${{ watching: "good", lost: "bad" }[sight] ?? "idle"}`;
  camera.textContent = say(`camera|${sight}`);
  showLink(line);
  showTrouble(line, now, tableTrouble());
  if (!now) return;
  const { hand, match } = now;
  drawTable(look);
  redraw($("questions"), [look, now.questions, hand?.trick], () => now.questions.slice(-1).map((question) => questionPart(question, now.questions.length)));
  redraw($("breaches"), [look, hand?.breaches, whoMay("revoke"), match.names], () => breachesPart(now));
  redrawFolding($("story"), [look, hand?.events, match.names], () => storyPart(hand), true);
  redrawFolding($("hands"), [look, match.hands, match.names, recordKey()], () => handsPart(match), true);
  redrawFolding($("earlier"), [look, match.names, recordKey()], earlierPart, false);
  redrawFolding($("changes"), [look, match.names, recordKey()], changesPart, false);
  freshRecord(draw);
  redraw($("actions"), [look, now.role, hand?.over, hand?.sides.map((side) => [side.may, side.marriage_suits]), now.last, match.winner, match.names, match.rules, match.next_dealer], () => actionsPart(now));
}

function show(snapshot) {
  const before = now?.hand?.events.at(-1)?.seq ?? 0;
  const wasOver = now?.hand?.over ?? true;
  take(snapshot);
  draw();
  if (snapshot.hand?.over && !wasOver) window.scrollTo({ top: 0 });
  const last = snapshot.hand?.events.at(-1);
  if (last && last.seq > before && before) $("announcer").textContent = eventText(last.event);
  perceive(snapshot);
}

function applyStyle() {
  speak(style.language);
  document.documentElement.dataset.theme = style.theme;
  document.documentElement.dataset.size = style.size;
}

$("open-menu").addEventListener("click", menuSheet);
$("sheet").addEventListener("click", (event) => { if (event.target === event.currentTarget) closeSheet(); });
applyStyle();
draw();
follow(show, (state) => {
  if (state === line) return;
  line = state;
  if (state === "unpaired") closeSheet();
  draw();
});
