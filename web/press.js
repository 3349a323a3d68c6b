// What is pressed: a command goes to the table, and what came of it is said.

import { closeSheet, toast } from "./dom.js";
import { send } from "./link.js";
import { eventText, now } from "./now.js";
import { refusedText, say } from "./words.js";

const sent = new Map(); // what is on its way: a second touch means the same

/** Send a command; whether it was done. */
export function press(command) {
  closeSheet();
  const what = JSON.stringify(command);
  if (!sent.has(what)) sent.set(what, send(command).then((answer) => {
    sent.delete(what);
    if (!answer.ok) toast(refusedText(answer));
    return answer.ok;
  }));
  return sent.get(what);
}

const HELD_MS = 1500;
const own = new Set(); // numbers of what was taken back here
let elsewhere = null; // what was taken back on another device just now: a finger on its way means that

const whatOf = ({ event }) => (event ? eventText(event) : say("last_event"));

/** Note that `before`, the last event until now, is gone, if so. */
export function noteTakenBack(before, last) {
  if (before && !own.has(before.seq) && !(last?.seq >= before.seq)) elsewhere = { what: whatOf(before), at: performance.now() };
}

/** Take back the last event. */
export async function undo() {
  const last = now?.last;
  if (!last) return;
  const what = whatOf(last);
  if (elsewhere && performance.now() - elsewhere.at < HELD_MS) {
    toast(say("undo_done", elsewhere));
    return;
  }
  own.add(last.seq);
  if (await press({ type: "undo", seq: last.seq })) toast(say("undo_done", { what }));
  else own.delete(last.seq);
}
