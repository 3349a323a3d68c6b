// The board: the table for a screen on the wall. It has a looker-on's view, whatever device shows it.

import { follow } from "./link.js";
import { now, take } from "./now.js";
import { drawResult } from "./result.js";
import { asideText, dress } from "./screen.js";
import { drawTable, tableTrouble, titleOf } from "./table.js";
import { showTrouble } from "./trouble.js";

let line = "off";

function draw() {
  showTrouble(line, now, tableTrouble());
  if (!now) return;
  document.getElementById("title").textContent = document.title = titleOf(now);
  document.getElementById("aside").textContent = asideText(now);
  drawTable(null);
  drawResult(null);
}

dress();
draw();
follow((snapshot) => {
  take(snapshot);
  draw();
}, (state) => {
  line = state;
  draw();
}, "board");
