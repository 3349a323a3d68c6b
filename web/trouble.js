// What stands between the page and the table: said above it, the same on every page that follows the table.

import { write } from "./dom.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Say what is wrong, if anything: `line` of `follow`, whether anything is `shown` already, and what else. */
export function showTrouble(line, shown, more = null) {
  const trouble = { unpaired: "not_paired", off: "link_off" }[line] ?? more;
  $("banner").hidden = !trouble || (line === "off" && !shown);
  write($("banner"), trouble ? say(trouble) : "");
  document.body.classList.toggle("stale", line !== "on");
  document.body.classList.toggle("shut", line === "unpaired");
}

/** The pill that says whether the page is connected. */
export function showLink(line) {
  const text = say(`link|${line === "on" ? "on" : "off"}`);
  $("link").className = `pill ${line === "on" ? "good" : "bad"}`;
  write($("link"), line === "on" ? "" : text);
  $("link").setAttribute("aria-label", text);
  $("link").title = text;
}
