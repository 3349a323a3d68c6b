// What the pages beside the table share: their words and looks, and what stands at their top.

import { write } from "./dom.js";
import { read } from "./link.js";
import { learn, say, speak } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Speak and look as this device has chosen. */
export function wear(style) {
  speak(style.language);
  Object.assign(document.documentElement.dataset, { theme: style.theme, size: style.size });
}

/** Learn the words of a page, and wear `style`. */
export function dress(style, ...words) {
  words.forEach(learn);
  wear(style);
}

let title = "";
let table = ""; // what the table is called among others
read("api/me").then(({ body }) => {
  table = body?.table ?? "";
  if (title) entitled(title);
});

/** Write a page's title, behind the name of its table where that has one. */
export function entitled(told) {
  title = told;
  write($("title"), table ? `${table} · ${title}` : title);
  document.title = $("title").textContent;
}

/** Write a page's title, where its arrow leads, and what is wrong, if anything. */
export function headed(told, back, trouble) {
  entitled(told);
  $("back").setAttribute("aria-label", say(back));
  $("banner").hidden = !trouble;
  write($("banner"), trouble);
}
