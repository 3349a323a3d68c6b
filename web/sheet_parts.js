// What a score sheet shows: columns, hands, the end of a match. Numbers come from the server as they are.

import { el } from "./dom.js";
import { say } from "./words.js";

export const nameOf = (names, seat) => names[seat] || say("player_n", { n: seat + 1 });
const namesOf = (names, seats) => seats.map((seat) => nameOf(names, seat)).join(say("and"));
export const contractName = (name) => say(`contracts|${name}`) ?? name;

/** A hand in words; `more` are its smaller parts. */
function handWords(sheet, hand) {
  const name = (seat) => nameOf(sheet.names, seat);
  if (hand.cards) {
    const more = hand.songs.flatMap((songs, seat) => (songs.length ? [say("line|sings", { name: name(seat), songs: songs.join(" + ") })] : []));
    if (hand.last_trick !== null) more.push(say("line|last", { name: name(hand.last_trick) }));
    if (hand.tute !== null) more.unshift(say("line|four", { name: name(hand.tute) }));
    return { text: say("line|tute", { a: hand.cards[0], b: hand.cards[1] }), more };
  }
  if (sheet.told_by_winner && hand.won) return { text: say("line|win", { name: name(hand.player) }), more: [`+${hand.worth}`] };
  const more = [`${say(hand.won ? "won_verb" : "lost_verb")} ${hand.worth}${hand.doubling > 1 ? ` ${say("times", { n: hand.doubling })}` : ""}`];
  if (hand.partner !== null) more.unshift(say("line|with", { name: name(hand.partner) }));
  return { text: say("line|played", { contract: contractName(hand.contract), name: name(hand.player) }), more };
}

export function handText(sheet, hand) {
  if (!hand) return say("struck");
  const { text, more } = handWords(sheet, hand);
  return [text, ...more].join(", ");
}

/** What an undo would take back. */
export function changeText(sheet) {
  const { type, hand } = sheet.last;
  return type === "written" ? handText(sheet, hand) : say(`changes|${type}`);
}

/** The columns: who has what. */
export function scorePart(sheet, { chooseDealer }) {
  const { agreement, accounts, names, dealer } = sheet;
  const label = say(agreement.count === "up" ? "to_win" : "to_lose", { n: agreement.target });
  const columns = accounts.map((account, place) => {
    const won = sheet.ended?.winners.includes(place);
    return el("article", { className: `column ${won ? "winner" : ""}`, "aria-label": namesOf(names, account.players) },
      el("h2", {}, ...account.players.map((seat) => el("span", { className: seat === dealer ? "deals" : "", text: nameOf(names, seat) }))),
      el("p", { className: "big" }, el("strong", { text: account.shown })),
      el("p", { className: "of", text: label }),
      el("p", { className: "marks", role: "img", "aria-label": say("bummerl", { n: account.marks }) },
        ...(account.marks > 6 ? [el("b", { text: account.marks }), el("i")] : Array.from({ length: account.marks }, () => el("i")))));
  });
  const who = say(sheet.dealer_sits_out ? "dealer_out" : "dealer", { name: nameOf(names, dealer) });
  const text = sheet.closed ? say("match", { n: sheet.match }) : `${say("match", { n: sheet.match })} · ${who}`;
  return [
    el("div", { className: "columns", "data-columns": accounts.length }, ...columns),
    sheet.may_write && !sheet.closed
      ? el("button", { type: "button", id: "dealer", className: "dealer", onclick: chooseDealer, text })
      : el("p", { className: "dealer", text }),
  ];
}

/** What the last match came to. */
export function endedPart(sheet) {
  if (!sheet.ended) return null;
  return el("div", { className: "result" }, ...endWords(sheet, sheet.ended).map((text, place) => el(place ? "p" : "h2", { className: place ? "for" : "", text })),
    !sheet.closed && el("p", { className: "reason", text: say("next_match") }));
}

function endWords(sheet, ended) {
  const side = (account) => namesOf(sheet.names, sheet.accounts[account].players);
  const winners = ended.winners.flatMap((account) => sheet.accounts[account].players);
  const title = say(winners.length > 1 ? "match_ended_more" : "match_ended", { names: namesOf(sheet.names, winners) });
  const charged = ended.kinds.flatMap((kind, account) => (kind === "won" ? [] : [say(`charged|${kind}`, { names: side(account), n: ended.charged[account] })]));
  return [title, ...charged];
}

/** All hands, the newest first; a touch opens one. */
export function linesPart(sheet, { openLine }) {
  if (!sheet.lines.length) return el("p", { className: "none", text: say("no_lines") });
  const newest = sheet.lines.findLast((line) => line.score);
  const rows = [];
  for (const line of sheet.lines) {
    rows.push(lineRow(sheet, line, openLine));
    if (line.score?.ended && line !== newest) {
      const [title, ...charged] = endWords(sheet, line.score.ended);
      rows.push(el("li", { className: "end" }, el("p", { text: [title, charged.join(", ")].join(" ") })));
    }
  }
  return el("ol", { "data-columns": sheet.accounts.length }, ...rows.reverse());
}

function lineRow(sheet, line, openLine) {
  const { text, more } = line.hand ? handWords(sheet, line.hand) : handWords(sheet, line.was.findLast((hand) => hand) ?? line.was[0]);
  const cells = sheet.accounts.map((_, account) => {
    const moved = line.score && (line.paid[account] > 0);
    return el("span", { className: `cell ${moved ? "moved" : ""}`, text: line.score ? line.score.shown[account] : "" });
  });
  const notes = [...more, line.hand ? (line.was.length && say("corrected")) : say("struck")].filter(Boolean);
  const body = [
    el("span", { className: "place", text: line.score?.number ?? "–" }),
    el("span", { className: "what" }, el("span", { text }), el("small", { text: notes.join(" · ") })),
    ...cells,
  ];
  const name = line.hand ? "line" : "line struck";
  return el("li", { className: name },
    sheet.may_write && !sheet.closed
      ? el("button", { type: "button", onclick: () => openLine(line), "data-line": line.seq }, ...body)
      : el("p", {}, ...body));
}

/** All sheets of this table. */
export function bookPart(book, { older }) {
  if (!book.sheets.length) {
    return el("div", { className: "waiting" }, el("div", {}, el("h2", { text: say("no_sheets") }), el("p", { text: say("no_sheets_more") })));
  }
  const list = el("ol", { className: "book" }, ...book.sheets.map((sheet) =>
    el("li", {}, el("a", { href: `#${sheet.sheet}` },
      el("strong", { text: say(`games|${sheet.game}`) }),
      el("span", { text: sheet.accounts.map((players, place) => `${namesOf(sheet.names, players)} ${sheet.shown[place]}`).join(" · ") }),
      el("small", { text: [new Date(sheet.at).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long", year: "numeric" }),
        say("hands_n", { n: sheet.hands }), sheet.marks.some(Boolean) && say("bummerl_all", { list: sheet.marks.join(" : ") }), sheet.closed && say("closed")].filter(Boolean).join(" · ") })))));
  return [list, book.older && el("button", { type: "button", id: "older", className: "older", text: say("older"), onclick: older })];
}
