// Plots as SVG: lines over the numbers of hands.

import { shape } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 190, 34, 10, 10, 24];

/** Steps of a scale from 0 that holds `most`: few, and round; `whole` numbers where the values are. */
function marksUpTo(most, whole) {
  const size = 10 ** Math.floor(Math.log10(most || 1));
  const steps = [0.2, 0.5, 1, 2, 5].map((each) => each * size).filter((each) => !whole || each >= 1);
  const step = steps.find((each) => most / each <= 4);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, place) => place * step);
}

/**
 * A line for each of `series` (each a list of [number, value]); `kind` is `steps` or `dots`.
 * Which is which tells the line's look: the class `line-0`, `line-1`, and so on.
 */
export function plot(series, label, write, kind) {
  const points = series.flat();
  const [first, last] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const values = points.map(([, y]) => y);
  const marks = marksUpTo(Math.max(...values), values.every(Number.isInteger));
  const across = (x) => LEFT + (last > first ? (x - first) / (last - first) : 0.5) * (WIDTH - LEFT - RIGHT);
  const up = (y) => HEIGHT - BOTTOM - (y / marks.at(-1)) * (HEIGHT - TOP - BOTTOM);
  const text = (x, y, said, anchor) => {
    const node = shape("text", { x, y, "text-anchor": anchor });
    node.textContent = said;
    return node;
  };
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": label });
  for (const mark of marks) {
    svg.append(shape("path", { d: `M${LEFT} ${up(mark)}H${WIDTH - RIGHT}`, class: "rule" }), text(LEFT - 5, up(mark) + 4, write(mark), "end"));
  }
  svg.append(text(across(first), HEIGHT - 6, String(first), first === last ? "middle" : "start"));
  if (last > first) svg.append(text(across(last), HEIGHT - 6, String(last), "end"));
  series.forEach((those, place) => {
    if (!those.length) return;
    const [[x, y], ...rest] = those;
    const go = (to, height) => (kind === "steps" ? `H${across(to)}V${up(height)}` : `L${across(to)} ${up(height)}`);
    svg.append(shape("path", { d: `M${across(x)} ${up(y)}${rest.map(([to, height]) => go(to, height)).join("")}`, class: `line line-${place}` }));
    if (kind === "dots" || !rest.length) for (const [at, height] of those) svg.append(shape("circle", { cx: across(at), cy: up(height), r: 3.2, class: `dot line-${place}` }));
  });
  return svg;
}
