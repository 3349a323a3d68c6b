// The table, as the phone and the board both show it.

import { redraw } from "./dom.js";
import { now, whoMay } from "./now.js";
import { playerPart, seriesPart, shownTrick, talonPart } from "./parts.js";
import { recordKey } from "./record.js";
import { resultPart } from "./result.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);

/** What may be wrong at the table itself. */
export function tableTrouble() {
  if (now?.health.record === "failed") return "record_failed";
  return now?.health.sight === "lost" ? "camera_lost" : null;
}

/** Title of the hand that is played. */
export const titleOf = ({ match, hand }) => say("match_number", { n: match.number }) + (hand ? ` · ${say("hand_number", { n: hand.number })}` : "");

/** Draw stock, result, series and players where they have changed; `look` is how they are shown. */
export function drawTable(look) {
  const { hand, match } = now;
  redraw($("talon"), [look, match.fair, hand?.trump, hand?.turned_up, hand?.stock, hand?.stock_left, hand?.closed, match.names, !hand], () => talonPart(hand));
  redraw($("result"), [look, hand?.over, hand?.award, hand?.verdict, hand?.recount, hand?.checked, hand?.asked, recordKey(), now.role, whoMay("show"), match.winner, match.series, match.names], () => resultPart(now));
  redraw($("series"), [look, match.series, match.carry, match.names], () => seriesPart(match));
  redraw($("players"), [look, match, hand?.sides, shownTrick(hand), hand?.on_lead, hand?.to_play, hand?.over], () => [0, 1].map((player) => playerPart(player, now)));
}
