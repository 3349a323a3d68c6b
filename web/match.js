// The sheets with which a match is begun: names, rules, and who sees what.

import { button, closeSheet, el, openSheet, shownSheet } from "./dom.js";
import { read } from "./link.js";
import { areAlike, fairName } from "./now.js";
import { opens } from "./opening.js";
import { rulesName } from "./rule_words.js";
import { say } from "./words.js";

const fairSheet = opens("fair", "fairSheet");

let offered = null; // the presets and what fits to each, once the server has said so

/** Whether two others sit down, who have lost nothing yet. */
const areOthers = (before, names) => before.every(Boolean) && !names.some((name) => !name.trim() || before.includes(name.trim()));

/**
 * Ask for names, rules and whether marks stay, then begin a match.
 * `start(command)` sends it; `running`: a hand is played meanwhile; `draft` is what has been filled in before another sheet was opened.
 */
export function newMatchSheet(match, { seats, start, fail, running = false }, draft = null) {
  draft ??= { names: [...match.names], clear: false, keep: false, marks: ["", ""], rules: null, fair: null };
  const again = () => newMatchSheet(match, { seats, start, fail, running }, draft);
  const called = [0, 1].map((player) => el("span", { text: draft.names[player] || seats[player] }));
  const inputs = [0, 1].map((player) => el("input", {
    type: "text", maxlength: 24, autocomplete: "off", value: draft.names[player], id: `name-${player}`,
    oninput: (event) => {
      draft.names[player] = event.target.value;
      called[player].textContent = draft.names[player] || seats[player];
      if (!draft.chosen) clear.checked = draft.clear = areOthers(match.names, draft.names);
    },
  }));
  const clear = el("input", {
    type: "checkbox", id: "clear-marks", checked: draft.clear, onchange: (event) => { draft.clear = event.target.checked; draft.chosen = true; },
  });
  const keep = el("input", { type: "checkbox", id: "keep-points", checked: draft.keep, onchange: (event) => { draft.keep = event.target.checked; again(); } });
  const marks = [0, 1].map((player) => el("input", {
    type: "text", inputmode: "numeric", maxlength: 2, autocomplete: "off", id: `marks-${player}`, value: draft.marks[player], placeholder: 0,
    oninput: (event) => { draft.marks[player] = event.target.value; },
  }));
  const brought = () => draft.marks.some((each) => /\d/.test(each)) && { marks: draft.marks.map((each) => Number(each.replace(/\D/g, ""))) };
  const score = match.winner === null && match.begun && match.points.join(" : ");
  const scored = match.points.some((each) => each !== (match.counts_down ? match.target : 0));
  const rules = draft.rules ?? match.rules;
  const fair = draft.fair ?? match.fair;
  const agreed = draft.rules ? offered.presets.find((each) => each.name === rules.preset) : match;
  const breaks = draft.rules || (draft.fair && JSON.stringify(draft.fair) !== JSON.stringify(match.fair));
  const down = agreed.counts_down || rules.modifiers.includes("countdown");
  openSheet(say("new_match_title"),
    !draft.keep && el("p", { text: down ? say("new_match_text", { n: agreed.target }) : say("new_match_text_up", { n: agreed.target }) }),
    score && el("label", { className: "check", for: "keep-points" }, keep, el("span", { text: say("keep_points", { score }) })),
    score && scored && !draft.keep && el("p", { className: "warning", text: say("points_lost", { score }) }),
    running && el("p", { className: breaks ? "warning" : "", text: say(breaks ? "new_match_breaks" : "new_match_running") }),
    ...inputs.map((input, player) => el("label", { for: input.id },
      el("span", { text: say("name_of", { seat: seats[player] }) }), input)),
    el("button", { type: "button", id: "choose-rules", className: "pick", onclick: async () => {
      if (await load()) rulesSheet(draft, rules, again); else fail(say("rules_offline"));
    } }, el("small", { text: say("rules") }), el("strong", { text: rulesName(rules) }),
    el("span", { text: say(`presets|${rules.preset}|1`) })),
    el("button", { type: "button", id: "choose-fair", className: "pick",
      onclick: () => fairSheet(fair, (next) => { draft.fair = next; }, again) },
    el("small", { text: say("fair") }), el("strong", { text: fairName(fair) }), el("span", { text: say(`fair_modes|${fair.mode}|1`) })),
    el("label", { className: "check", for: "clear-marks" }, clear, el("span", { text: say("clear_marks") })),
    el("details", { className: "group", open: draft.marks.some(Boolean) }, el("summary", { text: say("marks_brought") }),
      ...marks.map((input, player) => el("label", { for: input.id }, called[player], input))),
    el("button", { type: "button", className: "strong", id: "start-match", text: say("start"), onclick: async () => {
      if (areAlike(draft.names.map((name) => name.trim()))) {
        fail(say("names_same"));
        return;
      }
      const begun = await start({
        type: "new_match", names: draft.names, clear_marks: draft.clear, ...(draft.keep && { keep_points: true }), ...brought(), ...(draft.rules && { rules: draft.rules }), ...(draft.fair && { fair: draft.fair }),
      });
      if (begun === false && !shownSheet()) again(); // what was filled in is not lost
    } }),
    button(say("cancel"), closeSheet, "quiet"));
}

async function load() {
  if (!offered) {
    const { status, body } = await read("api/rules");
    if (status === 200) offered = body;
  }
  return offered;
}

function rulesSheet(draft, rules, back) {
  const chosen = offered.presets.find((each) => each.name === rules.preset);
  const choose = (at, preset, modifiers) => {
    const fitting = offered.presets.find((each) => each.name === preset).modifiers;
    draft.rules = { preset, modifiers: modifiers.filter((each) => each in fitting) };
    rulesSheet(draft, draft.rules, back);
    document.querySelector(at)?.focus({ preventScroll: true });
  };
  const line = ([name, text], more) => [el("strong", { text: name }), el("span", { text }), more && el("em", { text: more })];
  const modifier = ([name, needs]) => {
    const on = rules.modifiers.includes(name);
    const others = rules.modifiers.filter((each) => each !== name && (!on || chosen.modifiers[each] !== name));
    const next = on ? others : [...new Set([...others, ...(needs ? [needs] : []), name])];
    return el("button", { type: "button", className: "pick", "aria-pressed": String(on), "data-modifier": name,
      onclick: () => choose(`[data-modifier=${name}]`, rules.preset, next) },
    ...line(wordsOf("modifiers", name), needs && say("needs", { what: say(`modifiers|${needs}|0`) })));
  };
  const preset = ({ name }) => el("button", { type: "button", className: "pick", "aria-pressed": String(name === rules.preset),
    "data-preset": name, onclick: () => choose(`[data-preset=${name}]`, name, rules.modifiers) }, ...line(wordsOf("presets", name)));
  const group = (deck) => el("details", { className: "group", open: chosen.deck === deck },
    el("summary", { text: say(`deck_${deck}`) }), ...offered.presets.filter((each) => each.deck === deck).map(preset));
  const top = document.getElementById("sheet").scrollTop;
  openSheet(say("rules_title"),
    group(20), group(24),
    el("fieldset", { className: "group" }, el("legend", { text: say("modifiers_title") }), ...Object.entries(chosen.modifiers).map(modifier)),
    button(rulesName(rules), back, "strong stay", "rules-done"));
  document.getElementById("sheet").scrollTop = top;
}

const wordsOf = (kind, name) => [say(`${kind}|${name}|0`), say(`${kind}|${name}|1`)];
