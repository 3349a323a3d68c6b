// What the screens beside the phone share: the view of a looker-on, and how an address may dress it.

import { chosen } from "./dom.js";
import { eventText } from "./now.js";
import { PHONE_WORDS } from "./phone_words.js";
import { learn, say, speak } from "./words.js";

learn(PHONE_WORDS);
learn({
  de: { board_wait: "Gleich geht es los", lead_short: "am Ausspiel" },
  en: { board_wait: "About to start", lead_short: "leads" },
});

const asked = new URLSearchParams(location.search);
const COLOUR = /^[0-9a-f]{3,8}$/i;
const DRESS = { text: "--text", ground: "--ground", accent: "--gold", soft: "--soft", panel: "--panel" };

/** Dress the page as its address asks: `?lang=en&theme=light&scale=1.3&accent=ffcc00&ground=00000080`. */
export function dress() {
  const root = document.documentElement;
  speak(asked.get("lang") ?? chosen().language ?? "de"); // a recorder's browser speaks English, its audience does not
  root.dataset.theme = ["dark", "light"].includes(asked.get("theme")) ? asked.get("theme") : "dark";
  for (const [name, variable] of Object.entries(DRESS)) {
    if (COLOUR.test(asked.get(name) ?? "")) root.style.setProperty(variable, `#${asked.get(name)}`);
  }
  const scale = Number(asked.get("scale"));
  if (scale >= 0.3 && scale <= 4) root.style.setProperty("--scale", String(scale));
  if (asked.get("at") === "top") root.dataset.at = "top";
}

/** What is heard at the table and not seen in the cards, what counts hang on, and how far a broadcast is behind. */
export function asideText({ match: { fair }, hand }) {
  const marriage = hand?.announced && !hand.over && { type: "marriage", player: hand.trick[0]?.player ?? hand.on_lead, suit: hand.announced };
  return [
    marriage && eventText(marriage),
    hand?.checked === "open" && say("question_open"),
    fair.mode === "broadcast" && say(`late_${fair.unit}`, { n: fair.delay }),
  ].filter(Boolean).join(" · ");
}
