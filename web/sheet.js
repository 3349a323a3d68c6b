// The score sheets: for games that no camera referees. Shows what the server has, and sends what is pressed.

import { button, choices, choose, closeSheet, el, openSheet, redraw, toast } from "./dom.js";
import { follow, read, send } from "./link.js";
import { dress, entitled, wear } from "./page.js";
import { contractsForm, newSheetForm, renameForm } from "./sheet_forms.js";
import { entryPart, nothing } from "./sheet_entry.js";
import { bookPart, changeText, endedPart, handText, linesPart, nameOf, scorePart } from "./sheet_parts.js";
import { SHEET_WORDS } from "./sheet_words.js";
import { showLink, showTrouble } from "./trouble.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const AGAIN_MS = 1000; // what could not be read is asked for again, until it is there

let book = null; // all sheets, while the list is shown
let sheet = null; // the sheet that is shown
let told = nothing(); // the hand that is being told
let written = ""; // entries on all sheets that the server has spoken of, and for whom
let line = "off";
let style = choices();

const chosen = () => Number(location.hash.slice(1)) || null;

// Reading

let asked = 0;
async function load() {
  const number = chosen();
  const turn = ++asked;
  const { ok, status, body: found } = await read(number ? `api/sheets/${number}` : "api/sheets", { withinMs: 6000 });
  if (turn !== asked || status === 401) return;
  if (status === 404 && number) {
    location.hash = "";
    return;
  }
  if (!ok) {
    setTimeout(() => { if (turn === asked) load(); }, AGAIN_MS);
    return;
  }
  const news = number && sheet?.sheet === number && found.seq !== sheet.seq;
  if (number) [sheet, book] = [found, null];
  else [sheet, book] = [null, found];
  if (news) announce();
  if (news && told.after !== null && told.after !== found.seq && !sending) {
    told = nothing();
    toast(say("sheet_refused|too_late"));
  }
  draw();
}

async function older() {
  const { ok, body: more } = await read(`api/sheets?before=${book.sheets.at(-1).sheet}`, { withinMs: 6000 });
  if (!ok || !book) return;
  book = { ...more, sheets: [...book.sheets, ...more.sheets] };
  draw();
}

function announce() {
  const newest = sheet.lines.at(-1);
  $("announcer").textContent = newest ? handText(sheet, newest.hand) : "";
}

// Writing

let sending = false;
let opened = null; // number of the newest entry when the dialog was opened
const openDialog = (...content) => {
  opened = sheet?.seq ?? null;
  openSheet(...content);
};
async function press(command, done = "") {
  if (sending) return;
  sending = true;
  // a dialog is about what was written when it was opened, whatever has come meanwhile
  const dialog = $("sheet").open ? $("sheet").firstChild : null;
  const after = told.after ?? (dialog ? opened : null) ?? sheet?.seq;
  const place = command.type === "open" ? {} : { sheet: sheet.sheet, after };
  const answer = await send({ ...command, ...place }, "api/sheets");
  sending = false;
  if (answer.ok || answer.reason === "too_late") {
    told = nothing();
    if (dialog?.isConnected) closeSheet(); // not another one that was opened meanwhile
  }
  if (answer.ok) {
    if (done) toast(done);
    if (command.type === "open") location.hash = String(answer.sheet);
    else await load();
    return;
  }
  const text = answer.reason === "offline" ? say("sheet_offline") : answer.reason === "not_paired" ? say("not_paired")
    : say(`sheet_refused|${answer.reason}`, answer.details) ?? say("sheet_refused|other");
  toast(text);
  await load();
}

async function write(hand) {
  if (hand.cards?.every((points) => points === null)) {
    toast(say("cards_missing"));
    return;
  }
  const { line: correcting } = told;
  await press(correcting ? { type: "correct", line: correcting.seq, hand } : { type: "hand", hand });
  if (told.after === null) window.scrollTo({ top: 0 });
}

/** A hand that is begun belongs after what was seen then: what another phone writes meanwhile is noticed. */
const keep = () => { told.after ??= sheet.seq; };

function change(part) {
  told = { ...told, ...part };
  keep();
  draw();
  $("announcer").textContent = $("entry").querySelector(".ask")?.textContent ?? "";
  $("entry").querySelector("button:not(#undo):not(#step-back):not(#cancel-correction)")?.focus({ preventScroll: true });
}

/** Tell the hand on a line anew; it begins with what stands there, or stood before it was struck out. */
function correct(shown, dealer = null) {
  const hand = shown.hand ?? shown.was.findLast((each) => each);
  closeSheet();
  told = nothing(shown, dealer ?? hand.dealer);
  keep();
  if (hand.cards) {
    const count = (songs, worth) => songs.filter((song) => song === worth).length;
    told.tute = {
      cards: hand.cards.map(String), last_trick: hand.last_trick, tute: hand.tute,
      songs: hand.songs.map((songs) => [count(songs, 40), count(songs, 20)]),
    };
  } else {
    told.doubling = hand.doubling;
  }
  draw();
}

// Dialogs


function openLine(shown) {
  openDialog(shown.score ? say("line_title", { n: shown.score.number }) : say("struck"),
    el("p", { className: "said", text: handText(sheet, shown.hand) }),
    ...shown.was.map((hand) => el("p", { text: say("before", { what: handText(sheet, hand) }) })),
    button(say("correct"), () => correct(shown), "strong", "correct-line"),
    shown.hand && button(say("dealt", { name: nameOf(sheet.names, shown.hand.dealer) }), () => chooseWho("who_dealt", shown.hand.dealer, (seat) => correct(shown, seat)), "", "line-dealer"),
    shown.hand && button(say("strike"), () => press({ type: "correct", line: shown.seq, hand: null }), "", "strike-line"),
    button(say("cancel"), closeSheet, "quiet"));
}

function chooseWho(title, usual, chose) {
  openDialog(say(title),
    ...sheet.names.map((_, seat) => button(nameOf(sheet.names, seat), () => chose(seat), seat === usual ? "strong" : "")),
    button(say("cancel"), closeSheet, "quiet"));
}

const chooseDealer = () => chooseWho("who_deals", sheet.dealer, (dealer) => press({ type: "dealer", dealer }));

function openNew() {
  const recent = (seats) => book?.sheets.find((each) => each.names.length === seats)?.names ?? [];
  openDialog(say("which_game"),
    ...book.games.map((agreement) => el("button", { type: "button", className: "game-choice", "data-game": agreement.game,
      onclick: () => newSheetForm(agreement, book.seats[agreement.game], recent(book.seats[agreement.game]), (command) => press(command), toast) },
    el("strong", { text: say(`games|${agreement.game}`) }), el("small", { text: say(`games_more|${agreement.game}`) }))),
    button(say("cancel"), closeSheet, "quiet"));
}

function openClose() {
  openDialog(say("close_sheet"), el("p", { text: say("close_confirm") }),
    button(say("close_sheet"), () => press({ type: "close" }), "strong", "close-yes"),
    button(say("cancel"), closeSheet, "quiet"));
}

function openMenu() {
  const pick = (title, key, options) => el("fieldset", {}, el("legend", { text: title }),
    el("div", { className: "choice" }, ...options.map(([value, text]) =>
      el("button", { type: "button", "aria-pressed": String(style[key] === value), text, onclick: () => { restyle(key, value); openMenu(); } }))));
  const link = (kind) => el("a", { className: "button", href: `api/sheets/${sheet.sheet}/export.${kind === "text" ? "txt" : "json"}`, download: true, text: say(`export_${kind}`) });
  const open = sheet?.may_write && !sheet.closed;
  openDialog(say("menu"),
    open && el("div", { className: "choice" },
      button(say("rename"), () => { opened = sheet.seq; renameForm(sheet, press); }, "", "menu-rename"),
      sheet.agreement.contracts.length > 0 && button(say("table_of_contracts"), () => { opened = sheet.seq; contractsForm(sheet, press, toast); }, "", "menu-contracts"),
      button(say("close_sheet"), openClose, "", "menu-close")),
    sheet && el("div", { className: "choice" }, link("text"), link("json")),
    pick(say("language"), "language", [["de", "Deutsch"], ["en", "English"]]),
    pick(say("theme"), "theme", ["auto", "dark", "light"].map((each) => [each, say(`theme_${each}`)])),
    button(say("done"), closeSheet, "quiet"));
}

// Drawing

function entryOf() {
  if (!sheet) return book?.may_write ? [el("button", { type: "button", id: "new-sheet", className: "main", onclick: openNew }, el("strong", { text: say("new_sheet") }))] : [];
  if (!sheet.may_write) return [el("p", { className: "ask", text: say("look_only") })];
  const undo = () => press({ type: "undo" }, say("undone", { what: changeText(sheet) }));
  if (sheet.closed) {
    return [el("div", { className: "step" }, el("p", { className: "ask", text: say("closed_more") }),
      el("button", { type: "button", id: "undo", onclick: undo, text: say("undo_line") }))];
  }
  return entryPart(sheet, told, { change, keep, done: write, undo, cancel: () => { told = nothing(); draw(); } });
}

function draw() {
  entitled(sheet ? say(`games|${sheet.agreement.game}`).replaceAll("\u00ad", "") : say("sheets"));
  $("back").href = sheet ? "#" : "./";
  $("back").setAttribute("aria-label", say(sheet ? "to_sheets" : "to_table"));
  $("open-menu").setAttribute("aria-label", say("menu"));
  showLink(line);
  showTrouble(line, sheet || book);
  if (!sheet && !book) return;
  const look = [style, sheet?.sheet];
  redraw($("score"), [look, sheet], () => (sheet ? scorePart(sheet, { chooseDealer }) : []));
  redraw($("ended"), [look, sheet?.ended, sheet?.names, sheet?.closed], () => [sheet && endedPart(sheet)]);
  redraw($("lines"), [look, sheet?.lines, sheet?.names, sheet?.closed], () => (sheet ? [linesPart(sheet, { openLine })] : []));
  redraw($("book"), [look, book], () => (book ? bookPart(book, { older }) : []));
  redraw($("entry"), [look, sheet, told, !!book], entryOf);
}

function restyle(key, value) {
  style = choose(key, value);
  wear(style);
  draw();
}

dress(style, SHEET_WORDS);
$("open-menu").addEventListener("click", openMenu);
$("sheet").addEventListener("click", (event) => { if (event.target === event.currentTarget) closeSheet(); });
window.addEventListener("hashchange", () => {
  told = nothing();
  closeSheet();
  load();
});
draw();
follow((snapshot) => {
  const news = `${snapshot.sheets} ${snapshot.role}`; // whoever may write now is told so
  if (news === written) return;
  written = news;
  load();
}, (state) => {
  if (state === line) return;
  line = state;
  draw();
});
