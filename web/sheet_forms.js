// Dialogs with something to type: a new sheet, names, the table of contracts.

import { button, closeSheet, el, openSheet } from "./dom.js";
import { contractName } from "./sheet_parts.js";
import { say } from "./words.js";

const bare = (text) => text.replaceAll("\u00ad", "");

function nameInputs(names, teams) {
  const inputs = names.map((name, seat) => el("input", { type: "text", maxlength: 24, autocomplete: "off", value: name, id: `name-${seat}`, placeholder: say("player_n", { n: seat + 1 }) }));
  const label = (seat) => (teams() ? say("name_team", { n: seat + 1, team: "AB"[seat % 2] }) : say("name_n", { n: seat + 1 }));
  const labels = inputs.map((input, seat) => el("label", { for: input.id }, el("span", { text: label(seat) }), input));
  return { inputs, labels, relabel: () => labels.forEach((node, seat) => { node.firstChild.textContent = label(seat); }) };
}

/** A row of buttons of which one is chosen. */
function oneOf(title, options, first, chose = () => {}) {
  let value = first;
  const buttons = options.map(([key, text]) => el("button", { type: "button", text, "aria-pressed": String(key === value), "data-value": key, onclick: () => {
    value = key;
    buttons.forEach((node, place) => node.setAttribute("aria-pressed", String(options[place][0] === key)));
    chose(key);
  } }));
  return { node: el("fieldset", {}, el("legend", { text: title }), el("div", { className: "choice", "data-options": options.length }, ...buttons)), value: () => value };
}

/** Names, first dealer, target: what a new sheet needs. Everything has a usual value. */
export function newSheetForm(agreement, seats, recent, press, toast) {
  let partners = agreement.partners;
  const names = nameInputs(Array.from({ length: seats }, (_, seat) => recent[seat] ?? ""), () => partners === "opposite");
  const dealer = oneOf(say("first_dealer"), Array.from({ length: seats }, (_, seat) => [seat, say("player_n", { n: seat + 1 })]), 0);
  const count = oneOf(say("count"), ["up", "down"].map((key) => [key, say(`count_${key}`)]), agreement.count);
  const target = el("input", { type: "text", inputmode: "numeric", maxlength: 3, autocomplete: "off", id: "target", value: agreement.target });
  const how = agreement.game === "negyes" && oneOf(say("partners"), ["called", "opposite"].map((key) => [key, say(`partners_${key}`)]), partners, (key) => {
    partners = key;
    names.relabel();
  });
  const schneider = agreement.game === "zweier" && oneOf(say("schneider"), [1, 2].map((n) => [n, say("bummerl", { n })]), agreement.marks[1]);
  const start = () => {
    const wanted = /^\d+$/.test(target.value.trim()) ? Number(target.value) : 0;
    if (wanted < 1) {
      toast(say("target_bad"));
      return;
    }
    press({
      type: "open", names: names.inputs.map((input) => input.value.trim()), dealer: dealer.value(),
      agreement: {
        game: agreement.game, partners, target: wanted, count: count.value(),
        ...(schneider && { marks: [agreement.marks[0], schneider.value(), agreement.marks[2]] }),
      },
    });
  };
  openSheet(bare(say(`games|${agreement.game}`)),
    how && how.node,
    el("div", { className: "names" }, ...names.labels),
    dealer.node,
    el("div", { className: "names" }, el("label", { for: "target" }, el("span", { text: say("target") }), target), count.node),
    schneider && schneider.node,
    button(say("start"), start, "strong", "start-sheet"),
    button(say("cancel"), closeSheet, "quiet"));
}

/** Other names for the same players. */
export function renameForm(sheet, press) {
  const { inputs, labels } = nameInputs(sheet.names, () => sheet.agreement.partners === "opposite");
  openSheet(say("rename"), el("div", { className: "names" }, ...labels),
    button(say("save"), () => press({ type: "rename", names: inputs.map((input) => input.value.trim()) }), "strong", "save-names"),
    button(say("cancel"), closeSheet, "quiet"));
}

/** The table of contracts, row by row. */
export function contractsForm(sheet, press, toast) {
  const rows = el("div", { className: "rows" });
  const add = ({ name, values }) => {
    const shown = bare(contractName(name));
    const title = el("input", { type: "text", maxlength: 30, autocomplete: "off", value: shown, "aria-label": say("contract_name") });
    const worth = el("input", { type: "text", inputmode: "text", maxlength: 12, autocomplete: "off", value: values.join(" "), "aria-label": say("contract_values") });
    const row = el("div", { className: "row" }, title, worth,
      el("button", { type: "button", className: "remove", "aria-label": say("remove_row"), text: "×", onclick: () => row.remove() }));
    // A name that was not changed stays the one that every language translates.
    row.read = () => ({ name: title.value.trim() === shown ? name : title.value.trim(), values: worth.value.trim().split(/[\s,;·]+/).map(Number) });
    rows.append(row);
    return title;
  };
  sheet.agreement.contracts.forEach(add);
  const save = () => {
    const contracts = [...rows.children].map((row) => row.read());
    const wrong = contracts.findIndex(({ name, values }) => !name || values.length > 4
      || values.some((value, place) => !Number.isInteger(value) || value < 1 || value > 99 || value <= (values[place - 1] ?? 0)));
    if (wrong >= 0) toast(say("row_bad", { n: wrong + 1 }));
    else press({ type: "contracts", contracts });
  };
  openSheet(say("table_of_contracts"), el("p", { text: say("contracts_more") }), rows,
    button(say("add_row"), () => add({ name: "", values: [] }).focus(), "", "add-row"),
    button(say("save"), save, "strong", "save-contracts"),
    button(say("cancel"), closeSheet, "quiet"));
}
