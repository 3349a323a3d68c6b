// The camera's picture with what is recognised drawn in, and the table's corners to drag.

import { el, shape } from "./dom.js";
import { cardName, nameOf } from "./now.js";
import { say } from "./words.js";

export const WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]];
const STEP = 0.01; // an arrow key moves a corner so far

export const isWhole = (table) => !table || table.every(([x, y], n) => x === WHOLE[n][0] && y === WHOLE[n][1]);

/** Places of a drawing: `width` x `height` pixels of the picture. */
function drawing({ width, height, cards }, table) {
  const points = (corners) => corners.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(" ");
  const size = width / 30;
  const one = ({ card, confidence, corners }) => {
    const x = corners.reduce((sum, each) => sum + each[0], 0) / 4;
    const top = Math.min(...corners.map((each) => each[1]));
    const parts = [shape("polygon", { class: confidence > 0.8 ? "seen" : "seen unsure", points: points(corners) })];
    if (card.length === 2) parts.push(shape("text", { x: x * width, y: Math.max(top * height - size * 0.4, size), "font-size": size }, cardName(card)));
    return parts;
  };
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...(isWhole(table) ? [] : [shape("polygon", { class: "table", points: points(table) })]), ...cards.flatMap(one));
}

/** The picture; `moved(table)` is told of every corner that is dragged, `done()` when it is let go. */
export function viewPart(look, table, moved, done) {
  const view = el("div", { className: "view" });
  view.style.maxWidth = `${Math.round(60 * look.width / look.height)}dvh`; // a picture that stands upright leaves room for the buttons
  const corners = (table ?? WHOLE).map((each) => [...each]);
  const picture = el("img", { src: look.picture, alt: say("picture_of"), draggable: "false", width: look.width, height: look.height });
  const place = (node, [x, y]) => {
    // a corner in a corner of the picture stays within reach
    node.style.left = `clamp(24px, ${100 * x}%, calc(100% - 24px))`;
    node.style.top = `clamp(24px, ${100 * y}%, calc(100% - 24px))`;
  };
  const put = (n, node, x, y) => {
    corners[n] = [x, y].map((each) => Math.round(1000 * Math.min(1, Math.max(0, each))) / 1000);
    place(node, corners[n]);
    view.querySelector("svg").replaceWith(drawing(look, corners));
    moved(corners.map((each) => [...each]));
  };
  const handles = !moved ? [] : corners.map((at, n) => {
    const node = el("button", { type: "button", className: "corner", "data-corner": n, "aria-label": say("corner", { n: n + 1 }) });
    place(node, at);
    node.addEventListener("pointerdown", (event) => {
      node.setPointerCapture(event.pointerId);
      node.onpointermove = (move) => {
        const box = view.getBoundingClientRect();
        put(n, node, (move.clientX - box.left) / box.width, (move.clientY - box.top) / box.height);
      };
    });
    const drop = () => { if (node.onpointermove) { node.onpointermove = null; done(); } };
    node.addEventListener("pointerup", drop);
    node.addEventListener("pointercancel", drop);
    node.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
      if (!way) return;
      event.preventDefault();
      put(n, node, corners[n][0] + way[0], corners[n][1] + way[1]);
      done();
    });
    return node;
  });
  view.append(picture, drawing(look, table), ...handles,
    el("p", { className: "seat north", text: say("at_top", { name: nameOf(1) }) }), el("p", { className: "seat south", text: say("at_bottom", { name: nameOf(0) }) }));
  return view;
}

/** Show the next picture in the place of the last, without taking a corner out of anybody's hand. */
export function renew(view, look, table) {
  view.querySelector("img").src = look.picture;
  view.querySelector("svg").replaceWith(drawing(look, table));
}
