// The table, as the phone and the board both show it.

import { redraw } from "./dom.js";
import { now } from "./now.js";
import { playerPart, seriesPart, shownTrick, talonPart } from "./parts.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);

/** What may be wrong at the table itself. */
export function tableTrouble() {
  if (now?.health.record === "failed") return "record_failed";
  if (now?.health.sight === "lost") return "camera_lost";
  if (now?.health.table === false) return "table_elsewhere";
  if (now?.health.steady === false) return "camera_shakes";
  return now?.health.dense === false ? "looks_sparse" : null;
}

/** Title of the hand that is played; where a table's name makes it long, it breaks after that alone. */
export function titleOf({ table, match, hand }) {
  const title = say("match_number", { n: match.number }) + (hand ? ` ·\u00a0${say("hand_number", { n: hand.number })}` : "");
  return table ? `${table} · ${title.replaceAll(" ", "\u00a0")}` : title;
}

/** Draw stock, series and players where they have changed; `look` is how they are shown. */
export function drawTable(look) {
  const { hand, match } = now;
  redraw($("talon"), [look, match.fair, hand?.trump, hand?.turned_up, hand?.stock, hand?.stock_left, hand?.closed, match.names, !hand && [now.health.sight, match.hands.length]], () => talonPart(hand));
  redraw($("series"), [look, match.series, match.carry, match.names], () => seriesPart(match));
  redraw($("players"), [look, match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.to_play, hand?.over], () => [0, 1].map((player) => playerPart(player, now)));
}
