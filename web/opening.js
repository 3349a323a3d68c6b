// What the first view of the table does without: what lies below it, its sheets, and what is heard and felt. They are
// fetched once the table is seen, or when they are wanted before that; what is seldom wanted then only.

import { el, shownSheet, toast } from "./dom.js";
import { handNow } from "./now.js";
import { say } from "./words.js";

const there = {}; // modules that have come, or are on their way
const failed = {}; // how often each was not to be had: browsers ask for an address once, so no other module imports it

const fetched = (module) => (there[module] ??= import(`./${module}.js${failed[module] ? `?${failed[module]}` : ""}`).catch((error) => {
  failed[module] = (failed[module] ?? 0) + 1;
  delete there[module];
  throw error;
}));

let seen;
const view = new Promise((resolve) => { seen = resolve; });

/** Go on in the `hand` that a touch was meant for, while it is shown. */
export function goOn(hand, then) {
  if (!hand || JSON.stringify(hand) === JSON.stringify(handNow())) then();
  else toast(say("refused|too_late"));
}

/** A function that opens a sheet, `module` and `name` of it, unless another has been opened since it had to be fetched. */
export const opens = (module, name) => async (...of) => {
  const [hand, sheet] = [handNow(), shownSheet()];
  let sheets;
  try {
    sheets = await fetched(module);
  } catch {
    toast(say("offline"));
    return;
  }
  if (shownSheet() === sheet) goOn(hand, () => sheets[name](...of));
};

/** A function of a module that is called, in its turn, once the first view is there. */
export const afterView = (module, name) => async (...of) => {
  await view;
  const { [name]: called } = await fetched(module).catch(() => ({}));
  called?.(...of);
};

/** The first view is painted: fetch the rest, so that nothing has to be waited for, nor is missing when the network is. */
export function viewed() {
  document.head.append(el("link", { rel: "stylesheet", href: "correct.css" }));
  ["course", "dialogs", "menu", "senses"].forEach((module) => fetched(module).catch(() => {})); // asked for again when it is wanted
  seen();
}
