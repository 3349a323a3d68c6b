// A pack that is learnt: which card is asked for, and what came of it.

import { el } from "./dom.js";
import { cardName, face } from "./now.js";
import { say } from "./words.js";

const AWAY = ["absent", "address", "silent", "stopped"]; // such a camera is waited for

/** What is asked for now, or as what it `failed`; `back()` asks for the last card again, `use(deck)` takes the finished pack. */
export function learningPart({ name, order, shown, odd, unlike, alike, done }, failed, { back, use }) {
  const ended = failed && !AWAY.includes(failed);
  if (ended) return el("p", { className: "blank", text: `${say("learn_failed")} ${say(failed === "deck" ? "learn_unkept" : `setup_failed|${failed}`) ?? say("setup_failed|other")}` });
  if (done) {
    return el("div", { className: "learnt" }, el("h2", { text: say("learn_done", { name }) }),
      el("p", { text: say(alike.length ? "learn_alike" : "learn_sure") }),
      alike.length > 0 && el("ul", {}, ...alike.map(([one, two]) => el("li", { text: `${cardName(one)} – ${cardName(two)}` }))),
      alike.length > 0 && el("p", { text: say("learn_again") }),
      unlike.length > 0 && el("p", { className: "odd", text: say("learn_unlike") }),
      unlike.length > 0 && el("ul", { className: "unlike" }, ...unlike.map(([asked, seen]) => el("li", { text: say("learn_looked", { asked: cardName(asked), seen: cardName(seen) }) }))),
      el("button", { type: "button", className: "main", id: "learn-use", onclick: () => use(name) }, el("strong", { text: say("learn_use") })));
  }
  const [card, next] = [order[shown], order[shown + 1]];
  if (!card) return el("p", { className: "blank", text: say("learn_keeping") });
  return el("div", { className: "asked", "data-asked": card }, face(card),
    el("div", {}, el("h2", { text: cardName(card) }), el("p", { text: say("learn_ask", { n: shown + 1, of: order.length }) }),
      next ? el("p", { className: "next" }, el("span", { text: say("learn_next") }), face(next)) : el("p", { className: "odd", text: say("learn_last") }),
      failed && el("p", { className: "odd", text: say("learn_away") }),
      odd && el("p", { className: "odd", text: say("learn_odd", { card: cardName(odd) }) }),
      shown > 0 && el("button", { type: "button", id: "learn-back", onclick: back, text: say("learn_back") })),
    el("progress", { max: order.length, value: shown, "aria-label": say("learn_title") }));
}
