// The table page: shows the newest snapshot, and sends what is pressed. It decides nothing.

import { changesPart, earlierPart, freshRecord, recordKey } from "./correct.js";
import { devicesSheet } from "./devices.js";
import { beginMatch, button, newHandSheet, revokeSheet } from "./dialogs.js";
import { closeSheet, el, openSheet, redraw } from "./dom.js";
import { fairName } from "./fair.js";
import { follow } from "./link.js";
import { rulesName, seriesPart } from "./match.js";
import { eventText, nameOf, now, presses, restyle, style, take, whoMay } from "./now.js";
import { actionsPart, breachesPart, handsPart, playerPart, questionPart, resultPart, shownTrick, storyPart, talonPart } from "./parts.js";
import { PHONE_WORDS } from "./phone_words.js";
import { canStayAwake, perceive, waken } from "./senses.js";
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
    el("a", { className: "button", id: "menu-sheets", href: "sheet.html", text: say("sheets") }),
    pick(say("language"), "language", [["de", "Deutsch"], ["en", "English"]], menuSheet),
    pick(say("theme"), "theme", ["auto", "dark", "light"].map((each) => [each, say(`theme_${each}`)]), menuSheet),
    pick(say("faces"), "faces", ["french", "english", "german"].map((each) => [each, say(`faces_${each}`)]), menuSheet),
    button(say("done"), closeSheet, "quiet"));
}

/** Redraw a part that folds, and leave it unfolded if it was. */
function keepOpen(id, data, part) {
  const open = $(id).querySelector("details")?.open ?? !["earlier", "changes"].includes(id);
  if (redraw($(id), data, part) && open && $(id).firstChild) $(id).firstChild.open = true;
}

function draw() {
  const look = [style, line];
  $("title").textContent = now ? say("match_number", { n: now.match.number }) + (now.hand ? ` · ${say("hand_number", { n: now.hand.number })}` : "") : say("title");
  $("open-menu").setAttribute("aria-label", say("menu"));
  const linkNode = $("link");
  linkNode.className = `pill ${line === "on" ? "good" : "bad"}`;
  const linkText = say(`link|${line === "on" ? "on" : "off"}`);
  linkNode.textContent = line === "on" ? "" : linkText;
  linkNode.setAttribute("aria-label", linkText);
  linkNode.title = linkText;
  const sight = now?.health.sight ?? "starting";
  const camera = $("camera");
  camera.className = `pill ${{ watching: "good", lost: "bad" }[sight] ?? "idle"}`;
  camera.textContent = say(`camera|${sight}`);
  const trouble = line === "unpaired" ? "not_paired" : line === "off" ? "link_off"
    : now?.health.record === "failed" ? "record_failed" : sight === "lost" ? "camera_lost" : null;
  $("banner").hidden = !trouble || (line === "off" && !now);
  $("banner").textContent = trouble ? say(trouble) : "";
  document.body.classList.toggle("stale", line !== "on");
  document.body.classList.toggle("shut", line === "unpaired");
  if (!now) return;
  const { hand, match } = now;
  redraw($("talon"), [look, match.fair, hand?.trump, hand?.turned_up, hand?.stock, hand?.stock_left, hand?.closed, match.names, !hand], () => talonPart(hand));
  redraw($("result"), [look, hand?.over, hand?.award, hand?.verdict, whoMay("show"), match.winner, match.series, match.names], () => resultPart(now));
  redraw($("series"), [look, match.series, match.carry, match.names], () => seriesPart(match, nameOf));
  redraw($("players"), [look, match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.to_play, hand?.over], () => [0, 1].map((player) => playerPart(player, now)));
  redraw($("questions"), [look, now.questions, hand?.trick], () => now.questions.slice(-1).map((question) => questionPart(question, now.questions.length)));
  redraw($("breaches"), [look, hand?.breaches, whoMay("revoke"), match.names], () => breachesPart(now));
  keepOpen("story", [look, hand?.events, match.names], () => storyPart(hand));
  keepOpen("hands", [look, match.hands, match.names, recordKey()], () => handsPart(match));
  keepOpen("earlier", [look, match.names, recordKey()], earlierPart);
  keepOpen("changes", [look, match.names, recordKey()], changesPart);
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
