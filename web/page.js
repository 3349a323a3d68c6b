// What the pages beside the table share: their words and looks, and what stands at their top.

import { write } from "./dom.js";
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

/** Write a page's title, where its arrow leads, and what is wrong, if anything. */
export function headed(title, back, trouble) {
  $("title").textContent = title;
  document.title = title;
  $("back").setAttribute("aria-label", say(back));
  $("banner").hidden = !trouble;
  write($("banner"), trouble);
}
