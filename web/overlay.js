// The overlay: a strip for a video picture, transparent around it. It has a looker-on's view, and its delay.

import { el, redraw } from "./dom.js";
import { follow } from "./link.js";
import { face, nameOf, now, rangeText, sign, suitName, take } from "./now.js";
import { marksOf, shownTrick } from "./parts.js";
import { wonText } from "./result.js";
import { asideText, dress } from "./screen.js";
import { say } from "./words.js";

let line = "off";

const $ = (id) => document.getElementById(id);

function playerStrip(player) {
  const { match, hand } = now;
  const side = hand?.sides[player];
  const trick = shownTrick(hand);
  const card = trick.cards[player];
  const leads = hand && !hand.over && hand.on_lead === player;
  return [
    el("h2", { text: nameOf(player) }),
    el("p", { className: "game" }, el("strong", { text: match.points[player] }),
      ...marksOf(match.marks[player], 5)),
    side?.total && el("p", { className: "total", text: rangeText(side.total) }),
    el("p", { className: "lead", text: leads ? say("lead_short") : "" }),
    el("div", { className: "laid" }, card === undefined || hand?.over ? "" : face(card)),
  ];
}

/** What the hand has come to, or the match with it. */
function endText({ match, hand }) {
  if (!hand.over || !hand.award) return "";
  return match.winner === null ? wonText(hand) : say("match_won", { name: nameOf(match.winner) });
}

function stockText({ stock, stock_left: left, closed }) {
  if (closed) return say("closed_by", { name: nameOf(closed.player) });
  return `${say("stock")} ${stock === "open" ? left : say(`stock_${stock}`)}`;
}

/** Why what is shown may not be how it stands, if so. */
function troubleText() {
  if (line !== "on") return say("link|off");
  return now.health.sight === "lost" ? say("camera|lost") : "";
}

function middleStrip() {
  const { hand } = now;
  const trouble = el("p", { className: "trouble", text: troubleText() });
  if (!hand) return [el("p", { text: say("board_wait") }), trouble];
  return [
    hand.trump && el("p", { className: "trump" }, sign(hand.trump), el("span", { text: suitName(hand.trump) })),
    hand.stock && el("p", { text: stockText(hand) }),
    el("p", { className: "award", text: endText(now) }),
    el("p", { className: "aside", text: asideText(now) }),
    trouble,
  ];
}

function draw() {
  $("strip").hidden = !now;
  if (!now) return;
  const { hand, match } = now;
  $("strip").classList.toggle("over", !hand || hand.over); // names have the room of cards then
  document.body.classList.toggle("stale", line !== "on");
  const look = [match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.over, hand?.award, hand?.checked, hand?.unseen];
  redraw($("south"), look, () => playerStrip(0));
  redraw($("north"), look, () => playerStrip(1));
  redraw($("middle"), [look, hand?.trump, hand?.stock, hand?.stock_left, hand?.closed, hand?.announced, troubleText()], middleStrip);
}

dress();
follow((snapshot) => {
  take(snapshot);
  draw();
}, (state) => {
  line = state;
  if (state === "unpaired") take(null);
  draw();
}, "board");
