// Words of the page of figures, and of finding hands.

export const FIGURES_WORDS = {
  de: {
    figures: "Zahlen", find_hands: "Spiele suchen", find: "Name suchen", kind: "Was war", any_kind: "alle Spiele", since: "ab", until: "bis", none_found: "Kein Spiel, auf das das zutrifft.", more_hands: "Ältere zeigen",
    kinds: {
      claim: "ausgemeldet", false_claim: "falsch ausgemeldet", last_trick: "letzter Stich", higher_total: "mehr Augen", drawn: "unentschieden", closed: "zugedreht", failed_close: "Zudrehen nicht geschafft", marriage: "Ansage",
      exchange: "ausgetauscht", revoke: "Farbe nicht bedient oder nicht gestochen", corrected: "berichtigt", asked: "nachgefragt", given_up: "abgebrochen", agreed: "eingetragen", unfinished: "ohne Ergebnis",
    },
    hand_on: "Weitergeben", share: "Als eine Seite", save: "Speichern",
    no_figures: "Noch kein Spiel zu Ende.",
    row: {
      hands: "Spiele", won: "gewonnen", game_points: "Punkte", matches: "Partien", matches_won: "davon gewonnen", marks: "Bummerl", claims: "richtig ausgemeldet", wrong_claims: "falsch ausgemeldet", closings: "zugedreht", closings_won: "davon gewonnen",
      marriages: "Ansagen", exchanges: "ausgetauscht", revokes: "nicht bedient", seconds_a_play: "Sekunden je Karte", lost_a_decision: "Verlust je Entscheidung", decisions: "beurteilte Entscheidungen",
    },
    judge_left: { one: "1 Spiel ist noch nicht durchgerechnet.", other: "{n} Spiele sind noch nicht durchgerechnet." }, judge: "Durchrechnen",
    course_plot: "Gewonnene Punkte über die Spiele", losses_plot: "Verlust je Entscheidung, Spiel für Spiel", by_hand: "Nummer des Spiels",
  },
  en: {
    figures: "Figures", find_hands: "Find hands", find: "Find a name", kind: "What happened", any_kind: "all hands", since: "from", until: "to", none_found: "No such hand.", more_hands: "Show older ones",
    kinds: {
      claim: "claimed 66", false_claim: "false claim", last_trick: "last trick", higher_total: "more points", drawn: "drawn", closed: "stock closed", failed_close: "failed close", marriage: "marriage",
      exchange: "exchange", revoke: "revoke", corrected: "corrected", asked: "asked about", given_up: "given up", agreed: "entered", unfinished: "no result",
    },
    hand_on: "Export", share: "As one page", save: "Save",
    no_figures: "No hand has ended yet.",
    row: {
      hands: "hands", won: "won", game_points: "game points", matches: "matches", matches_won: "of these won", marks: "Bummerl", claims: "right claims", wrong_claims: "wrong claims", closings: "closed", closings_won: "of these won",
      marriages: "marriages", exchanges: "exchanges", revokes: "revokes", seconds_a_play: "seconds per card", lost_a_decision: "lost per decision", decisions: "decisions judged",
    },
    judge_left: { one: "1 hand has not been worked out yet.", other: "{n} hands have not been worked out yet." }, judge: { one: "Work it out", other: "Work them out" },
    course_plot: "Game points won over the hands", losses_plot: "Lost per decision, hand by hand", by_hand: "number of the hand",
  },
};
