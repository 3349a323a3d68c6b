// Writing a hand: contract, who, result; three touches, all within reach of the thumb.

import { el } from "./dom.js";
import { changeText, contractName, nameOf } from "./sheet_parts.js";
import { say } from "./words.js";

const blank = () => ({ cards: ["", ""], last_trick: null, songs: [[0, 0], [0, 0]], tute: null });

/** A hand that is being told, before anything is chosen; `line` is the hand that it corrects, dealt by `dealer`. */
export const nothing = (line = null, dealer = null) => ({ line, dealer, contract: null, player: null, partner: undefined, doubling: 1, tute: blank(), after: null });

/**
 * The panel for what is to be told next. `change(part)` chooses, `keep()` says that something is being typed,
 * `done(hand)` writes it down, `undo()` takes the last back, `cancel()` leaves a correction.
 */
export function entryPart(sheet, told, { change, keep, done, undo, cancel }) {
  const { agreement, names } = sheet;
  const steps = { sheet, told, change, keep, done };
  const only = agreement.contracts.length === 1 ? agreement.contracts[0] : null;
  const contract = only ?? agreement.contracts.find((each) => each.name === told.contract);
  const name = told.player === null ? "" : nameOf(names, told.player);
  const words = { contract: contract ? contractName(contract.name) : "", name };
  let title = say("step_contract");
  let body = null;
  let back = null;
  if (agreement.game === "tute") {
    [title, body] = [say("step_tute"), tutePanel(steps)];
  } else if (!contract) {
    body = contractPanel(steps);
  } else if (told.player === null) {
    [title, body] = [say(only && sheet.told_by_winner ? "step_winner" : "step_who", words), whoPanel(steps)];
    back = only ? null : { contract: null };
  } else if (agreement.partners === "called" && told.partner === undefined) {
    [title, body, back] = [say("step_partner", words), partnerPanel(steps), { player: null }];
  } else {
    title = say(only && sheet.told_by_winner ? "step_winner_result" : "step_result", words);
    [body, back] = [resultPanel(steps, contract), agreement.partners === "called" ? { partner: undefined } : { player: null }];
  }
  const correcting = told.line && (told.line.score ? say("correcting", { n: told.line.score.number }) : say("correcting_struck"));
  // Going back a step is on the left and taking back a hand on the right: no touch too many undoes anything.
  const stepBack = back && el("button", { type: "button", id: "step-back", "aria-label": say("back"), text: "‹", onclick: () => change(back) });
  const other = correcting
    ? el("button", { type: "button", id: "cancel-correction", onclick: cancel, text: say("cancel") })
    : !back && el("button", { type: "button", id: "undo", disabled: !sheet.last, onclick: undo, "aria-label": sheet.last && say("undo_more", { what: changeText(sheet) }) },
      el("span", { className: "glyph", "aria-hidden": "true", text: "↶" }), el("span", { text: say("undo_line") }));
  return [
    el("div", { className: "step" }, stepBack,
      el("p", { className: "ask" }, correcting && el("em", { text: `${correcting}. ` }), el("span", { text: title })), other),
    ...[body].flat(),
  ];
}

function contractPanel({ sheet, change }) {
  return el("div", { className: "contracts" }, ...sheet.agreement.contracts.map((each) =>
    el("button", { type: "button", "data-contract": each.name, onclick: () => change({ contract: each.name }) },
      el("span", { text: contractName(each.name) }), el("b", { text: each.values.join(" · ") }))));
}

function whoPanel({ sheet, told, change }) {
  const dealer = told.dealer ?? sheet.dealer;
  return el("div", { className: "who", "data-columns": sheet.accounts.length },
    ...sheet.accounts.map((account) => el("div", {}, ...account.players.map((seat) => {
      const out = sheet.dealer_sits_out && seat === dealer;
      return el("button", { type: "button", disabled: out, "data-player": seat, onclick: () => change({ player: seat }) },
        el("span", { text: nameOf(sheet.names, seat) }), out && el("small", { text: say("sits_out") }));
    }))));
}

function partnerPanel({ sheet, told, change }) {
  const others = sheet.names.map((_, seat) => seat).filter((seat) => seat !== told.player);
  return el("div", { className: "who", "data-columns": 4 },
    ...others.map((seat) => el("button", { type: "button", "data-player": seat, text: nameOf(sheet.names, seat), onclick: () => change({ partner: seat }) })),
    el("button", { type: "button", "data-player": "none", text: say("alone"), onclick: () => change({ partner: null }) }));
}

function resultPanel({ sheet, told, change, done }, contract) {
  const { agreement } = sheet;
  const hand = (won, worth) => ({
    contract: contract.name, player: told.player, partner: told.partner ?? null, won, worth, doubling: told.doubling, dealer: told.dealer,
  });
  const row = (won) => el("div", { className: `result-row ${won ? "won" : "lost"}` },
    ...contract.values.map((worth) => el("button", { type: "button", "data-result": `${won ? "won" : "lost"}-${worth}`, onclick: () => done(hand(won, worth)) },
      el("span", { text: say(won ? "won" : "lost") }),
      el("b", { text: told.doubling > 1 ? `${worth} ${say("times", { n: told.doubling })}` : worth }))));
  const doubling = agreement.doublings.length > 1 && el("div", { className: "doubling", role: "group", "aria-label": say("spritzen") },
    ...agreement.doublings.map((n) => el("button", {
      type: "button", "aria-pressed": String(told.doubling === n), "data-doubling": n,
      text: n === 1 ? say("single") : say("times", { n }), onclick: () => change({ doubling: n }),
    })));
  return [doubling, row(true), !sheet.told_by_winner && row(false)].filter(Boolean);
}

/** The count of a hand of Tute, kept as typed until it is written down. */
function tutePanel({ sheet, told, change, keep, done }) {
  const now = told.tute;
  const toggle = (key, seat) => { now[key] = now[key] === seat ? null : seat; change({}); };
  const sing = (seat, place, count) => { now.songs[seat][place] = count; change({}); };
  const column = (seat) => {
    const name = nameOf(sheet.names, seat);
    const input = el("input", {
      type: "text", inputmode: "numeric", autocomplete: "off", maxlength: 3, id: `cards-${seat}`, value: now.cards[seat],
      placeholder: say("rest"), oninput: (event) => { now.cards[seat] = event.target.value.trim(); keep(); },
    });
    const [forty, twenties] = now.songs[seat];
    const press = (pressed, text, onclick, id) => el("button", { type: "button", "aria-pressed": String(pressed), text, onclick, id: `${id}-${seat}` });
    return el("div", { className: "tute", role: "group", "aria-label": name },
      el("label", { for: input.id }, el("span", { text: say("cards_of", { name }) }), input),
      press(now.last_trick === seat, say("last_trick"), () => toggle("last_trick", seat), "last"),
      el("div", { className: "songs" },
        press(forty > 0, say("songs_forty"), () => sing(seat, 0, 1 - forty), "forty"),
        press(twenties > 0, twenties > 1 ? say("songs_twenty_n", { n: twenties }) : say("songs_twenty"), () => sing(seat, 1, (twenties + 1) % 4), "twenty"),
        press(now.tute === seat, say("tute_shown"), () => toggle("tute", seat), "tute")));
  };
  const write = () => {
    const typed = now.cards.map((text) => (/^\d+$/.test(text) ? Number(text) : null));
    const songs = now.songs.map(([forty, twenties]) => [...Array(forty).fill(40), ...Array(twenties).fill(20)]);
    const cards = typed[0] === null && typed[1] === null && now.tute !== null ? [0, 0] : typed;
    done({ cards, last_trick: now.last_trick, songs, tute: now.tute, dealer: told.dealer });
  };
  return [
    el("div", { className: "who", "data-columns": 2 }, column(0), column(1)),
    el("button", { type: "button", id: "write-tute", className: "main", onclick: write }, el("strong", { text: say("note_hand") })),
  ];
}
