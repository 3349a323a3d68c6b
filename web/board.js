// The board: the table for a screen on the wall. It has a looker-on's view, whatever device shows it.

import { redraw } from "./dom.js";
import { follow } from "./link.js";
import { seriesPart } from "./match.js";
import { nameOf, now, style, take } from "./now.js";
import { playerPart, resultPart, shownTrick, talonPart } from "./parts.js";
import { dress, lateText } from "./screen.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
let line = "off";

function draw() {
  const trouble = line === "unpaired" ? "not_paired" : line === "off" ? "link_off" : now?.health.sight === "lost" ? "camera_lost" : null;
  $("banner").hidden = !trouble || (line === "off" && !now);
  $("banner").textContent = trouble ? say(trouble) : "";
  document.body.classList.toggle("stale", line !== "on");
  document.body.classList.toggle("shut", line === "unpaired");
  if (!now) return;
  const { hand, match } = now;
  $("title").textContent = say("match_number", { n: match.number }) + (hand ? ` · ${say("hand_number", { n: hand.number })}` : "");
  $("late").textContent = lateText(match.fair);
  redraw($("talon"), [match.fair, hand?.trump, hand?.turned_up, hand?.stock, hand?.stock_left, hand?.closed, match.names, !hand], () => talonPart(hand));
  redraw($("players"), [match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.to_play, hand?.over], () => [0, 1].map((player) => playerPart(player, now)));
  redraw($("result"), [hand?.over, hand?.award, hand?.verdict, match.winner, match.series, match.names], () => resultPart(now));
  redraw($("series"), [match.series, match.carry, match.names], () => seriesPart(match, nameOf));
}

dress(style);
draw();
follow((snapshot) => {
  take(snapshot);
  draw();
}, (state) => {
  line = state;
  draw();
}, "board");
