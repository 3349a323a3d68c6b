// The table page: shows the newest snapshot, and sends what is pressed. It decides nothing.

import { cardBack, cardFace, cardUnread, suitSign } from "./cards.js";
import { choices, choose, closeSheet, el, openSheet, redraw } from "./dom.js";
import { follow, send } from "./link.js";
import { say, speak } from "./words.js";

const SEATS = ["south", "north"];
const RANKS = ["A", "T", "K", "Q", "J"];
const SUITS = ["H", "D", "C", "S"];
const $ = (id) => document.getElementById(id);

let now = null; // the newest snapshot
let line = "off";
let style = choices();

// Words for things

const nameOf = (player) => now?.match.names[player] || say(SEATS[player]);
const german = () => style.faces === "german";
const suitName = (suit) => say(`${german() ? "german_suits" : "suits"}|${suit}`);
const rangeText = ([low, high]) => (low === high ? String(low) : `${low}\u2060–\u2060${high}`);
const unsure = ([low, high]) => low !== high;

function cardName(code) {
  if (!code) return say("unread");
  return say("card", { rank: say(`${german() ? "german_ranks" : "ranks"}|${code[0]}`), suit: suitName(code[1]) });
}

function eventText(event) {
  const name = nameOf(event.player ?? event.dealer);
  const kind = event.type === "deal" && !event.turned_up ? "deal_unseen" : event.type;
  const card = cardName(event.card ?? event.turned_up);
  return say(`event|${kind}`, { name, card, suit: suitName(event.suit) });
}

const face = (code) => (code ? cardFace(code, style.faces, cardName(code)) : cardUnread(say("unread")));
const sign = (suit) => suitSign(suit, style.faces, suitName(suit));

// The parts of the page

function talonPart(hand) {
  if (!hand) {
    return el("div", { className: "waiting" },
      cardBack(say("face_down")),
      el("div", {}, el("h2", { text: say("waiting") }), el("p", { text: say("waiting_more") })));
  }
  const trump = el("div", { className: "trump" },
    el("h2", { text: say("trump") }),
    hand.trump ? sign(hand.trump) : el("span", { className: "question", text: "?", title: say("trump_unknown") }),
    el("p", { text: hand.trump ? suitName(hand.trump) : say("trump_unknown") }));
  const pile = el("div", { className: `pile ${hand.stock}` });
  if (hand.stock === "open") pile.append(hand.turned_up ? face(hand.turned_up) : cardUnread(say("unread")));
  if (hand.stock !== "exhausted") pile.append(cardBack(say("face_down")));
  const stock = el("div", { className: "stock" },
    el("h2", { text: say("stock") }),
    el("p", { className: "number", text: hand.stock_left }),
    el("p", { className: `state ${hand.stock}`, text: say(`stock_${hand.stock}`) }));
  const parts = [trump, pile, stock];
  if (hand.closed) {
    const trick = hand.closed.has_trick === null ? "unknown_trick" : hand.closed.has_trick ? "with_trick" : "without_trick";
    parts.push(el("p", { className: "close-note" },
      el("strong", { text: say("closed_by", { name: nameOf(hand.closed.player) }) }), " ",
      say("at_close", { name: nameOf(1 - hand.closed.player), points: rangeText(hand.closed.points), tricks: say(trick) })));
  }
  return el("div", { className: "talon" }, ...parts);
}

function shownTrick(hand) {
  if (!hand) return { cards: [undefined, undefined], old: false, winner: null };
  const cards = [undefined, undefined];
  for (const laid of hand.trick) cards[laid.player] = laid.card;
  const last = hand.last_trick;
  if (hand.trick.length || !last) return { cards, old: false, winner: null };
  cards[last.leader] = last.led;
  cards[1 - last.leader] = last.followed;
  return { cards, old: true, winner: last.winner };
}

function playerPart(player, snapshot) {
  const { match, hand } = snapshot;
  const trick = shownTrick(hand);
  const won = trick.old && trick.winner === player;
  const card = trick.cards[player];
  const turn = !hand ? match.next_dealer === player && "deals"
    : hand.over ? false : hand.on_lead === player ? "leads" : hand.to_play === player && "plays";
  const marks = match.marks[player];
  const side = hand?.sides[player];
  return el("article", { className: `player ${turn ? "turn" : ""}`, "aria-label": nameOf(player) },
    el("header", {},
      el("h2", { text: nameOf(player) }),
      el("p", { className: "game" },
        el("span", { text: say(match.counts_down ? "to_go" : "has") }), " ",
        el("strong", { text: match.points[player] })),
      el("p", { className: "marks", role: "img", "aria-label": say("marks", { n: marks }) },
        ...Array.from({ length: Math.min(marks, 8) }, () => el("i")))),
    el("p", { className: "chip", text: turn ? say(turn) : " ", "aria-hidden": !turn }),
    hand && !hand.over && el("div", { className: `slot ${trick.old ? "old" : ""} ${won ? "won" : ""}` },
      card === undefined ? el("span", { className: "nothing", "aria-hidden": "true" }) : face(card),
      won && el("span", { className: "badge", text: say("took") })),
    side && countPart(side));
}

function countPart(side) {
  const parts = el("dl", {});
  const add = (key, range) => {
    if (range[1] === 0) return;
    parts.append(el("div", { className: key === "pending" ? "pending" : "" },
      el("dt", { text: say(key) }), el("dd", { text: rangeText(range) })));
  };
  add("from_cards", side.cards);
  add("from_marriages", side.marriages);
  add("from_bonus", side.bonus);
  add("pending", side.pending);
  return el("div", { className: `count ${unsure(side.total) ? "unsure" : ""}` },
    el("p", { className: "total" }, el("strong", { text: rangeText(side.total) }), el("span", { text: say("points") })),
    el("p", { className: "tricks", text: say("tricks", { n: side.tricks }) }),
    parts);
}

function workingPart(working) {
  return el("ul", { className: "working" }, ...working.map((text) => {
    const [left, value] = text.split(" = ");
    const codes = left.match(/[AKQJT9][HDCS]/g) ?? [];
    const item = el("li", {});
    if (left.startsWith("marriage")) item.append(el("span", { text: say("line_marriage", { suit: suitName(codes[0][1]) }) }));
    if (left === "last trick") item.append(el("span", { text: say("line_last_trick") }));
    for (const code of codes) item.append(face(code));
    if (!codes.length && left.includes("?")) item.append(el("span", { text: say("line_unread") }));
    item.append(el("b", { text: value }));
    return item;
  }));
}

function resultPart({ match, hand }) {
  if (!hand?.over) return null;
  const { award, verdict } = hand;
  const parts = [];
  if (match.winner !== null) {
    parts.push(el("p", { className: "match", text: say("match_won", { name: nameOf(match.winner) }) }),
      el("p", { className: "for", text: say("bummerl_for", { name: nameOf(1 - match.winner) }) }));
  }
  const given = hand.events.at(-1)?.event.type === "given_up";
  const headline = award === null ? (given ? say("event|given_up") : say("award_open"))
    : award.winner === null ? say("award_none")
      : say("award", { name: nameOf(award.winner), n: award.game_points });
  parts.push(el("h2", { text: headline }));
  if (award) parts.push(el("p", { className: "reason", text: `${say(`reason|${award.reason}`)} · ${say("clause", { clause: award.clause })}` }));
  if (verdict) {
    const { outcome, points, working } = verdict.verdict;
    parts.push(el("div", { className: `verdict ${outcome}` },
      el("p", {}, el("span", { text: `${say("claim_by", { name: nameOf(verdict.player) })}. ` }),
        el("strong", { text: say(`outcome|${outcome}`, { points: rangeText(points) }) })),
      outcome === "open" && el("p", { text: say("outcome_more|open") }),
      el("details", { open: true }, el("summary", { text: say("how_counted") }), workingPart(working),
        el("p", { className: "sum" }, el("b", { text: rangeText(points) })))));
  }
  return el("div", { className: "result" }, ...parts);
}

function questionPart(question, count) {
  const players = new Set(question.options.map((option) => option.player));
  const plays = question.options.every((option) => option.type === "play") && players.size === 1;
  const turned = question.options.every((option) => option.type === "deal")
    && new Set(question.options.map((option) => option.dealer)).size === 1;
  const title = turned ? say("questions|which_turn_up") : plays ? say("questions|which_card_of", { name: nameOf([...players][0]) })
    : say(`questions|${question.text}`) ?? say("question_other");
  return el("article", { className: "question-card" },
    el("h2", { text: title }),
    count > 1 && el("p", { className: "more", text: say("more_questions", { n: count - 1 }) }),
    el("div", { className: "options" }, ...question.options.map((option, place) =>
      el("button", { type: "button", onclick: () => press({ type: "answer", seq: question.seq, option: place }) },
        (option.card ?? option.turned_up) ? face(option.card ?? option.turned_up) : option.suit && sign(option.suit), el("span", { text: plays || turned ? cardName(option.card ?? option.turned_up) : eventText(option) })))));
}

function breachPart(breach) {
  return el("li", {},
    el("strong", { text: say(`breaches|${breach.breach}`) ?? say("breach") }), " – ",
    say("breach_by", { name: nameOf(breach.player), n: breach.trick }), " ",
    breach.card && face(breach.card), breach.proved_by && face(breach.proved_by),
    el("small", { text: say("clause", { clause: breach.breach }) }));
}

function storyPart(hand) {
  const rows = (hand?.events ?? []).map((told) => {
    const { event } = told;
    const can = now.role === "referee" && event.type === "play";
    const body = [
      event.card ? face(event.card) : event.suit ? sign(event.suit) : el("span", { className: "dot" }),
      el("span", { text: eventText(event) }),
      told.corrected && el("em", { text: say("corrected") }),
      told.unfit && el("em", { className: "unfit", text: say("unfit") }),
    ];
    return el("li", { className: event.player === 1 ? "north" : "south" },
      can ? el("button", { type: "button", onclick: () => correctSheet(told) }, ...body.filter(Boolean)) : el("p", {}, ...body.filter(Boolean)));
  });
  return el("details", { className: "story" },
    el("summary", { text: say("story") }),
    rows.length ? el("ol", {}, ...rows) : el("p", { text: say("story_empty") }));
}

function handsPart(match) {
  if (!match.hands.length) return null;
  return el("details", { className: "story" },
    el("summary", { text: say("hands") }),
    el("ol", {}, ...match.hands.map(({ number, award }) => {
      const won = award === null ? say("award_none")
        : award.winner === null ? say("award_none") : say("award", { name: nameOf(award.winner), n: award.game_points });
      return el("li", {}, el("p", {},
        el("span", { className: "place", text: number }), el("span", { text: won }),
        award && el("em", { className: "why", text: say(`reason|${award.reason}`) })));
    })));
}

function actionsPart({ hand, match, role, last }) {
  if (role === "spectator") return null;
  const may = (what) => [0, 1].filter((player) => hand?.sides[player]?.may.includes(what));
  const claimants = may("claim");
  const closers = may("close");
  const suits = [0, 1].flatMap((player) => (hand?.sides[player]?.marriage_suits ?? []).map((suit) => [player, suit]));
  const rest = !hand || hand.over;
  const main = rest && !claimants.length
    ? el("button", { type: "button", id: "new-hand", className: "main", onclick: newHandSheet },
      el("strong", { text: say(match.winner === null ? "new_hand" : "new_match") }))
    : el("button", { type: "button", id: "claim", className: "main", disabled: !claimants.length, onclick: () => claimSheet(claimants) },
      el("strong", { text: say("claim") }), el("span", { text: say(claimants.length ? "claim_more" : "claim_wait") }));
  return [
    el("div", { className: "minor" },
      el("button", { type: "button", id: "undo", disabled: !last, onclick: undo,
        "aria-label": last ? say("undo_more", { what: eventText(last.event) }) : say("undo") },
      el("span", { className: "glyph", "aria-hidden": "true", text: "↶" }), el("span", { text: say("undo") })),
      el("button", { type: "button", id: "marriage", disabled: !suits.length, onclick: () => marriageSheet(suits) },
        el("span", { className: "glyph", "aria-hidden": "true", text: "♥" }), el("span", { text: say("marriage") })),
      el("button", { type: "button", id: "close", disabled: !closers.length, onclick: () => closeStockSheet(closers[0]) },
        el("span", { className: "glyph", "aria-hidden": "true", text: "⊘" }), el("span", { text: say("close") }))),
    main,
  ];
}

// Sheets

const button = (text, onclick, className = "", id = undefined) => el("button", { type: "button", className, onclick, id, text });

function claimSheet(players) {
  if (players.length === 1) return confirmClaim(players[0]);
  return openSheet(say("claim_who"), ...players.map((player) => button(nameOf(player), () => confirmClaim(player))),
    button(say("no"), closeSheet, "quiet"));
}

function confirmClaim(player) {
  openSheet(say("claim_title", { name: nameOf(player) }),
    el("p", { text: say("claim_text", { other: nameOf(1 - player) }) }),
    button(say("claim_yes"), () => press({ type: "claim", player }), "strong", "claim-yes"),
    button(say("no"), closeSheet, "quiet"));
}

function marriageSheet(suits) {
  openSheet(say("marriage_title"),
    el("div", { className: "choice" }, ...suits.map(([player, suit]) =>
      el("button", { type: "button", onclick: () => press({ type: "marriage", player, suit }) },
        sign(suit), el("span", { text: say("marriage_button", { name: nameOf(player), suit: suitName(suit) }) })))),
    button(say("no"), closeSheet, "quiet"));
}

function closeStockSheet(player) {
  openSheet(say("close_title", { name: nameOf(player) }),
    el("p", { text: say("close_text", { name: nameOf(player) }) }),
    button(say("close_yes"), () => press({ type: "close", player }), "strong", "close-yes"),
    button(say("no"), closeSheet, "quiet"));
}

function newHandSheet() {
  const dealer = now.match.next_dealer;
  openSheet(say("new_hand_title"),
    now.hand && !now.hand.over && el("p", { text: say("new_hand_running") }),
    ...[0, 1].map((player) => button(nameOf(player), () => press({ type: "new_hand", dealer: player }), player === dealer ? "strong" : "")),
    button(say("cancel"), closeSheet, "quiet"));
}

function newMatchSheet() {
  const inputs = [0, 1].map((player) => el("input", {
    type: "text", maxlength: 24, autocomplete: "off", value: now.match.names[player], id: `name-${player}`,
  }));
  const clear = el("input", { type: "checkbox", id: "clear-marks" });
  openSheet(say("new_match_title"),
    el("p", { text: say("new_match_text", { n: now.match.counts_down ? now.match.target : 0 }) }),
    ...inputs.map((input, player) => el("label", { for: input.id }, el("span", { text: say("name_of", { seat: say(SEATS[player]) }) }), input)),
    el("label", { className: "check", for: "clear-marks" }, clear, el("span", { text: say("clear_marks") })),
    button(say("start"), () => press({ type: "new_match", names: inputs.map((input) => input.value), clear_marks: clear.checked }), "strong", "start-match"),
    button(say("cancel"), closeSheet, "quiet"));
}

function correctSheet(told) {
  const change = (card) => press({ type: "correct", seq: told.seq, event: card && { ...told.event, card } });
  openSheet(say("correct_title"),
    el("p", { text: eventText(told.event) }),
    el("div", { className: "pack" }, ...SUITS.flatMap((suit) => RANKS.map((rank) =>
      el("button", { type: "button", className: rank + suit === told.event.card ? "same" : "", onclick: () => change(rank + suit) }, face(rank + suit))))),
    button(say("correct_none"), () => change(null)),
    button(say("cancel"), closeSheet, "quiet"));
}

function menuSheet() {
  const pick = (title, key, options) => el("fieldset", {}, el("legend", { text: title }),
    el("div", { className: "choice" }, ...options.map(([value, text]) =>
      el("button", { type: "button", "aria-pressed": String(style[key] === value), text, onclick: () => { restyle(key, value); menuSheet(); } }))));
  openSheet(say("menu"),
    now && now.role !== "spectator" && el("div", { className: "choice" },
      button(say("new_hand"), newHandSheet, "", "menu-new-hand"), button(say("new_match"), newMatchSheet, "", "menu-new-match")),
    el("a", { className: "button", id: "menu-sheets", href: "sheet.html", text: say("sheets") }),
    pick(say("language"), "language", [["de", "Deutsch"], ["en", "English"]]),
    pick(say("theme"), "theme", ["auto", "dark", "light"].map((each) => [each, say(`theme_${each}`)])),
    pick(say("faces"), "faces", ["french", "english", "german"].map((each) => [each, say(`faces_${each}`)])),
    button(say("done"), closeSheet, "quiet"));
}

// Pressing

async function press(command) {
  closeSheet();
  const answer = await send(command);
  if (answer.ok) return true;
  const text = answer.reason === "offline" ? say("offline")
    : say(`refused|${answer.reason}`, { text: answer.error }) ?? say("refused|other", { text: answer.error });
  toast(text);
  return false;
}

async function undo() {
  const last = now?.last;
  if (!last) return;
  const what = eventText(last.event);
  if (await press({ type: "undo", seq: last.seq })) toast(say("undo_done", { what }));
}

let toastTimer = 0;
function toast(text) {
  const node = $("toast");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { node.hidden = true; }, 5000);
}

// Drawing

/** Redraw a part that folds, and leave it unfolded if it was. */
function keepOpen(id, data, part) {
  const open = $(id).querySelector("details")?.open;
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
  if (!now) return;
  const { hand, match } = now;
  redraw($("talon"), [look, hand?.trump, hand?.turned_up, hand?.stock, hand?.stock_left, hand?.closed, match.names, !hand], () => talonPart(hand));
  redraw($("result"), [look, hand?.over, hand?.award, hand?.verdict, match.winner, match.names], () => resultPart(now));
  redraw($("players"), [look, match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.to_play, hand?.over], () => [0, 1].map((player) => playerPart(player, now)));
  redraw($("questions"), [look, now.questions], () => now.questions.slice(-1).map((question) => questionPart(question, now.questions.length)));
  redraw($("breaches"), [look, hand?.breaches], () => (hand?.breaches.length ? [el("h2", { text: say("breach") }), el("ul", {}, ...hand.breaches.map(breachPart))] : []));
  keepOpen("story", [look, hand?.events, match.names], () => storyPart(hand));
  keepOpen("hands", [look, match.hands, match.names], () => handsPart(match));
  redraw($("actions"), [look, now.role, hand?.over, hand?.sides.map((side) => [side?.may, side?.marriage_suits]), now.last, match.winner, match.names, match.next_dealer], () => actionsPart(now));
}

function show(snapshot) {
  const before = now?.hand?.events.at(-1)?.seq ?? 0;
  const wasOver = now?.hand?.over ?? true;
  now = snapshot;
  draw();
  if (snapshot.hand?.over && !wasOver) window.scrollTo({ top: 0 });
  const last = snapshot.hand?.events.at(-1);
  if (last && last.seq > before && before) $("announcer").textContent = eventText(last.event);
}

function restyle(key, value) {
  style = choose(key, value);
  applyStyle();
  draw();
}

function applyStyle() {
  speak(style.language);
  document.documentElement.dataset.theme = style.theme;
}

$("open-menu").addEventListener("click", menuSheet);
$("sheet").addEventListener("click", (event) => { if (event.target === event.currentTarget) closeSheet(); });
applyStyle();
draw();
follow(show, (state) => {
  if (state === line) return;
  line = state;
  draw();
});
