// Small building blocks: elements, dialogs, and what is remembered on this device.

/** An element; `of` are properties (class, text, on..., aria-...), then children. */
export function el(name, of = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(of)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key === "className" ? "class" : key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element of a drawing; `of` are its attributes. */
export function shape(name, of, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(of)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export const button = (text, onclick, className = "", id = undefined) => el("button", { type: "button", className, onclick, id, text });

/** Write `text` where it does not stand yet: what is written into a live region is read out, even if it is the same. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

let toastTimer = 0;
export function toast(text) {
  const node = document.getElementById("toast");
  // an open dialog hides all that does not lie in it, from who looks and from who listens
  (document.querySelector("dialog[open]") ?? document.body).append(node);
  node.style.setProperty("--foot", `${document.querySelector("footer").offsetHeight}px`);
  node.textContent = text;
  node.onclick = () => { node.hidden = true; };
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { node.hidden = true; }, 5000);
}

const drawn = new Map();

/** Replace what is in `node` by `draw()`, but only when `data` has changed since. */
export function redraw(node, data, draw) {
  const text = JSON.stringify(data);
  if (drawn.get(node) === text) return;
  drawn.set(node, text);
  const held = node.contains(document.activeElement) && nameFor(document.activeElement);
  const content = draw();
  node.replaceChildren(...[content].flat().filter(Boolean));
  node.hidden = !node.firstChild;
  if (held) holdFocus(node, held);
}

/** The same for a part that folds: unfolded if it was, and at first as `open` says. */
export function redrawFolding(node, data, draw, open) {
  const unfolded = node.querySelector("details")?.open ?? open;
  redraw(node, data, () => {
    const part = draw();
    if (part && unfolded !== undefined) part.open = unfolded; // before the focus goes to what it holds
    return part;
  });
}

const nameFor = (control) => control.id || control.getAttribute("aria-label") || control.textContent;

/** Who goes by keyboard stays on the same control, or before the part that has lost it. */
function holdFocus(node, name) {
  const same = [...node.querySelectorAll("button, summary, a[href], input, select")].find((each) => nameFor(each) === name);
  if (!same) node.tabIndex = -1;
  (same ?? node).focus({ preventScroll: true });
}

const HELD_MS = 400;
let finger = [0, 0]; // the last touch
document.addEventListener("pointerdown", ({ clientX, clientY }) => { finger = [clientX, clientY]; }, true);

/** The second half of a double touch is not meant for what has just come under the finger. */
function holdUnderFinger() {
  if (!document.elementFromPoint(...finger)?.closest("button")) return;
  document.body.classList.add("held");
  setTimeout(() => document.body.classList.remove("held"), HELD_MS);
}

/** What tells the sheet that is open from any other; `null` while none is. */
export const shownSheet = () => document.querySelector("#sheet[open] > h2");

/** Open the sheet with `content`; what it says before is gone. */
export function openSheet(title, ...content) {
  const sheet = document.getElementById("sheet");
  const heading = el("h2", { id: "sheet-title", text: title });
  sheet.setAttribute("aria-labelledby", "sheet-title");
  const said = keepToast();
  sheet.replaceChildren(heading, ...content.filter(Boolean));
  if (sheet.open) { // who has the page read out hears where the touch led
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  } else {
    keepPlace(sheet, document.activeElement);
    sheet.showModal();
  }
  if (said && !said.hidden) sheet.append(said);
  holdUnderFinger();
}

/** Who goes by keyboard is back at the control that opened a sheet, also where that was drawn anew meanwhile. */
function keepPlace(sheet, opener) {
  const [part, name] = [opener.closest("section, footer"), nameFor(opener)];
  sheet.addEventListener("close", () => { if (part && !opener.isConnected) holdFocus(part, name); }, { once: true });
}

/** What is said in passing outlasts the sheet it is said in. */
function keepToast() {
  const node = document.getElementById("toast");
  if (node) document.body.append(node);
  return node;
}

export function closeSheet() {
  keepToast();
  document.getElementById("sheet").close();
  holdUnderFinger();
}

const german = (navigator.languages ?? [navigator.language]).some((each) => each?.toLowerCase().startsWith("de"));
const DEFAULTS = { language: german ? "de" : "en", theme: "auto", faces: "french", size: "normal", voice: "off", sound: "off", vibrate: "off", awake: "off" };

export function chosen() {
  try {
    return JSON.parse(localStorage.getItem("choices")) ?? {};
  } catch {
    return {};
  }
}

/** What holds on this device: what was chosen, else what is usual. */
export const choices = () => ({ ...DEFAULTS, ...chosen() });

export function choose(key, value) {
  const all = { ...chosen(), [key]: value };
  try {
    localStorage.setItem("choices", JSON.stringify(all));
  } catch {
    // A device that keeps nothing still plays on with the choice of this visit.
  }
  return { ...DEFAULTS, ...all };
}
