// Words of the practice page, beside those of the review.

export const PRACTICE_WORDS = {
  de: {
    puzzles: "Aufgaben", set_up: "Stellung", what_now_lead: "{name} ist am Ausspiel: Was jetzt?", what_now_answer: "{name} gibt zu: Was jetzt?",
    supposed: "Einzelne Handkarten sind angenommen: Niemand hat sie gesehen.", crowded: "Andere warten gerade auf eine Antwort: bitte in ein paar Sekunden noch einmal.", no_puzzle: "Noch kein Spiel, aus dem sich eine Aufgabe machen lässt.",
    no_such_puzzle: "Hier war nichts zu entscheiden, oder es ist zu wenig bekannt.", next_puzzle: "Nächste Aufgabe", see_hand: "Zum Spiel", change_it: "Stellung ändern",
    right: "Richtig!", as_good: "Macht kaum einen Unterschied.", costs: "Das kostet im Schnitt {n} Punkte.", yours: "deine Wahl", is_best: "am besten", was_played: "so gespielt", layouts: "aus {n} Verteilungen", exact: "genau gerechnet",
    place: "Wohin", places: { hand: "Ich", other: "Gegner", stock: "Talon", led: "Tisch", gone: "weg" }, unknown: "unbekannt",
    place_more: "Ort wählen, dann die Karten antippen. Talon: die oberste zuerst, die aufgeschlagene zuletzt; von einem offenen Talon mit unbekannten Karten nur diese. Ohne Ort ist eine Karte unbekannt. Sind alle bekannt, wird genau gerechnet.",
    my_points: "Meine Augen", other_points: "Augen des Gegners", my_tricks: "Meine Stiche", other_tricks: "Stiche des Gegners",
    closed: "Zugedreht", closed_by_nobody: "niemand", closed_by_me: "von mir", closed_by_other: "vom Gegner", then_points: "Augen des anderen damals", then_trick: "hatte einen Stich",
    solve: "Ausrechnen", clear: "Leeren", solving: "Wird gerechnet …", solving_long: "Wird noch gerechnet: Es dauert, solange andere warten oder gerade gespielt wird.", no_answer: "Es kam keine Antwort: Der Rechner ist nicht erreichbar oder rechnet zu lange.", again: "Noch einmal", not_now: "Nicht, solange ein Spiel läuft, dessen Karten verdeckt bleiben.", wrong_setting: "Das geht nicht auf: {text}", goes_on: "So geht es weiter", me: "Ich", opponent: "Gegner",
    wrong: { // in English the server says it
      claim: "Mit {n} Augen ist nichts zu entscheiden als das Ausmelden.", gone: "Karten, die weg sind: {cards}; gewonnene Stiche: {tricks}. Zu jedem Stich gehören zwei Karten.",
      turned_up: "Die aufgeschlagene Karte fehlt.", stock_known: "Von einem offenen Talon mit unbekannten Karten kennt man nur die aufgeschlagene.", no_trump: "Die aufgeschlagene Karte ist kein Atout.",
      hands: "Handkarten {south} zu {north} gibt es so nicht.", hand_size: "Handkarten: {n}. Möglich sind 1 bis {most}.", open_hands: "Bei offenem Talon hat jeder {most} Karten auf der Hand, nicht {n}.",
      open_stock: "So viele Karten hat ein offener Talon am Ausspiel nie: {n}.", long: "Mit {n} offenen Karten im Talon dauert das Rechnen zu lange.",
    },
  },
  en: {
    puzzles: "Puzzles", set_up: "Position", what_now_lead: "{name} is on lead: what now?", what_now_answer: "{name} answers: what now?",
    supposed: "Some cards of the hand are supposed: nobody saw them.", crowded: "Others are waiting for an answer: please try again in a few seconds.", no_puzzle: "No hand yet that makes a puzzle.",
    no_such_puzzle: "There was nothing to decide here, or too little is known.", next_puzzle: "Next puzzle", see_hand: "To the hand", change_it: "Change the position",
    right: "Right!", as_good: "Makes hardly a difference.", costs: "That costs {n} game points on average.", yours: "your choice", is_best: "best", was_played: "was played", layouts: "over {n} layouts", exact: "worked out exactly",
    place: "Where to", places: { hand: "Me", other: "Opponent", stock: "Stock", led: "Table", gone: "gone" }, unknown: "unknown",
    place_more: "Choose a place, then touch the cards. Stock: the top first, the turned-up card last; of an open stock with unknown cards that card alone. A card without a place is unknown. If all are known, the answer is exact.",
    my_points: "My points", other_points: "Opponent's points", my_tricks: "My tricks", other_tricks: "Opponent's tricks",
    closed: "Stock closed", closed_by_nobody: "by nobody", closed_by_me: "by me", closed_by_other: "by the opponent", then_points: "The other's points then", then_trick: "had a trick",
    solve: "Work it out", clear: "Clear", solving: "Working it out …", solving_long: "Still working it out: it takes longer while others wait or a hand is played.", no_answer: "No answer came: the computer cannot be reached or takes too long.", again: "Try again", not_now: "Not while a hand is played whose cards stay hidden.", wrong_setting: "That does not add up: {text}", goes_on: "How it goes on", me: "Me", opponent: "Opponent",
  },
};
