// The sheets of the table page. They are fetched once the table is seen, or when one is opened before that.

import { toast } from "./dom.js";
import { say } from "./words.js";

const MODULES = {
  correct: () => import("./correct.js"),
  devices: () => import("./devices.js"),
  dialogs: () => import("./dialogs.js"),
  menu: () => import("./menu.js"),
};

/** A function that opens a sheet, `module` and `name` of it, and fetches it before if need be. */
export const opens = (module, name) => async (...of) => {
  let sheets;
  try {
    sheets = await MODULES[module]();
  } catch {
    toast(say("offline"));
    return;
  }
  sheets[name](...of);
};

/** Fetch all sheets, so that none has to be waited for, nor is missing when the network is. */
export const fetchSheets = () => Promise.allSettled(Object.values(MODULES).map((fetched) => fetched()));
