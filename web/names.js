// The sheet on which players' names are corrected.

import { button, closeSheet, el, openSheet, toast } from "./dom.js";
import { SEATS, areAlike, now } from "./now.js";
import { press } from "./press.js";
import { say } from "./words.js";

/** Correct how players are called: on a player's own phone that player, on others both. */
export function namesSheet() {
  const players = [0, 1].filter((player) => SEATS[1 - player] !== now.role);
  const inputs = players.map((player) => el("input", { type: "text", maxlength: 24, autocomplete: "off", value: now.match.names[player], id: `rename-${player}` }));
  const keep = () => {
    const names = inputs.map((input) => input.value.trim());
    if (areAlike([0, 1].map((player) => names[players.indexOf(player)] ?? now.match.names[player]))) {
      toast(say("names_same"));
      return;
    }
    closeSheet();
    for (const [place, player] of players.entries()) {
      if (names[place] !== now.match.names[player]) press({ type: "rename", player, name: names[place] });
    }
  };
  openSheet(say("names_title"), el("p", { text: say("names_text") }),
    ...players.map((player, place) => el("label", { for: `rename-${player}` }, el("span", { text: say("name_of", { seat: say(SEATS[player]) }) }), inputs[place])),
    button(say("names_keep"), keep, "strong", "names-keep"), button(say("cancel"), closeSheet, "quiet"));
}
