// That the sitting is kept as a file no more: told to who can do something about it. Fetched only then.

import { read } from "./link.js";
import { learn, say } from "./words.js";

learn({
  de: { sitting_unkept: "Die Aufzeichnung des Abends ist abgebrochen, vielleicht ist der Datenträger voll. Das Spiel und sein Verlauf gehen weiter. Antippen: verstanden." },
  en: { sitting_unkept: "Recording the evening has stopped; the disk may be full. The game and its record go on. Tap: understood." },
});

/** Call `tell` with what is to be said above the table, on an owner's device, and with nothing once that was touched. */
export async function unkept(tell) {
  const { body } = await read("api/me");
  if (!body?.owner) return;
  document.getElementById("banner").addEventListener("click", (event) => {
    if (event.currentTarget.textContent === say("sitting_unkept")) tell(null);
  });
  tell("sitting_unkept");
}
