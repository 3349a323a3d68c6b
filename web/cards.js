// Card faces, drawn plainly: a large index letter and a large suit, as vector paths of our own.
// A card is written rank + suit, as in KH; ranks A T K Q J 9, suits H D C S.

import { shape } from "./dom.js";

/** Paths in a box of 24 x 24, and the colour class of the suit. */
const FRENCH = {
  H: { tone: "red", paths: ["M12 21.5C5.8 16.6 2 12.9 2 8.5 2 5.4 4.4 3 7.3 3c1.9 0 3.7 1 4.7 2.7C13 4 14.8 3 16.7 3 19.6 3 22 5.4 22 8.5c0 4.4-3.8 8.1-10 13z"] },
  D: { tone: "red", paths: ["M12 1.5c2.2 4 4.8 7.4 8 10.5-3.2 3.1-5.8 6.5-8 10.5-2.2-4-4.8-7.4-8-10.5 3.2-3.1 5.8-6.5 8-10.5z"] },
  C: { tone: "black", paths: ["M12 2a4.6 4.6 0 0 1 3.9 7.1A4.7 4.7 0 1 1 13.3 16c.2 2.3.9 4.2 2.7 6H8c1.8-1.8 2.5-3.7 2.7-6a4.7 4.7 0 1 1-2.6-6.9A4.6 4.6 0 0 1 12 2z"] },
  S: { tone: "black", paths: ["M12 1.8c2.5 4.2 9 7.2 9 12.2 0 2.7-2 4.6-4.4 4.6-1.5 0-2.7-.6-3.5-1.7.3 2 .9 3.5 2.5 5.1H8.4c1.6-1.6 2.2-3.1 2.5-5.1-.8 1.1-2 1.7-3.5 1.7C5 18.6 3 16.7 3 14c0-5 6.5-8 9-12.2z"] },
};

/** German suits: hearts, bells, acorns, leaves. */
const GERMAN = {
  H: FRENCH.H,
  D: {
    tone: "gold",
    paths: ["M12 3.5a9 9 0 1 1 0 18 9 9 0 0 1 0-18z", "M10.8 1.5h2.4v2.8h-2.4z"],
    cuts: ["M3.6 11.2h16.8v1.9H3.6z", "M12 15.4a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z"],
  },
  C: {
    tone: "brown",
    paths: ["M5.6 10.8h12.8c.3 4.8-2.3 8.7-6.4 11.7-4.1-3-6.7-6.9-6.4-11.7z", "M4.3 9.6C4.5 6.3 7.6 4.2 11.2 4V1.5h1.6V4c3.6.2 6.7 2.3 6.9 5.6z"],
  },
  S: {
    tone: "green",
    paths: ["M12 1.5c6 3.3 9 7 9 11 0 3-2.2 5-4.9 5-1.2 0-2.3-.4-3.2-1.1v6.1h-1.8v-6.1c-.9.7-2 1.1-3.2 1.1-2.7 0-4.9-2-4.9-5 0-4 3-7.7 9-11z"],
  },
};

/** Letters of each style; `suits` tells which signs go with them. */
const STYLES = {
  french: { suits: FRENCH, letters: { A: "A", T: "10", K: "K", Q: "D", J: "B", 9: "9" } },
  english: { suits: FRENCH, letters: { A: "A", T: "10", K: "K", Q: "Q", J: "J", 9: "9" } },
  german: { suits: GERMAN, letters: { A: "A", T: "X", K: "K", Q: "O", J: "U", 9: "9" } },
};

function sign(suit, style, transform) {
  const drawn = STYLES[style].suits[suit];
  const group = shape("g", { transform, class: `suit ${drawn.tone}` });
  for (const d of drawn.paths) group.append(shape("path", { d }));
  for (const d of drawn.cuts ?? []) group.append(shape("path", { d, class: "cut" }));
  return group;
}

export function suitSign(suit, style, label) {
  const svg = shape("svg", { viewBox: "0 0 24 24", class: "sign", role: "img", "aria-label": label });
  svg.append(sign(suit, style, ""));
  return svg;
}

function crown(rank) {
  // A king's crown has three points, a queen's a round one, a jack wears a feathered cap.
  const shapes = {
    K: ["M30 74V58l10 8 10-14 10 14 10-8v16z", "M30 77h40v4H30z"],
    Q: ["M31 74c-3-9 2-16 8-16 4 0 7 2 11 6 4-4 7-6 11-6 6 0 11 7 8 16z", "M31 77h38v4H31z", "M50 50a4 4 0 1 1 0 8 4 4 0 0 1 0-8z"],
    J: ["M30 74c0-9 9-14 20-14s20 5 20 14z", "M28 77h44v4H28z", "M64 62c2-8 8-12 14-12-1 8-5 13-12 15z"],
  };
  return shapes[rank];
}

/** A card, face up; `label` is read aloud. */
export function cardFace(code, style, label) {
  const rank = code[0];
  const suit = code[1];
  const { tone } = STYLES[style].suits[suit];
  const letter = STYLES[style].letters[rank];
  const svg = shape("svg", { viewBox: "0 0 100 140", class: "card", role: "img", "aria-label": label });
  svg.append(shape("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" }));
  const index = shape("text", { x: letter.length > 1 ? 6 : 9, y: 41, class: `index ${tone}` });
  index.textContent = letter;
  svg.append(index, sign(suit, style, "translate(62 10) scale(1.25)"));
  if ("KQJ".includes(rank)) {
    const court = shape("g", { class: `court ${tone}` });
    for (const d of crown(rank)) court.append(shape("path", { d }));
    svg.append(court, sign(suit, style, "translate(29 84) scale(1.75)"));
  } else {
    svg.append(sign(suit, style, "translate(20 62) scale(2.5)"));
  }
  return svg;
}

export function cardBack(label) {
  const svg = shape("svg", { viewBox: "0 0 100 140", class: "card", role: "img", "aria-label": label });
  svg.append(shape("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" }));
  svg.append(shape("rect", { x: 8, y: 8, width: 84, height: 124, rx: 5, class: "back" }));
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      const x = 22 + column * 28;
      const y = 22 + row * 24;
      svg.append(shape("path", { d: `M${x} ${y - 9}l9 9-9 9-9-9z`, class: "weave" }));
    }
  }
  return svg;
}

/** A face-up card that nobody has named yet. */
export function cardUnread(label) {
  const svg = shape("svg", { viewBox: "0 0 100 140", class: "card", role: "img", "aria-label": label });
  svg.append(shape("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper unread" }));
  const mark = shape("text", { x: 50, y: 92, class: "mark" });
  mark.textContent = "?";
  svg.append(mark);
  return svg;
}
