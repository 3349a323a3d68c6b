// Words of the review page.

export const REVIEW_WORDS = {
  de: {
    reviews: "Rückschau auf die Spiele", review_hand: "Spiel {n} · Rückschau", to_reviews: "alle Spiele", to_table: "Zum Tisch",
    none_yet: "Noch kein Spiel zu Ende.", no_such_hand: "Dieses Spiel gibt es nicht (mehr).", not_ended: "Dieses Spiel ist noch nicht zu Ende, oder erst mit dem nächsten Geben offen.",
    earlier: "einen Schritt zurück", later: "einen Schritt weiter", step: "Schritt", trick_number: "Stich {n}", takes: "{name} sticht",
    thinking: "Wird durchgerechnet …", thinking_more: "{done} von {total} Entscheidungen", nothing_told: "Nichts, was sich als Fehler zeigen ließe.",
    told: "Was auffiel", loss: "−{n}", loss_label: "kostet {n} Punkte", unjudged: "Der Rechner kann dazu nichts sagen: Nicht alle Karten sind bekannt.",
    analysis_failed: "Die Berechnung ist abgebrochen.",
    choice_of: "{name} war dran", was_done: "gespielt", was_best: "besser", wins: "gewinnt", average: "Punkte im Schnitt", certain: "genau gerechnet",
    no_result: "Ohne Ergebnis", as_puzzle: "Als Aufgabe", to_practice: "Üben", act_claim: "Ausmelden", act_close: "Zudrehen", act_exchange: "Austauschen", course: "Alle Schritte", unsure: "unsicher gelesen", unseen_here: "davor nichts gesehen", unseen_before: "Davor war der Tisch {n} s nicht zu sehen.", lay_there: "Als die Kamera zu schauen begann, lagen die Karten schon da.", was_asked: "nachgefragt", read_with: "Unsicher gelesen: {share} sicher.", still: "Der Tisch, wie ihn die Kamera sah: {what}",
    corrected_by: "Berichtigt von {name}, vorher:", by: { camera: "der Kamera", "phone:table": "jemandem am Tisch", "phone:referee": "dem Schiedsrichter" },
    settled: { answered: "{name}: {what}.", seen: "Hat sich von selbst geklärt: {what}.", open: "Noch offen.", dropped: "Hat sich erledigt." },
  },
  en: {
    reviews: "Hands to review", review_hand: "Hand {n} · review", to_reviews: "all hands", to_table: "To the table",
    none_yet: "No hand has ended yet.", no_such_hand: "There is no such hand (any more).", not_ended: "This hand has not ended yet, or is open from the next deal on.",
    earlier: "one step back", later: "one step on", step: "Step", trick_number: "Trick {n}", takes: "{name} takes it",
    thinking: "Working it out …", thinking_more: "{done} of {total} decisions", nothing_told: "Nothing that can be shown to be a mistake.",
    told: "What was noticed", loss: "−{n}", loss_label: "costs {n} game points", unjudged: "Nothing can be worked out: not all cards are known.",
    analysis_failed: "The analysis was broken off.",
    choice_of: "{name} to decide", was_done: "done", was_best: "better", wins: "wins", average: "points on average", certain: "worked out exactly",
    no_result: "No result", as_puzzle: "As a puzzle", to_practice: "Practise", act_claim: "claim 66", act_close: "close", act_exchange: "exchange", course: "All steps", unsure: "read with doubt", unseen_here: "out of sight before", unseen_before: "Before this the table was out of sight for {n} s.", lay_there: "The cards lay there when the camera began to look.", was_asked: "asked", read_with: "Read with doubt: {share} sure.", still: "The table as the camera saw it: {what}",
    corrected_by: "Corrected by {name}, before:", by: { camera: "the camera", "phone:table": "somebody at the table", "phone:referee": "the referee" },
    settled: { answered: "{name}: {what}.", seen: "Became clear by itself: {what}.", open: "Still open.", dropped: "No longer mattered." },
  },
};
