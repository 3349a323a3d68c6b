// The parts of the review page, drawn from a review as the server gives it.

import { cardBack } from "./cards.js";
import { el } from "./dom.js";
import { SEATS, cardName, carriedText, eventText, face, sign, suitName } from "./now.js";
import { say } from "./words.js";

export const nameIn = (review, player) => review.names[player] || say(SEATS[player]);
const language = () => document.documentElement.lang;
export const number = (value, more = {}) => new Intl.NumberFormat(language(), more).format(value).replace("-", "\u2212");
export const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 }; // also of 1: "1,0 Punkte", as one says
const range = (points) => (Array.isArray(points) ? points.join("\u2060–\u2060") : String(points ?? 0));

/** A sentence with the players' and the cards' names put in. */
function filled(review, pattern) {
  return pattern[language()].replace(/\{(\w+)\}/g, (_, code) =>
    (code === "0" || code === "1" ? nameIn(review, Number(code)) : code.length === 1 ? suitName(code) : cardName(code)));
}

/** The event of a step in words; before the first there is the deal. */
export const stepText = (review, event) => eventText(event ?? { type: "deal", dealer: review.story.dealer }, (player = 0) => nameIn(review, player));

function cardsRow(step, player, wrap) {
  const hidden = step.hidden[player];
  return el("div", { className: "hand" },
    ...step.held[player].map((card) => wrap(card, player)),
    ...Array.from({ length: hidden }, () => cardBack(say("face_down"))));
}

function sidePart(review, step, player, wrap) {
  const count = step.counts[player];
  const parts = [say("tricks", { n: step.tricks[player] })];
  if (count.pending) parts.push(`${say("pending")} ${range(count.pending)}`);
  return el("div", { className: "side", "data-player": player },
    el("header", {}, el("h2", { text: nameIn(review, player) }), el("p", { text: parts.join(" · ") }),
      el("strong", { className: "points", text: range(count.total), "aria-label": `${range(count.total)} ${say("points")}` })),
    cardsRow(step, player, wrap));
}

function middlePart(review, step, near) {
  const laid = (player) => step.table.find((each) => each.player === player);
  const slot = (player) => el("div", { className: `laid ${step.taken_by === player ? "won" : ""}` }, laid(player) ? face(laid(player).card) : null);
  return el("div", { className: "middle" },
    el("div", { className: "talon-small" },
      review.story.trump && sign(review.story.trump),
      step.turned_up && step.stock_left > 0 ? face(step.turned_up) : null,
      el("p", { className: `state ${step.stock}` }, step.stock === "exhausted" ? say("stock_exhausted") : `${say(`stock_${step.stock}`)} · ${step.stock_left}`)),
    el("div", { className: "trick" }, slot(1 - near), slot(near)),
    el("p", { className: "taker", text: step.taken_by === null ? "" : say("takes", { name: nameIn(review, step.taken_by) }) }));
}

/** How the event of a step came to be known; empty where nobody knows. */
export const noteAt = (review, place) => (place === 0 ? review.deal : review.notes[review.story.steps[place]?.at]) ?? {};

/** The address of the picture of a step; nothing where none was kept. */
export function stillOf(review, place) {
  const { picture } = noteAt(review, place);
  return picture === undefined ? null : `api/reviews/${review.number}/pictures/${picture}`;
}

const sourceName = (review, source) => ({ "phone:south": nameIn(review, 0), "phone:north": nameIn(review, 1) }[source] ?? say(`by|${source}`));

function questionText(review, { text, settled, by, answer }) {
  const asked = say(`questions|${text}`) ?? say("question_other");
  const what = answer ? stepText(review, answer) : "";
  return `${asked} ${say(`settled|${settled}`, { what, name: by && sourceName(review, by) })}`;
}

const correctionPart = (review, { was, by }) => el("p", { className: "mended" },
  by ? say("corrected_by", { name: sourceName(review, by) }) : say("corrected"), was && " ", was && el("s", { text: stepText(review, was) }));

/** The table as the camera saw it at this moment, and what was doubted, asked and corrected about it. */
export function seenPart(review, place) {
  const note = noteAt(review, place);
  const still = stillOf(review, place);
  const said = [
    note.corrected && correctionPart(review, note.corrected),
    note.unseen !== undefined && el("p", { className: "doubt", text: note.unseen === null ? say("lay_there") : say("unseen_before", { n: note.unseen }) }),
    note.confidence !== undefined && el("p", { className: "doubt", text: say("read_with", { share: number(note.confidence, { style: "percent" }) }) }),
    ...(note.questions ?? []).map((each) => el("p", { className: "asked", text: questionText(review, each) })),
  ].filter(Boolean);
  if (!still && !said.length) return [];
  return [el("figure", {},
    still && el("img", { src: still, width: 480, height: 320, alt: say("still", { what: stepText(review, review.story.steps[place].event) }), onerror: ({ target }) => target.remove() }),
    said.length > 0 && el("figcaption", {}, ...said))];
}

/** The table after a step; `near` is the player at the bottom, `wrap` draws a card of a player's hand. */
export function boardPart(review, place, near = 0, wrap = face) {
  const step = review.story.steps[place];
  const ended = place === review.story.steps.length - 1 && review.result;
  return [sidePart(review, step, 1 - near, wrap), middlePart(review, step, near), sidePart(review, step, near, wrap), ended && endedPart(review)];
}

function endedPart(review) {
  const decided = decidedText(review);
  return el("p", { className: "ended" }, el("strong", { text: awardText(review) }), decided && el("em", { text: decided }), el("small", { text: say(`reason|${review.result.reason}`) ?? "" }));
}

/** What came of a match that this hand decided; empty where it went on. */
function decidedText(hand) {
  const decides = hand.decides;
  return decides ? `${say("match_won", { name: nameIn(hand, decides.winner) })} ${say("bummerl_for", { n: decides.mark, name: nameIn(hand, 1 - decides.winner) })}` : "";
}

/** What a hand came to, as the list of hands and a review have it. */
function awardText(hand) {
  const result = hand.result;
  if (result.winner === null) return say({ open: "award_open", given_up: "event|given_up", unfinished: "no_result" }[result.reason] ?? "award_none");
  return say("award", { name: nameIn(hand, result.winner), n: result.game_points }) + carriedText(hand.carried);
}

export const actionName = (action) => (action.startsWith("play:") ? cardName(action.slice(5)) : say(`act_${action}`));

/** What actions promise, in the order given; `mark` says what is to be said of one: its class and a word. */
export function actionRows(actions, mark) {
  return el("ol", { className: "actions" }, ...Object.entries(actions).map(([action, chance]) => {
    const { className, text } = mark(action);
    const share = chance.wins === undefined ? null : number(chance.wins, { style: "percent" });
    return el("li", { className },
      action.startsWith("play:") ? face(action.slice(5)) : el("span", { className: "word", text: actionName(action) }),
      share ? el("meter", { min: 0, max: 1, value: chance.wins, "aria-label": `${actionName(action)}: ${say("wins")} ${share}` }) : el("span", {}),
      el("span", { className: "share", text: share ?? "" }),
      el("span", { className: "worth", text: number(chance.game_points, { signDisplay: "exceptZero", minimumFractionDigits: share ? 1 : 0, maximumFractionDigits: 1 }) }),
      el("em", { text }));
  }));
}

/** What could be done at this moment, once it has been worked out. */
export function choicePart(review, place) {
  const decision = review.decisions.find((each) => each.at === place);
  if (!decision) return [];
  const mark = (action) => {
    const done = action === decision.action;
    const best = decision.loss > 0 && action === decision.best;
    return { className: `${done ? "done" : ""} ${best ? "best" : ""}`, text: best ? say("was_best") : done ? say("was_done") : "" };
  };
  return [el("header", {}, el("h2", { text: say("choice_of", { name: nameIn(review, decision.player) }) }),
    el("p", {}, el("span", { text: say("wins") }), el("span", { text: say(decision.certain ? "certain" : "average") }))),
  actionRows(decision.actions, mark),
  el("a", { className: "button", href: `practice.html#${review.number}.${place}`, text: say("as_puzzle") })];
}

/** The pictures of a revoke: the wrong card, and the one that proved it. */
function proofPart(review, { at, proof }) {
  if (!Number.isInteger(proof)) return null;
  const stills = [at, proof].map((number) => stillOf(review, number + 1)).filter(Boolean);
  return stills.length > 0 && el("span", { className: "proof" }, ...stills.map((src) => el("img", { src, alt: "", onerror: ({ target }) => target.remove() })));
}

export function toldPart(review, jump) {
  const done = review.review !== null;
  const told = done ? review.review.told : review.story.found;
  const items = told.map((each) => el("li", {},
    el("button", { type: "button", onclick: () => jump(each.at) },
      el("span", {}, filled(review, each.pattern), proofPart(review, each)),
      each.loss > 0 && el("strong", { className: "loss", "aria-label": say("loss_label", { n: number(each.loss, ONE_DIGIT) }),
        text: say("loss", { n: number(each.loss, ONE_DIGIT) }) }))));
  const parts = [el("h2", { text: say("told") })];
  if (items.length) parts.push(el("ol", {}, ...items));
  if (review.failed) parts.push(el("p", { className: "state", text: say("analysis_failed") }));
  else if (!done) {
    parts.push(el("p", { className: "state", text: say("thinking") }),
      review.total ? el("progress", { max: review.total, value: review.decisions.length, "aria-label": say("thinking_more", { done: review.decisions.length, total: review.total }) }) : el("progress", { "aria-label": say("thinking") }));
  } else if (review.review.unjudged) parts.push(el("p", { className: "state", text: say("unjudged") }));
  else if (!items.length) parts.push(el("p", { className: "state", text: say("nothing_told") }));
  return parts;
}

export function coursePart(review, place, jump) {
  const flawed = new Set(review.decisions.filter((each) => each.loss > 0).map((each) => each.at));
  const rows = review.story.steps.slice(1).map((step) => {
    const { event } = step;
    const note = review.notes[step.at] ?? {};
    return el("li", { className: event.player === 1 ? "north" : "south" },
      el("button", { type: "button", "aria-current": step.at + 1 === place ? "step" : undefined, onclick: () => jump(step.at + 1) },
        event.card ? face(event.card) : event.suit ? sign(event.suit) : el("span", { className: "dot" }),
        el("span", { text: stepText(review, event) }),
        flawed.has(step.at) && el("em", { text: "!" }),
        note.corrected ? el("em", { text: say("corrected") })
          : note.questions ? el("em", { text: say("was_asked") })
            : note.unseen !== undefined ? el("em", { text: say("unseen_here") })
              : note.confidence !== undefined && el("em", { text: say("unsure") }),
        step.taken_by !== null && el("b", { text: `${range(step.counts[0].total)} : ${range(step.counts[1].total)}` })));
  });
  return el("details", { className: "story", open: matchMedia("(min-width: 900px)").matches }, el("summary", { text: say("course") }), el("ol", {}, ...rows),
    ...review.removed.map((each) => correctionPart(review, each)));
}

/** What is looked for among all hands, as the server is asked. */
export function queryOf(wanted) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  return query.size ? `?${query}` : "";
}

/** The ways from the list, and the form that finds hands; `again` is called when something else is wanted. */
export function findPart(wanted, kinds, again) {
  const take = (key) => ({ target }) => { wanted[key] = target.value; again(); };
  const day = (key) => el("label", {}, el("span", { text: say(key) }), el("input", { type: "date", name: key, value: wanted[key], onchange: take(key) }));
  return [
    el("nav", { className: "choice" }, el("a", { className: "button", href: "practice.html", text: say("to_practice") }), el("a", { className: "button", href: "figures.html", text: say("figures") })),
    el("details", { className: "story" }, el("summary", { text: say("find_hands") }),
      el("div", { className: "finding" },
        el("input", { type: "text", name: "find", value: wanted.find, placeholder: say("find"), "aria-label": say("find"), autocomplete: "off", oninput: take("find") }),
        el("select", { name: "kind", "aria-label": say("kind"), onchange: take("kind") },
          el("option", { value: "", text: say("any_kind") }), ...kinds.map((kind) => el("option", { value: kind, text: say(`kinds|${kind}`), selected: wanted.kind === kind }))),
        day("since"), day("until"))),
  ];
}

/** The newest `most` of the hands that were found, and how all of them are taken along. */
export function listPart({ hands }, wanted, most, more) {
  const query = queryOf(wanted);
  if (!hands.length) return [el("p", { className: "none", text: say(query ? "none_found" : "none_yet") })];
  return [
    el("ol", { className: "book" }, ...hands.slice(0, most).map(handRow)),
    hands.length > most && el("button", { type: "button", id: "more", text: say("more_hands"), onclick: more }),
    el("details", { className: "story taking" }, el("summary", { text: say("hand_on") }), el("div", { className: "choice" },
      ...["jsonl", "hand", "csv"].map((ending) => el("a", { className: "button", href: `api/history/hands.${ending}${query}`, download: "", text: ending === "jsonl" ? "JSON Lines" : ending === "hand" ? ".hand" : "CSV" })))),
  ];
}

/** How one hand is taken along. */
export function takePart(review) {
  const page = `api/history/${review.number}.html?lang=${language()}`;
  return [el("div", { className: "choice" },
    el("a", { className: "button", href: page, target: "_blank", rel: "noopener", text: say("share") }),
    el("a", { className: "button", href: `${page}&save=1`, download: "", text: say("save") }))];
}

function handRow(played) {
  const { number: place, names, began, match, hand, result } = played;
  const decided = decidedText(played);
  const day = began && new Date(began).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
  return el("li", {}, el("a", { href: `#${place}` },
    el("strong", { text: `${say("match_number", { n: match })} · ${say("hand_number", { n: hand })}` }),
    el("span", { text: awardText(played) }),
    decided && el("em", { text: decided }),
    el("small", { text: [say(`reason|${result.reason}`), names.filter(Boolean).join(" – "), day].filter(Boolean).join(" · ") })));
}
