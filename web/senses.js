// What is heard and felt: events read out, vibration, a tone, the screen kept on; each by choice of this device.
// Only what the snapshot holds can be said, so nothing is told that fair play hides.

import { stayAwake } from "./awake.js";
import { eventText, cardName, nameOf, style, suitName } from "./now.js";
import { say } from "./words.js";

let before = null; // what was said last: number of the hand, newest event, cards, lead
let sound = null;

const spoken = ({ time, event }) => JSON.stringify([time, event]);
const spokenCard = (laid) => (laid?.card ? `${laid.player}${laid.card}` : laid?.seq);

/** What there is to say about `snapshot` that was not in the one before. */
function news({ match, hand }) {
  if (!hand) {
    before = { match: match.number, hand: 0, seq: 0, told: new Set() };
    return [];
  }
  const now = {
    match: match.number, hand: hand.number, seq: hand.events.at(-1)?.seq ?? 0, trump: hand.trump, stock: hand.stock_left,
    lead: hand.on_lead, laid: hand.trick.at(-1)?.seq ?? 0, over: hand.over,
    told: new Set(hand.events.map(spoken)), lying: spokenCard(hand.trick.at(-1)),
  };
  const was = before;
  before = now;
  if (!was) return [];
  const same = was.match === now.match && was.hand === now.hand;
  const said = [];
  // a correction of a hand before gives new numbers to what happened since, and nothing new has happened
  const fresh = hand.events.filter((told) => !same || (told.seq > was.seq && !was.told.has(spoken(told))));
  if (same && fresh.some((told) => told.corrected)) {
    const told = fresh.find((each) => each.corrected);
    said.push(say("corrected_is", { what: eventText(told.event) }));
  } else {
    said.push(...fresh.map((told) => eventText(told.event)));
  }
  if (!hand.events.length && now.laid > (same ? was.laid : 0) && !(same && now.lying === was.lying)) {
    const laid = hand.trick.at(-1);
    said.push(say("card_is", { name: nameOf(laid.player), card: cardName(laid.card) }));
  }
  if (hand.trump && (!same || was.trump !== hand.trump)) said.push(say("trump_is", { suit: suitName(hand.trump) }));
  if (now.stock !== null && (!same || was.stock !== now.stock)) said.push(say("stock_is", { n: now.stock }));
  if (now.lead !== null && (!same || was.lead !== now.lead)) said.push(say("lead_is", { name: nameOf(now.lead) }));
  return said;
}

function speakAloud(text) {
  if (!("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = style.language === "en" ? "en-GB" : "de-AT";
  speechSynthesis.speak(words);
}

function tone(over) {
  if (!sound || sound.state !== "running") return;
  const [source, loud] = [sound.createOscillator(), sound.createGain()];
  source.frequency.value = over ? 660 : 440;
  loud.gain.setValueAtTime(0.08, sound.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.15);
  source.connect(loud).connect(sound.destination);
  source.start();
  source.stop(sound.currentTime + 0.16);
}

/** Say, sound and shake what is new in `snapshot`. */
export function perceive(snapshot) {
  const said = news(snapshot);
  if (!said.length) return;
  if (style.voice === "on") speakAloud(said.join(". "));
  if (style.sound === "on") tone(snapshot.hand?.over);
  if (style.vibrate === "on" && navigator.vibrate) navigator.vibrate(snapshot.hand?.over ? [60, 60, 60] : 30);
}

/** Do what this device has chosen; called in a touch, because browsers let sounds begin only there. */
export function waken(announce = false) {
  if (style.sound === "on") {
    sound ??= new AudioContext();
    sound.resume();
  }
  if (style.voice === "on" && "speechSynthesis" in window) speakAloud(announce ? say("voice_on") : "");
  else if (style.voice !== "on" && "speechSynthesis" in window) speechSynthesis.cancel();
  awake();
}

const awake = () => stayAwake(style.awake === "on");

document.addEventListener("visibilitychange", awake);
document.addEventListener("pointerdown", () => waken(), { once: true });
