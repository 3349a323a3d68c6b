// The set-up page: which camera, where the table lies in its picture, which pack. It shows what the server sees.

import { stayAwake } from "./awake.js";
import { button, closeSheet, el, openSheet, redraw, toast, write } from "./dom.js";
import { read, send } from "./link.js";
import { newMatchSheet } from "./match.js";
import { SEATS, now, style, take } from "./now.js";
import { dress, headed } from "./page.js";
import { PHONE_WORDS } from "./phone_words.js";
import { learningPart } from "./setup_learn.js";
import { WHOLE, isWhole, renew, viewPart } from "./setup_view.js";
import { SETUP_WORDS } from "./setup_words.js";
import { refusedText, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const LOOK_MS = 600;

let known = null; // what the server says of cameras, packs and what its eyes do
let look = null; // the newest picture
let draft = { camera: null, turn: 0, table: null, deck: null };
let told = false; // whether somebody has said where the table lies
let dragging = false;
let trouble = "";
let address = ""; // what is typed for a camera in the network

/** Whether this page tries something out, also after it was loaded anew; who only looks on ends nothing. */
const tries = () => sessionStorage.getItem("tries") === "yes";

// Asking

async function change(command) {
  const answer = await send(command, "api/setup");
  if (!answer.ok) {
    const field = answer.error?.split(":")[0];
    toast(answer.reason === "offline" ? say("offline") : say(`setup_refused|${field}`) ?? say(`setup_refused|${answer.reason}`) ?? say("setup_refused|other"));
    return false;
  }
  known = answer;
  if (command.type === "keep") sessionStorage.removeItem("tries");
  else if (command.type !== "enrol_back") sessionStorage.setItem("tries", "yes");
  return true;
}

async function begin() {
  const [snapshot, setup] = [await read("api/snapshot"), await read("api/setup")];
  trouble = { 401: "not_paired", 403: "setup_owner_only", 404: "setup_none", 0: "setup_offline" }[setup.status] ?? "";
  if (snapshot.status === 200) take(snapshot.body);
  draw();
  if (setup.status === 0) setTimeout(begin, 1000);
  if (setup.status !== 200) return;
  known = setup.body;
  const kept = known.trying ?? known.setting;
  told = !!kept?.table;
  draft = kept ?? { ...draft, camera: known.cameras[0]?.camera ?? null };
  if (draft.camera?.includes("://")) address = draft.camera;
  if (!known.trying && !known.setting && draft.camera) await tryOut({});
  draw();
  follow();
}

/** What is chosen; where the table was only found, that is left to whoever looks. */
const meant = () => ({ ...draft, table: told ? draft.table : null });

/** Look as the draft says with `part` changed, and tell the table nothing. */
async function tryOut(part) {
  if ("camera" in part || "turn" in part) [told, part.table] = [false, null];
  draft = { ...draft, ...part };
  look = null;
  draw();
  await change({ type: "try", setting: meant() });
  draw();
}

async function follow() {
  if (document.visibilityState === "visible" && draft.camera !== null && !dragging) {
    const asked = draft;
    const { status, body } = await read("api/setup/look");
    if (!dragging && asked === draft) {
      trouble = { 401: "not_paired", 0: "setup_offline" }[status] ?? "";
      if (status === 200 && !body.enrolling && known.enrolling && !known.enrolling.done) brokenOffSheet(known.enrolling.name);
      if (status === 200 && JSON.stringify(body.setting) !== JSON.stringify(known.setting)) {
        // somebody has set it up on another device meanwhile
        [known, draft, told] = [{ ...known, setting: body.setting, trying: body.trying }, body.setting ?? draft, !!body.setting?.table];
      } else if (status === 200 && !body.trying && isOther(known.setting)) {
        // nobody has looked for long, and the table is watched again as it was set up: try anew what is chosen
        known = { ...known, trying: body.trying };
        await tryOut({});
      } else if (status === 200) {
        look = body.picture && !body.failed ? body : null; // one that was seen before it failed is none
        known = { ...known, trying: body.trying, failed: body.failed, why: body.why, enrolling: body.enrolling };
        if (!told) draft.table = isWhole(body.table) ? null : body.table;
      } else if (status === 403) {
        trouble = "setup_playing";
      }
      stayAwake(!!known.enrolling && !known.enrolling.done); // both hands are on the cards
      draw();
    }
  }
  setTimeout(follow, LOOK_MS);
}

/** Whether what is chosen is not what is kept: another camera, or turned otherwise. */
const isOther = (kept) => draft.camera !== (kept?.camera ?? null) || draft.turn !== (kept?.turn ?? draft.turn);

// What is chosen

const moved = (table) => {
  [dragging, told, draft.table] = [true, true, isWhole(table) ? null : table];
  $("picture").querySelector(".said p:last-child").textContent = say("table_told");
};
const dropped = () => {
  dragging = false;
  draw();
};

function turnOn() {
  tryOut({ turn: (draft.turn + 1) % 4 });
}

function find() {
  told = false;
  draft.table = isWhole(look?.table) ? null : look.table;
  draw();
}

function whole() {
  [told, draft.table] = [true, null];
  draw();
}

/** Keep what is chosen; whoever takes a camera without a picture is to know it. */
function keep() {
  if (draft.camera === null || look || trouble === "setup_playing") return keepSetting();
  openSheet(say("no_picture"), el("p", { text: say("no_picture_more") }),
    button(say("no_picture_other"), closeSheet, "strong", "choose-other"),
    button(say("no_picture_yes"), keepSetting, "", "keep-blind"));
  return undefined;
}

async function keepSetting() {
  const setting = { ...draft, table: isWhole(draft.table) ? null : draft.table };
  closeSheet();
  if (!await change({ type: "keep", setting })) return;
  told = true;
  draw();
  if (!now || (now.match.winner === null && (now.hand || now.match.begun))) { // a match goes on
    location.href = "./";
    return;
  }
  newMatchSheet(now.match, { seats: SEATS.map((seat) => say(seat)), start, fail: toast });
  $("sheet").append(el("a", { className: "button", href: "./", text: say("to_play") }));
}

async function start(command) {
  closeSheet();
  const answer = await send(command);
  if (answer.ok) location.href = "./";
  else toast(refusedText(answer));
  return answer.ok;
}

function lookThrough() {
  if (/^(https?|rtsp):\/\/[^\s"'<>]{1,300}$/.test(address)) tryOut({ camera: address });
  else toast(say("camera_address_more"));
}

function learnSheet() {
  const name = el("input", { type: "text", id: "learn-name", oninput: () => { taken.textContent = known.decks.includes(name.value) ? say("learn_taken", { name: name.value }) : ""; }, autocomplete: "off", autocapitalize: "none", pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]{0,39}" });
  const taken = el("p", { className: "taken", role: "status" });
  const nines = el("input", { type: "checkbox", id: "learn-nines", checked: now?.match.rules.deck === 24 });
  const go = async () => {
    if (!name.value || !name.checkValidity()) {
      name.focus();
      toast(`${say("learn_name")}: ${say("learn_name_more")}`);
      return;
    }
    closeSheet();
    look = null;
    await change({ type: "enrol", setting: meant(), name: name.value, nines: nines.checked });
    draw();
  };
  openSheet(say("learn_title"), el("p", { text: say("learn_text") }), el("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); go(); } },
    el("label", { for: "learn-name" }, el("span", { text: `${say("learn_name")} (${say("learn_name_more")})` }), name), taken,
    el("label", { className: "check", for: "learn-nines" }, nines, el("span", { text: say("learn_nines") })),
    el("button", { type: "submit", className: "strong", id: "learn-start", text: say("learn_start") })), button(say("cancel"), closeSheet, "quiet"));
}

/** Somebody else, or a new start of the companion, has ended what was being learnt. */
function brokenOffSheet(name) {
  openSheet(say("learn_broken", { name }), el("p", { text: say("learn_broken_more") }),
    button(say("learn_anew"), learnSheet, "strong", "learn-anew"), button(say("done"), closeSheet, "quiet"));
}

// Drawing

const pick = (name, title, more, on, onclick) => el("button", { type: "button", className: "pick", "data-pick": name, "aria-pressed": String(on), onclick },
  el("strong", { text: title }), more && el("span", { text: more }));

function cameraTitle(camera) {
  const [module, number] = camera.split(":"); // "rpicam:1" is the second of a Raspberry Pi
  if (module === "rpicam") return say("camera_pi", { n: Number(number ?? 0) + 1 });
  return /^\d+$/.test(camera) ? say("camera_index", { n: Number(camera) + 1 }) : camera;
}

function cameraPart() {
  const camera = ({ camera: index, name }) => pick(`camera-${index}`, cameraTitle(index), name, draft.camera === index, () => tryOut({ camera: index }));
  const input = el("input", { type: "text", id: "camera-address", value: address, placeholder: "http://192.168.1.20:8080/video", inputmode: "url", autocapitalize: "none", autocomplete: "off",
    oninput: (event) => { address = event.target.value.trim(); } });
  const none = pick("camera-none", say("camera_none"), say("camera_none_more"), draft.camera === null, () => tryOut({ camera: null }));
  return el("fieldset", { className: "group" }, el("legend", { className: "big", text: say("which_camera") }),
    ...known.cameras.filter((each) => !each.camera.includes("://")).map(camera), none,
    el("form", { className: "address", onsubmit: (event) => { event.preventDefault(); lookThrough(); } },
      el("label", { for: "camera-address" }, el("span", { text: `${say("camera_address")} (${say("camera_address_more")})` }), input),
      el("button", { type: "submit", id: "camera-look", text: say("camera_look") })));
}

function deckPart() {
  const deck = (name) => pick(`deck-${name}`, name, say("deck_own"), draft.deck === name, () => tryOut({ deck: name }));
  return el("fieldset", { className: "group" }, el("legend", { className: "big", text: say("which_deck") }),
    pick("deck-any", say("deck_any"), say("deck_any_more"), draft.deck === null, () => tryOut({ deck: null })), ...known.decks.map(deck),
    draft.camera !== null && pick("deck-learn", say("deck_learn"), say("deck_learn_more"), false, learnSheet));
}

/** Write into `node` what is recognised. */
function drawSaid(node) {
  const cards = look.cards.filter(({ card }) => card.length === 2).length;
  const lost = !told && !look.table;
  const [seen, found] = node.children;
  write(seen, say("cards_seen", { n: cards }));
  write(found, say(lost ? "table_lost" : !draft.table ? "table_whole" : told ? "table_told" : "table_found"));
  found.className = lost ? "lost" : "";
}

let shown = null; // the view that is on the page with what is said of it, and for which corners and looks
let held = null; // what had the focus there when it was drawn anew

function drawPicture() {
  const learning = known.enrolling && !known.enrolling.done;
  const node = $("picture");
  node.hidden = draft.camera === null || !!known.enrolling?.done;
  if (node.hidden) return;
  const table = learning ? null : draft.table;
  const dressed = JSON.stringify([learning, style]);
  const key = look && JSON.stringify([table, dressed, look.width, look.height]);
  if (look && shown?.key === key) {
    renew(shown.view, look, table);
    if (shown.said) drawSaid(shown.said);
    return;
  }
  const { activeElement: at } = document;
  if (node.contains(at)) held = at.id ? `#${at.id}` : `[data-corner="${at.dataset.corner}"]`;
  if (!look) {
    node.replaceChildren(el("p", { className: "blank", text: known.failed ? (say(`setup_failed|${known.why}`) ?? say("setup_failed|other")) : say("setup_wait") }));
    shown = null;
    return;
  }
  const view = viewPart(look, table ?? (learning ? null : WHOLE), learning ? null : moved, dropped);
  if (shown?.dressed === dressed) shown.view.replaceWith(view); // nothing else moves under a finger
  else {
    const said = learning ? null : el("div", { className: "said", "aria-live": "polite" }, el("p"), el("p"));
    node.replaceChildren(view, ...(learning ? [] : [said, el("div", { className: "tools" },
      button(say("turn"), turnOn, "", "turn"), button(say("find"), find, "", "find"), button(say("whole"), whole, "", "whole"))]));
    shown = { dressed, said };
  }
  shown = { ...shown, key, view };
  if (shown.said) drawSaid(shown.said);
  if (held && document.activeElement === document.body) node.querySelector(held)?.focus();
  held = null;
}

function draw() {
  headed(say("setup"), "to_play", trouble && say(trouble));
  if (!known) return;
  const { enrolling, cameras, decks } = known;
  drawPicture();
  redraw($("learning"), [enrolling, known.failed, known.why], () => (enrolling ? learningPart(enrolling, known.failed && known.why, { back: () => change({ type: "enrol_back" }), use: (deck) => tryOut({ deck }) }) : []));
  redraw($("camera"), enrolling ? null : [cameras, draft.camera, style], () => (enrolling ? [] : [cameraPart()]));
  redraw($("deck"), enrolling ? null : [decks, draft.deck, draft.camera, style], () => (enrolling ? [] : [deckPart()]));
  redraw($("entry"), [!!enrolling, enrolling?.done, draft.camera === null, style], () => {
    if (enrolling) return enrolling.done ? [] : [button(say("learn_stop"), () => tryOut({}), "", "learn-stop")];
    return [el("button", { type: "button", className: "main", id: "keep", onclick: keep }, el("strong", { text: say(draft.camera === null ? "without" : "save") }), el("span", { text: say("save_more") }))];
  });
}

dress(style, PHONE_WORDS, SETUP_WORDS);
$("sheet").addEventListener("click", (event) => { if (event.target === event.currentTarget) closeSheet(); });
window.addEventListener("pagehide", () => {
  if (known?.trying && tries()) fetch("api/setup", { method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: '{"type":"leave"}' });
});
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
draw();
begin();
