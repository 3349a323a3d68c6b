// The parts of the table page, drawn from the newest snapshot.

import { cardBack, cardUnread } from "./cards.js";
import { button, el } from "./dom.js";
import { cardName, eventText, face, fairName, nameOf, now, presses, rangeText, sign, suitName, unsure, whoMay } from "./now.js";
import { opens } from "./opening.js";
import { press, undo } from "./press.js";
import { say } from "./words.js";

const [claimSheet, closeStockSheet, exchangeSheet, knockSheet, marriageSheet, nameCardSheet, newHandSheet] = [
  "claimSheet", "closeStockSheet", "exchangeSheet", "knockSheet", "marriageSheet", "nameCardSheet", "newHandSheet",
].map((name) => opens("dialogs", name));
const correctSheet = opens("correct", "correctSheet");

/** Whether all that is known of the hand is what the players say it paid. */
const isEntered = (hand) => hand.over && !hand.trump && !hand.stock;

export function talonPart(hand) {
  if (!hand) {
    return el("div", { className: "waiting" },
      cardBack(say("face_down")),
      el("div", {}, el("h2", { text: say("waiting") }),
        now.health.sight === "none" && !now.match.hands.length
          ? el("p", {}, say("waiting_blind"), " ", el("a", { href: "sheet.html", text: say("sheets") }))
          : el("p", { text: say("waiting_more") }), fairPart()));
  }
  if (isEntered(hand)) return null;
  const trump = el("div", { className: "trump" },
    el("h2", { text: say("trump") }),
    hand.trump ? sign(hand.trump) : el("span", { className: "question", text: "?", title: say("trump_unknown") }),
    el("p", { text: hand.trump ? suitName(hand.trump) : say("trump_unknown") }));
  const shown = fairPart();
  if (!hand.stock) return el("div", { className: "talon" }, trump, shown);
  const pile = el("div", { className: `pile ${hand.stock}` });
  if (hand.stock === "open") pile.append(hand.turned_up ? face(hand.turned_up) : cardUnread(say("unread")));
  if (hand.stock !== "exhausted") pile.append(cardBack(say("face_down")));
  const stock = el("div", { className: "stock" },
    el("h2", { text: say("stock") }),
    el("p", { className: "number", text: hand.stock_left }),
    el("p", { className: `state ${hand.stock}`, text: say(`stock_${hand.stock}`) }));
  const parts = [trump, pile, stock, shown].filter(Boolean);
  if (hand.closed) {
    const trick = hand.closed.has_trick === null ? "unknown_trick" : hand.closed.has_trick ? "with_trick" : "without_trick";
    parts.push(el("p", { className: "close-note" },
      el("strong", { text: say("closed_by", { name: nameOf(hand.closed.player) }) }), " ",
      hand.closed.points && say("at_close", { name: nameOf(1 - hand.closed.player), points: rangeText(hand.closed.points), tricks: say(trick) })));
  }
  return el("div", { className: "talon" }, ...parts);
}

/** What fair play keeps from this phone, while it keeps anything. */
function fairPart() {
  const { fair } = now.match;
  if (fair.mode === "training") return null;
  return el("p", { className: "fair-note", text: fairName(fair) });
}

/** What stands beside the match: the series, and what a tie carries over. */
export function seriesPart({ series, carry }) {
  const parts = [];
  if (series) {
    const [south, north] = series.wins; // marks are seen beside the names
    parts.push(el("p", { className: "standing" },
      el("span", { text: say(`series_${series.kind}`, { n: series.goal }) }),
      series.kind === "best_of_3" && el("strong", {}, el("span", { className: "unseen", text: nameOf(0) }), ` ${south} : ${north} `,
        el("span", { className: "unseen", text: nameOf(1) }))));
    if (series.won[0] + series.won[1]) parts.push(el("p", { text: say("series_before", { south: series.won[0], north: series.won[1] }) }));
  }
  if (carry) parts.push(el("p", { className: "carry", text: say("carry", { n: carry }) }));
  return parts;
}

export function shownTrick(hand) {
  if (!hand) return { cards: [undefined, undefined], old: false, winner: null };
  const cards = [undefined, undefined];
  for (const laid of hand.trick) cards[laid.player] = laid.card;
  const last = hand.last_trick;
  if (hand.trick.length || !last) return { cards, old: false, winner: null };
  cards[last.leader] = last.led;
  cards[1 - last.leader] = last.followed;
  return { cards, old: true, winner: last.winner };
}

/** Bummerl as dots, `bound` of them with the free ones; as a figure where they are more than `most`. */
export function marksOf(marks, most, bound = 0) {
  if (marks > most) return [el("b", { text: marks }), el("i")];
  return Array.from({ length: Math.max(marks, bound) }, (_, place) => el("i", { className: place < marks ? "" : "free" }));
}

export function playerPart(player, snapshot) {
  const { match, hand } = snapshot;
  const name = nameOf(player);
  const trick = shownTrick(hand);
  const won = trick.old && trick.winner === player;
  const card = trick.cards[player];
  const turn = !hand ? match.next_dealer === player && "deals"
    : hand.over ? false : hand.on_lead === player ? "leads" : hand.to_play === player && "plays";
  const marks = match.marks[player];
  const bound = match.series?.kind === "first_to_n_marks" ? match.series.goal : 0;
  const side = hand?.sides[player];
  const bare = hand && !hand.stock; // fair play shows no cards at all
  return el("article", { className: `player ${turn ? "turn" : ""}`, "aria-label": name },
    el("header", {},
      el("h2", { text: name, className: name[5] ? "long" : "" }),
      el("p", { className: "game" },
        el("span", { text: say(match.counts_down ? "to_go" : "has") }), " ",
        el("strong", { text: match.points[player] })),
      el("p", { className: "marks", role: "img", "aria-label": say("marks", { n: marks }) },
        ...marksOf(marks, 9, bound))),
    el("p", { className: "chip", text: turn ? say(turn) : " ", "aria-hidden": !turn }),
    hand && !hand.over && !bare && el("div", { className: `slot ${trick.old ? "old" : ""} ${won ? "won" : ""}` },
      card === undefined ? el("span", { className: "nothing", "aria-hidden": "true" }) : face(card),
      won && el("span", { className: "badge", text: say("took") })),
    side && !isEntered(hand) && (side.total ? countPart(side) : el("p", { className: "tricks", text: say("hidden_count") })));
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
    el("p", { className: "tricks", text: `${say("tricks", { n: side.tricks })} · ${say("in_hand", { n: side.left })}` }),
    parts);
}

let asked = null; // picture and number of the question shown, fetched once

function questionPicture({ seq, pictured }) {
  if (!pictured) return null;
  if (asked?.seq !== seq) {
    const img = el("img", { className: "asked", src: `api/corrections/questions/${seq}/picture`, width: 480, height: 320, alt: say("asked_picture"), onerror: () => { img.hidden = true; } });
    asked = { seq, img };
  }
  return asked.img;
}

const AIMED_MS = 700;
let newest = { seq: null, until: 0 }; // the question shown last, and until when a touch on it is meant for what was there before

/** Let `card` of question `seq` be touched once whoever touches it can have seen it. */
function holdBack(card, seq) {
  if (newest.seq !== seq) newest = { seq, until: performance.now() + AIMED_MS };
  const left = newest.until - performance.now();
  if (left <= 0) return card;
  card.classList.add("held");
  setTimeout(() => card.classList.remove("held"), left);
  return card;
}

/** Where it happened: the hand, if it is another, or the trick. */
function placeOf({ hand, trick }) {
  if (hand && hand !== now.hand?.number) return say("of_hand", { n: hand });
  return trick > 0 && say("of_trick", { n: trick });
}

/** The event that is asked about, to be corrected; of another hand as the camera told it. */
function toldOf({ about, hand, options }) {
  const told = now.hand?.events.find((each) => each.seq === about);
  return told ?? (hand !== now.hand?.number && { seq: about, event: options[0], source: "camera" });
}

export function questionPart(question, count) {
  const { seq, text, about, to, options } = question;
  const are = (type) => options.length > 0 && options.every((option) => option.type === type);
  const players = new Set(options.map((option) => option.player));
  const plays = are("play") && players.size === 1;
  const turned = are("deal") && new Set(options.map((option) => option.dealer)).size === 1;
  const title = turned ? say("questions|which_turn_up") : plays ? say(`questions|${to ? "which_answer_of" : "which_card_of"}`, { name: nameOf([...players][0]), lead: to && cardName(to) })
    : say(`questions|${text}`) ?? say("question_other");
  const claims = text === "how_ended" && about && are("claim") ? options : [];
  const told = (plays || turned) && about !== null && toldOf(question);
  const more = [placeOf(question), count > 1 && say("more_questions", { n: count - 1 })].filter(Boolean).join(" · ");
  const answer = (option, place) => {
    const card = option.card ?? option.turned_up;
    const out = question.ruled_out.includes(place);
    return el("button", { type: "button", className: out && "out", onclick: () => press({ type: "answer", seq, option: place }) },
      card ? face(card) : option.suit && sign(option.suit),
      el("span", { text: plays || turned ? cardName(card) : eventText(option) }, out && el("small", { text: say("ruled_out") })));
  };
  return holdBack(el("article", { className: "question-card" },
    el("h2", { text: title }),
    more && el("p", { className: "more", text: more }),
    !options.length && button(say("name_card"), () => nameCardSheet(question), "name-card", "name-card"),
    questionPicture(question),
    el("div", { className: "options" }, ...options.map(answer),
      claims.length > 0 && el("button", { type: "button", onclick: () => press({ type: "correct", seq: about, event: null }) },
        el("span", { text: claims.length > 1 ? say("nobody_claimed") : say("not_claimed", { name: nameOf(claims[0].player) }) })),
      told && button(say("other_card"), () => correctSheet(told), "other"))), seq);
}

const minor = (id, mark, can, onclick, label) =>
  el("button", { type: "button", id, disabled: !can, onclick, "aria-label": label },
    el("span", { className: "glyph", "aria-hidden": "true", text: mark }), el("span", { text: say(id) }));

export function actionsPart({ hand, match, last, may_deal }) {
  if (!presses()) return null;
  const claimants = whoMay("claim");
  const closers = [0, 1].filter((player) => whoMay("close").includes(player) || whoMay("close_early").includes(player));
  const knockers = whoMay("knock");
  const takers = whoMay("exchange");
  const knocked = hand?.events.some(({ event }) => event.type === "knock") && !hand.over;
  const wait = match.rules.counts_itself ? "claim_counts_itself" : knocked ? "claim_knocked" : match.rules.claims_between ? "claim_between" : "claim_wait";
  const suits = [0, 1].flatMap((player) => (hand?.sides[player].marriage_suits ?? []).map((suit) => [player, suit]));
  const rest = !hand || hand.over;
  const main = rest && !claimants.length
    ? el("button", { type: "button", id: "new-hand", className: "main", disabled: !may_deal, onclick: newHandSheet },
      el("strong", { text: say(match.winner === null ? "new_hand" : "new_match") }), !may_deal && el("span", { text: say("claim_first") }))
    : el("button", { type: "button", id: "claim", className: "main", disabled: !claimants.length, onclick: () => claimSheet(claimants) },
      el("strong", { text: say("claim") }), el("span", { text: say(claimants.length ? "claim_more" : wait) }));
  return [
    el("div", { className: match.rules.knock ? "minor five" : "minor" },
      minor("undo", "↶", last, undo, last?.event && say("undo_more", { what: eventText(last.event) })),
      minor("marriage", "♥", suits.length, () => marriageSheet(suits)),
      minor("exchange", "⇄", takers.length, () => exchangeSheet(takers)),
      minor("close", "⊘", closers.length, () => closeStockSheet(closers)),
      match.rules.knock && minor("knock", "◎", knockers.length, () => knockSheet(knockers))),
    main,
  ];
}
