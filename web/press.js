// What is pressed: a command goes to the table, and what came of it is said.

import { closeSheet, toast } from "./dom.js";
import { send } from "./link.js";
import { eventText, now } from "./now.js";
import { refusedText, say } from "./words.js";

/** Send a command; whether it was done. */
export async function press(command) {
  closeSheet();
  const answer = await send(command);
  if (answer.ok) return true;
  toast(refusedText(answer));
  return false;
}

/** Take back the last event. */
export async function undo() {
  const last = now?.last;
  if (!last) return;
  const what = last.event ? eventText(last.event) : say("last_event");
  if (await press({ type: "undo", seq: last.seq })) toast(say("undo_done", { what }));
}
