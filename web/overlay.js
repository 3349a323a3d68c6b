// The overlay: a strip for a video picture, transparent around it. It has a looker-on's view, and its delay.

import { el, redraw } from "./dom.js";
import { follow } from "./link.js";
import { face, nameOf, now, rangeText, sign, suitName, take } from "./now.js";
import { marksOf, shownTrick } from "./parts.js";
import { wonText } from "./result.js";
import { dress, lateText } from "./screen.js";
import { say } from "./words.js";

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

function middleStrip() {
  const { match, hand } = now;
  if (!hand) return el("p", { text: say("board_wait") });
  const text = hand.over && hand.award ? wonText(hand) : "";
  return [
    hand.trump && el("p", { className: "trump" }, sign(hand.trump), el("span", { text: suitName(hand.trump) })),
    hand.stock && el("p", { text: hand.stock === "open" ? `${say("stock")} ${hand.stock_left}` : `${say("stock")} ${say(`stock_${hand.stock}`)}` }),
    text && el("p", { className: "award", text }),
    el("p", { className: "late", text: lateText(match.fair) }),
  ];
}

function draw() {
  $("strip").hidden = !now;
  if (!now) return;
  const { hand, match } = now;
  $("strip").classList.toggle("over", !hand || hand.over); // names have the room of cards then
  const look = [match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.over, hand?.award, hand?.checked, hand?.unseen];
  redraw($("south"), look, () => playerStrip(0));
  redraw($("north"), look, () => playerStrip(1));
  redraw($("middle"), [look, hand?.trump, hand?.stock, hand?.stock_left], middleStrip);
}

dress();
follow((snapshot) => {
  take(snapshot);
  draw();
}, (state) => {
  if (state === "unpaired") take(null);
  draw();
}, "board");
