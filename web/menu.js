// The menu: where else to go, what is agreed, and how this device shows it.

import { canStayAwake } from "./awake.js";
import { button, closeSheet, el, openSheet } from "./dom.js";
import { read } from "./link.js";
import { rulesName } from "./rule_words.js";
import { fairName, mayAgree, nameOf, now, presses, restyle, style, whoMay } from "./now.js";
import { afterView, opens } from "./opening.js";
import { say } from "./words.js";

const [beginMatch, newHandSheet, revokeSheet] = ["beginMatch", "newHandSheet", "revokeSheet"].map((name) => opens("dialogs", name));
const namesSheet = opens("names", "namesSheet");
const waken = afterView("senses", "waken");

let renew = null; // draws the page in a new style

/** A choice of this device; `again` shows the sheet anew. */
function pick(title, key, options, again) {
  const take = (value) => {
    restyle(key, value);
    renew();
    waken(key === "voice");
    again();
    document.querySelector(`[data-choice="${key}-${value}"]`)?.focus({ preventScroll: true });
  };
  return el("fieldset", {}, el("legend", { text: title }),
    el("div", { className: "choice" }, ...options.map(([value, text]) =>
      el("button", { type: "button", "data-choice": `${key}-${value}`, "aria-pressed": String(style[key] === value), text, onclick: () => take(value) }))));
}

function sensesSheet() {
  const switched = (key) => pick(say(key), key, [["on", say("on")], ["off", say("off")]], sensesSheet);
  openSheet(say("senses"),
    switched("voice"), switched("sound"), switched("vibrate"),
    canStayAwake() ? switched("awake") : el("fieldset", {}, el("legend", { text: say("awake") }), el("p", { text: say("cannot_awake") })),
    pick(say("size"), "size", ["normal", "large"].map((each) => [each, say(`size_${each}`)]), sensesSheet),
    button(say("done"), closeSheet, "quiet"));
}

let owned = null; // what the server says of this device, asked once: nothing moves when the menu is shown again
/** Put what `offer` makes in the place of `instead` if this device is an owner's. */
function ifOwner(offer, instead) {
  owned ??= read("api/me");
  owned.then(({ status, body }) => {
    if (status !== 200) owned = null;
    else if (body.owner) instead.replaceWith(offer());
  });
  return instead;
}

/** The next hand, or why it has to wait. */
function dealPart() {
  const offer = () => button(say("new_hand"), newHandSheet, "", "menu-new-hand");
  if (now.may_deal) return offer();
  return !now.hand || now.hand.over ? el("p", { text: say("claim_first") }) : ifOwner(offer, el("p", { text: say("new_hand_whose") }));
}

/** A new match, or who may begin one. */
function matchPart() {
  const offer = () => button(say("new_match"), beginMatch, "", "menu-new-match");
  return now.may_begin ? offer() : ifOwner(offer, el("p", { text: say("new_match_whose") }));
}

/** The way to the set-up, for an owner. */
const setupPart = () => ifOwner(() => el("a", { className: "button", id: "menu-setup", href: "setup.html", text: say("setup") }), el("span", { hidden: true }));

/** Where whoever may says what a hand paid. */
function agreePart() {
  const offer = () => button(say("agree"), () => opens("agree", "agreeSheet")(), "", "menu-agree");
  return mayAgree() ? offer() : ifOwner(offer, el("span", { hidden: true }));
}

/** The menu; `renewed()` is called when this device has chosen another language or look. */
export function menuSheet(renewed) {
  renew = renewed;
  const again = () => menuSheet(renewed);
  const calls = whoMay("revoke").filter(() => !now.hand.breaches.length);
  openSheet(say("menu"),
    presses() && el("div", { className: "choice" },
      dealPart(), matchPart()),
    presses() && agreePart(),
    ...calls.map((player) => button(say("revoke", { name: nameOf(player) }), () => revokeSheet(player), "", `menu-revoke-${player}`)),
    now && el("p", { text: say("rules_now", { rules: rulesName(now.match.rules) }) }),
    now && el("p", { text: say("fair_now", { what: fairName(now.match.fair) }) }),
    presses() && button(say("names_title"), namesSheet, "", "menu-names"),
    el("div", { className: "choice" }, button(say("devices"), opens("devices", "devicesSheet"), "", "menu-devices"), button(say("senses"), sensesSheet, "", "menu-senses")),
    presses() && setupPart(),
    el("a", { className: "button", id: "menu-played", href: "review.html", text: say("played") }),
    el("a", { className: "button", id: "menu-sheets", href: "sheet.html", text: say("sheets") }),
    pick(say("language"), "language", [["de", "Deutsch"], ["en", "English"]], again),
    pick(say("theme"), "theme", ["auto", "dark", "light"].map((each) => [each, say(`theme_${each}`)]), again),
    pick(say("faces"), "faces", ["french", "english", "german"].map((each) => [each, say(`faces_${each}`)]), again),
    button(say("done"), closeSheet, "quiet"));
}
