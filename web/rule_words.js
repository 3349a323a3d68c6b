// What presets and modifiers are called, and what each means in a line.

import { learn, say } from "./words.js";

const DE = {
  presets: {
    schnapsen: ["Schnapsen", "20 Karten, wie meist gespielt; ohne Ausmelden gewinnt der letzte Stich."],
    schnapsen_tournament: ["Schnapsen, Turnier", "Wie Schnapsen; ohne andere Wahl verliert die Serie, wer zwei Bummerl hat."],
    schnapsen_casual: ["Schnapsen, gemütlich", "Eigene Stiche darf man ansehen, falsch Zugegebenes wird zurückgenommen."],
    schnapsen_sharp: ["Schnapsen, eingeschränkt", "Beim ersten Ausspiel kein Tausch, keine Ansage; mit zwei Karten im Talon kein Tausch, kein Zudrehen."],
    schnapsen_strict_follow: ["Schnapsen mit Farbzwang", "Farb- und Stichzwang vom ersten Stich an."],
    schnapsen_wiki_soft: ["Schnapsen, weich", "Zudrehen nur ab vier Karten im Talon; der letzte Stich zählt 1 bis 3, Schneider zwei Bummerl."],
    schnapsen_wiki_hard: ["Schnapsen, hart", "Wie weich, und auch getauscht wird nur ab vier Karten im Talon."],
    snapszli: ["Snapszli", "Ansagen zählen sofort, 10 für den letzten Stich; ausmelden darf jeder zwischen zwei Stichen."],
    snapszli_24: ["Snapszli mit Neunern", "Das Gleiche mit 24 Karten, sechs auf der Hand."],
    snapszer_24: ["Snapszer mit Neunern", "Schnapsen mit 24 Karten, sechs auf der Hand; der Neuner tauscht aus."],
    sixty_six: ["Sechsundsechzig", "24 Karten; Zudrehen auch vor dem Ziehen, dann keine Ansagen mehr; der Gewinner gibt."],
    santase: ["Santase", "24 Karten, bis 11; beim ersten Ausspiel wird nur gespielt, verfehltes Zudrehen kostet 3."],
    beginner: ["Für Anfänger", "66 wird von selbst gezählt, verfehltes Zudrehen kostet nur 1."],
    beginner_24: ["Für Anfänger, mit Neunern", "Wie für Anfänger, mit 24 Karten, sechs auf der Hand."],
  },
  modifiers: {
    countdown: ["Herunterzählen", "Die Partie läuft von oben bis 0."],
    last_trick_10: ["10 für den letzten Stich", "Ohne Ausmelden gewinnt, wer mehr Augen hat."],
    tie_carry: ["Gleichstand zählt weiter", "Nach gleich vielen Augen zählt das nächste Spiel 1 mehr."],
    schneider_bummerl: ["Schneider-Bummerl", "Wer ohne Punkt verliert, bekommt zwei Bummerl."],
    best_of_3: ["Auf zwei Siege", "Wer zuerst zwei Partien gewinnt, gewinnt die Serie."],
    knock: ["Klopfen", "Wer klopft, muss mit diesem Stich 66 haben."],
  },
  rules: "Regeln", rules_title: "Welche Regeln?", rules_now: "Gespielt wird {rules}",
  rules_more: { one: "und 1 eigene Abweichung", other: "und {n} eigene Abweichungen" },
  deck_20: "Mit 20 Karten", deck_24: "Mit 24 Karten, also den Neunern",
  modifiers_title: "Dazu", needs: "zusammen mit „{what}“",
  rules_offline: "Die Regeln konnten nicht geladen werden.",
};

const EN = {
  presets: {
    schnapsen: ["Schnapsen", "20 cards, as mostly played; without a claim the last trick wins."],
    schnapsen_tournament: ["Schnapsen, tournament", "Like Schnapsen; two Bummerl lose the series, unless chosen otherwise."],
    schnapsen_casual: ["Schnapsen, casual", "You may look at your own tricks; a revoke is taken back."],
    schnapsen_sharp: ["Schnapsen, restricted", "No exchange and no marriage on the first lead; no close or exchange with two cards left."],
    schnapsen_strict_follow: ["Schnapsen, strict", "Follow and head from the first trick on."],
    schnapsen_wiki_soft: ["Schnapsen, soft", "Close with four or more in the stock; the last trick pays 1 to 3, Schneider two Bummerl."],
    schnapsen_wiki_hard: ["Schnapsen, hard", "Like soft, and an exchange needs four in the stock, too."],
    snapszli: ["Snapszli", "Marriages count at once, 10 for the last trick; anybody claims between tricks."],
    snapszli_24: ["Snapszli with nines", "The same with 24 cards, six in hand."],
    snapszer_24: ["Snapszer with nines", "Schnapsen with 24 cards, six in hand; the nine is exchanged."],
    sixty_six: ["Sixty-Six", "24 cards; close before drawing, too, then no marriages; the winner deals."],
    santase: ["Santase", "24 cards, up to 11; the first lead is only a lead, a failed close costs 3."],
    beginner: ["For beginners", "66 is counted by itself, a failed close costs 1 only."],
    beginner_24: ["For beginners, with nines", "As for beginners, with 24 cards, six in hand."],
  },
  modifiers: {
    countdown: ["Count down", "The match runs down to 0."],
    last_trick_10: ["10 for the last trick", "Without a claim more points win."],
    tie_carry: ["Ties carry over", "After equal points the next hand pays 1 more."],
    schneider_bummerl: ["Schneider Bummerl", "Losing without a game point costs two Bummerl."],
    best_of_3: ["Best of three", "Two matches won win the series."],
    knock: ["Knocking", "Whoever knocks must have 66 with this trick."],
  },
  rules: "Rules", rules_title: "Which rules?", rules_now: "You play {rules}",
  rules_more: { one: "with 1 change of your own", other: "with {n} changes of your own" },
  deck_20: "With 20 cards", deck_24: "With 24 cards, the nines among them",
  modifiers_title: "In addition", needs: "together with “{what}”",
  rules_offline: "The rules could not be loaded.",
};

learn({ de: DE, en: EN });

/** Name of the rules that are played, modifiers included. */
export function rulesName({ preset, modifiers, more = 0 }) {
  const names = [say(`presets|${preset}|0`), ...modifiers.map((each) => say(`modifiers|${each}|0`))];
  return names.join(" + ") + (more ? ` (${say("rules_more", { n: more })})` : "");
}
