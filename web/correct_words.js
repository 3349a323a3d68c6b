// Words of the sheets on which the record is corrected.

export const CORRECT_WORDS = {
  de: {
    correct_likely: "Am ehesten", correct_other: "Eine andere Karte",
    correct_never: "geht sich nicht aus", correct_swap: "tauschen", correct_elsewhere: "fragt nach der anderen", correct_turns: "Seiten wechseln", correct_breach: "gegen die Regeln",
    correct_before: "Davor fehlt etwas", correct_after: "Danach fehlt etwas", correct_hand_before: "Davor fehlt ein Spiel", correct_gone: "War gar nicht", correct_trick_gone: "Den ganzen Stich gab es nicht",
    missed_title: "Was fehlt?", missed_trick: "Ein ganzer Stich", missed_none: "Hier hat nichts mehr Platz.",
    preview_title: "So berichtigen?", preview_was: "bisher", preview_now: "dann", preview_added: "Kommt dazu", preview_removed: "Fällt weg",
    preview_rows: "Was sich am Stand ändert", preview_same: "Am Stand ändert sich nichts.", preview_hidden: "Was sich ändert, zeigt erst das Ende des Spiels.",
    preview_turned: { one: "1 spätere Ansage oder Karte gehört dann der anderen Seite.", other: "{n} spätere Karten und Ansagen gehören dann der anderen Seite." },
    preview_yes: "Ja, berichtigen", agree_title: "So eintragen?", agree_yes: "Ja, eintragen", agree_next: "Damit beginnt die nächste Partie.", back: "Zurück", correct_done: "Berichtigt: {what}", correct_done_gone: "Gestrichen: {what}",
    of_earlier: "frühere Partie", loading: "Einen Augenblick …",
    seen_by: { camera: "von der Kamera gesehen", south: "von {name} gesagt", north: "von {name} gesagt", table: "am Tisch eingetragen", referee: "vom Schiedsrichter eingetragen" },
    changed: {
      total: "{name}: Augen", tricks: "{name}: Stiche", trump: "Atout", breaches: "{name}: Verstöße", over: "Das Spiel", award: "Wertung",
      match: "Partie", points_down: "{name} braucht noch", points_up: "{name} hat", marks: "{name}: Bummerl", carry: "Übertrag", winner: "Partie gewinnt",
      wins: "{name}: Partien", series: "Serien",
    },
    is_over: "ist aus", is_running: "ist nicht aus", nobody: "niemand", not_decided: "offen", none_yet: "–",
  },
  en: {
    correct_likely: "Most likely", correct_other: "Another card",
    correct_never: "cannot have been", correct_swap: "swap", correct_elsewhere: "asks about the other", correct_turns: "sides change", correct_breach: "against the rules",
    correct_before: "Something is missing before", correct_after: "Something is missing after", correct_hand_before: "A hand is missing before", correct_gone: "It did not happen", correct_trick_gone: "The whole trick was not played",
    missed_title: "What is missing?", missed_trick: "A whole trick", missed_none: "Nothing more fits in here.",
    preview_title: "Correct it like this?", preview_was: "so far", preview_now: "then", preview_added: "Added", preview_removed: "Removed",
    preview_rows: "What changes", preview_same: "The score stays as it is.", preview_hidden: "What changes is shown at the end of the hand.",
    preview_turned: { one: "1 later event then belongs to the other side.", other: "{n} later events then belong to the other side." },
    preview_yes: "Yes, correct it", agree_title: "Enter it like this?", agree_yes: "Yes, enter it", agree_next: "The next match begins with it.", back: "Back", correct_done: "Corrected: {what}", correct_done_gone: "Removed: {what}",
    of_earlier: "earlier match", loading: "One moment …",
    seen_by: { camera: "seen by the camera", south: "said by {name}", north: "said by {name}", table: "entered at the table", referee: "entered by the referee" },
    changed: {
      total: "{name}: points", tricks: "{name}: tricks", trump: "Trumps", breaches: "{name}: breaches", over: "The hand", award: "Award",
      match: "Match", points_down: "{name} still needs", points_up: "{name} has", marks: "{name}: Bummerl", carry: "Carried over", winner: "Match won by",
      wins: "{name}: matches", series: "Series",
    },
    is_over: "is over", is_running: "is not over", nobody: "nobody", not_decided: "open", none_yet: "–",
  },
};
