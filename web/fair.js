// Fair play: the agreement who sees what, chosen with the rules of a new match.

import { el, openSheet } from "./dom.js";
import { fairName } from "./now.js";
import { say } from "./words.js";

const MODES = ["training", "own_count", "last_trick", "tournament", "broadcast"];
const DELAYS = [[1, "tricks"], [2, "tricks"], [3, "tricks"], [10, "seconds"], [30, "seconds"], [120, "seconds"]];

/** Ask for an agreement; `choose(fair)` takes it, `back()` returns. */
export function fairSheet(fair, choose, back) {
  const again = (next) => {
    choose(next);
    fairSheet(next, choose, back);
  };
  const mode = (name) => el("button", { type: "button", className: "pick", "data-mode": name, "aria-pressed": String(name === fair.mode),
    onclick: () => again(name === "broadcast" ? { mode: name, delay: 2, unit: "tricks" } : { mode: name }) },
  el("strong", { text: say(`fair_modes|${name}|0`) }), el("span", { text: say(`fair_modes|${name}|1`) }));
  const delay = ([n, unit]) => el("button", { type: "button", "aria-pressed": String(fair.delay === n && fair.unit === unit),
    text: say(`delay_${unit}`, { n }), onclick: () => again({ mode: "broadcast", delay: n, unit }) });
  openSheet(say("fair"),
    ...MODES.map(mode),
    fair.mode === "broadcast" && el("fieldset", {}, el("legend", { text: say("fair_delay") }), el("div", { className: "choice" }, ...DELAYS.map(delay))),
    el("button", { type: "button", className: "strong stay", id: "fair-done", text: fairName(fair), onclick: back }));
}
