// What a hand paid, as the players say: of the hand that is shown, of one before it, or of one that nobody saw.

import { button, closeSheet, el, openSheet } from "./dom.js";
import { SEATS, nameOf } from "./now.js";
import { opens } from "./opening.js";
import { ask } from "./record.js";
import { learn, refusedText, say } from "./words.js";

learn({
  de: {
    agree_which: "Welches Spiel?", agree_this: "Dieses Spiel", agree_missing: "Eines, das fehlt",
    agree_missing_note: "Es kommt vor das Spiel, das gerade läuft, oder nach dem letzten.",
    agree_points: "{name} gewinnt", agree_nobody: "Niemand punktet",
  },
  en: {
    agree_which: "Which hand?", agree_this: "This hand", agree_missing: "One that is missing",
    agree_missing_note: "It goes before the hand that is played now, or after the last one.",
    agree_points: "{name} wins", agree_nobody: "Nobody scores",
  },
});

const previewSheet = opens("correct", "previewSheet");
const lastOf = (hand) => hand?.last ?? 0; // 0: there is none

/** Ask what a hand paid: that of which the event with the number `seq` is, one missing right after `after`, or one of the newest two. */
export async function agreeSheet({ seq, after } = {}) {
  if (seq !== undefined) return resultSheet({ hands: [] }, { seq });
  if (after !== undefined) return resultSheet({ hands: [] }, { after, missing: true });
  openSheet(say("agree"), el("p", { text: say("loading") }), button(say("cancel"), closeSheet, "quiet"));
  const record = await ask("");
  if (record.refused) return openSheet(say("agree"), el("p", { role: "alert", text: refusedText({ reason: record.refused }) }), button(say("done"), closeSheet, "quiet"));
  const [newest] = record.hands;
  return resultSheet(record, { missing: !newest || (newest.over && newest.award !== null) });
}

function resultSheet({ hands: [newest, before] }, { seq = lastOf(newest), after = lastOf(newest?.over ? newest : before), missing = false }) {
  const again = (is) => resultSheet({ hands: [newest, before] }, { missing: is });
  const back = () => resultSheet({ hands: [newest, before] }, { seq, after, missing });
  const take = (winner, points) => {
    const result = { type: "agreed", winner, game_points: points };
    const edit = missing ? { type: "insert_hand", after, result } : { type: "insert", after: seq, event: result };
    previewSheet(edit, back);
  };
  const result = (winner, points) => el("button", { type: "button", "data-winner": winner ?? "nobody", "data-points": points,
    text: winner === null ? say("agree_nobody") : String(points), onclick: () => take(winner, points) });
  const which = (is) => el("button", { type: "button", "data-missing": String(is), "aria-pressed": String(is === missing), text: say(is ? "agree_missing" : "agree_this"), onclick: () => again(is) });
  openSheet(say("agree"),
    newest && el("fieldset", {}, el("legend", { text: say("agree_which") }), el("div", { className: "choice" }, which(false), which(true)),
      missing && el("p", { text: say("agree_missing_note") })),
    ...SEATS.map((_, player) => el("fieldset", {}, el("legend", { text: say("agree_points", { name: nameOf(player) }) }),
      el("div", { className: "choice" }, ...[1, 2, 3].map((points) => result(player, points))))),
    result(null, 0),
    button(say("cancel"), closeSheet, "quiet"));
}
