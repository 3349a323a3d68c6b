// What the first view of the table does without: what lies below it, its sheets, and what is heard and felt. They are
// fetched once the table is seen, or when they are wanted before that; what is seldom wanted then only.

import { el, toast } from "./dom.js";
import { say } from "./words.js";

const MODULES = {
  course: () => import("./course.js"),
  dialogs: () => import("./dialogs.js"),
  menu: () => import("./menu.js"),
  senses: () => import("./senses.js"),
};

const SELDOM = {
  agree: () => import("./agree.js"),
  correct: () => import("./correct.js"),
  devices: () => import("./devices.js"),
  match: () => import("./match.js"),
};

let seen;
const view = new Promise((resolve) => { seen = resolve; });

/** A function that opens a sheet, `module` and `name` of it, and fetches it before if need be. */
export const opens = (module, name) => async (...of) => {
  let sheets;
  try {
    sheets = await { ...MODULES, ...SELDOM }[module]();
  } catch {
    toast(say("offline"));
    return;
  }
  sheets[name](...of);
};

/** A function of a module that is called, in its turn, once the first view is there. */
export const afterView = (module, name) => async (...of) => {
  await view;
  const { [name]: called } = await MODULES[module]().catch(() => ({}));
  called?.(...of);
};

/** The first view is painted: fetch the rest, so that nothing has to be waited for, nor is missing when the network is. */
export function viewed() {
  document.head.append(el("link", { rel: "stylesheet", href: "correct.css" }));
  Object.values(MODULES).forEach((fetched) => fetched().catch(() => {})); // asked for again when it is wanted
  seen();
}
