// All words of the page: German with the Austrian terms, and English. `{name}` is filled in.

const DE = {
  title: "Schnapsen",
  south: "Süd", north: "Nord",
  suits: { H: "Herz", D: "Karo", C: "Treff", S: "Pik" },
  german_suits: { H: "Herz", D: "Schellen", C: "Eichel", S: "Laub" },
  ranks: { A: "Ass", T: "Zehner", K: "König", Q: "Dame", J: "Bub", 9: "Neuner" },
  german_ranks: { A: "Daus", T: "Zehner", K: "König", Q: "Ober", J: "Unter", 9: "Neuner" },
  card: "{suit} {rank}", unread: "uner­kannte Karte", face_down: "verdeckte Karte",
  trump: "Atout", trump_unknown: "Atout noch nicht gesehen",
  stock: "Talon", stock_open: "offen", stock_closed: "zu\u00adgedreht", stock_exhausted: "leer",
  closed_by: "{name} hat zugedreht.", at_close: "{name} hatte da {points} Augen, {tricks}.",
  with_trick: "schon einen Stich", without_trick: "noch keinen Stich", unknown_trick: "vielleicht einen Stich",
  leads: "spielt aus", plays: "gibt zu", deals: "gibt",
  took: "Stich",
  points: "Augen", from_cards: "aus Stichen", from_marriages: "aus Ansagen", from_bonus: "letzter Stich", pending: "wartet",
  tricks: { one: "1 Stich", other: "{n} Stiche" },
  to_go: "noch", has: "hat",
  marks: { zero: "kein Bummerl", one: "1 Bummerl", other: "{n} Bummerl" },
  hand_number: "Spiel {n}", match_number: "Partie {n}",
  waiting: "Warten auf das Geben", waiting_more: "Sobald eine Karte aufgeschlagen wird, geht es los.",
  waiting_blind: "Keine Kamera schaut zu. Zum Mitschreiben:",
  claim: "Aus!", claim_more: "66 oder mehr", claim_wait: "nur gleich nach eigenem Stich oder Ansage", claim_between: "erst zwischen Stichen oder nach einer Ansage",
  claim_counts_itself: "66 wird von selbst gezählt", claim_knocked: "es ist geklopft: der Stich entscheidet",
  claim_title: "{name} meldet aus?", claim_text: "Mit weniger als 66 Augen punktet {other}.",
  claim_yes: "Ja, aus!", no: "Doch nicht",
  claim_who: "Wer meldet aus?",
  marriage: "Ansagen", marriage_title: "Welches Paar?", marriage_button: "{name}: {suit}",
  close: "Zudrehen", close_title: "{name} dreht zu?", close_text: "Ab jetzt wird nicht mehr gezogen; {name} muss 66 erreichen.", close_yes: "Ja, zudrehen",
  close_early: "Vor dem Ziehen zudrehen", close_early_text: "Vor dem Ziehen: beide spielen mit einer Karte weniger weiter.",
  knock: "Klopfen", knock_title: "{name} klopft?", knock_text: "Mit diesem Stich 66 – sonst punktet {other}.", knock_yes: "Ja, klopfen",
  revoke: "{name} reklamiert: nicht bedient", revoke_title: "{name} reklamiert?", revoke_yes: "Ja, reklamieren",
  revoke_award: {
    3: "Das Spiel ist aus und bringt {name} 3 Punkte.", as_false_claim: "Das Spiel ist aus und zählt, als hätte {other} falsch ausgemeldet.",
    take_back: "Die falsche Karte und alles danach wird zurückgenommen.",
  },
  show: "Karten auflegen", show_who: "Wer legt auf?", show_title: "{name} legt auf", show_yes: "Auflegen",
  show_text: { one: "1 Karte ist noch in der Hand.", other: "{n} Karten sind noch in der Hand. Auch ein Teil darf gezeigt werden." },
  undo: "Zurück", undo_more: "{what} zurücknehmen", undo_done: "Zurückgenommen: {what}", last_event: "das letzte Ereignis",
  new_hand: "Neues Spiel", new_hand_title: "Wer gibt?", new_hand_running: "Das laufende Spiel wird ohne Wertung abgebrochen.",
  new_match: "Neue Partie", new_match_others: "Namen oder Regeln ändern", names_same: "Zwei gleiche Namen kann man nicht unterscheiden.", new_match_title: "Neue Partie", new_match_running: "Das laufende Spiel geht darin weiter.", new_match_breaks: "Das laufende Spiel wird dabei womöglich abgebrochen.",
  keep_points: "Die Partie geht weiter: Stand {score} behalten", points_lost: "Der Stand {score} geht verloren.", new_match_text: "Beide beginnen bei {n}.", new_match_text_up: "Beide beginnen bei 0; gespielt wird bis {n}.",
  start: "Beginnen", cancel: "Abbrechen", done: "Fertig",
  name_of: "Name {seat}", clear_marks: "Bummerl und Serie neu beginnen", marks_brought: "Bummerl mitgebracht",
  series_best_of_3: "Serie auf {n} Siege", series_first_to_n_marks: { one: "Serie bis 1 Bummerl", other: "Serie bis {n} Bummerl" },
  series_before: "Serien bisher {south} : {north}", series_won: "{name} gewinnt die Serie!", carry: "Gleichstand: Das nächste Spiel zählt {n} mehr.",
  menu: "Menü", played: "Rückschau, Üben, Zahlen", sheets: "Schreibzettel ohne Kamera", language: "Sprache", theme: "Farben", theme_auto: "wie das Gerät", theme_dark: "dunkel", theme_light: "hell",
  faces: "Karten", faces_french: "B D K", faces_english: "J Q K", faces_german: "U O K",
  story: "Verlauf", hands: "Spiele dieser Partie", review_of: "Rückschau auf Spiel {n}: {what}", story_empty: "Noch nichts gespielt.",
  still_show: "{what}, {n}: Bild zeigen", still_gone: "Dieses Bild ist nicht mehr da.", correct_picture: "Der Tisch in diesem Augenblick",
  recount_where: "Hier berühren, was nicht stimmt.",
  earlier_hands: { one: "1 Spiel einer früheren Partie", other: "{n} Spiele früherer Partien" }, of_hand: "Spiel {n}", of_trick: "{n}. Stich",
  changed_by: { camera: "Kamera", south: "{name}", north: "{name}", table: "am Tisch", referee: "Schiedsrichter" },
  changes: { one: "1 Berichtigung", other: "{n} Berichtigungen" }, change_added: "dazu", change_gone: "gestrichen", change_answer: "Antwort auf eine Frage",
  short: { exchange: "Aus\u00adtausch", close: "zu\u00adgedreht", claim: "Aus!", knock: "klopft", revoke: "rekla\u00admiert", show: "auf\u00adgelegt", concede: "gibt auf", given_up: "ab\u00adge\u00adbro\u00adchen", agreed: "ein\u00adge\u00adtra\u00adgen" },
  correct_title: "Was war es wirklich?", corrected: "berichtigt", unfit: "passt nicht",
  questions: {
    which_card: "Welche Karte war das?", which_card_of: "Welche Karte hat {name} gespielt?", which_answer_of: "Was hat {name} auf {lead} gespielt?",
    how_ended: "Wie ist das Spiel ausgegangen?", who_dealt: "Wer hat gegeben?", which_turn_up: "Welche Karte ist aufgeschlagen?", what_happened: "Was ist zuerst passiert?", last_cards: "Noch gespielt, oder war schon ausgemeldet?",
  },
  question_other: "Was stimmt?", other_card: "Eine andere …", ruled_out: "passt nicht zum Rest", not_claimed: "{name} hat nicht ausgemeldet", nobody_claimed: "Niemand hat ausgemeldet", asked_picture: "Der Tisch, als gefragt wurde",
  more_questions: { one: "und 1 weitere Frage", other: "und {n} weitere Fragen" },
  event: {
    deal: "{name} gibt, {card} aufgeschlagen", deal_unseen: "{name} gibt", exchange: "{name} tauscht aus", marriage: "{name} sagt {suit} an",
    close: "{name} dreht zu", close_early: "{name} dreht vor dem Ziehen zu", play: "{name}: {card}", claim: "{name} meldet aus", concede: "{name} gibt nach dem Zudrehen auf", given_up: "Spiel abgebrochen",
    knock: "{name} klopft", revoke: "{name} reklamiert", show: "{name} legt auf",
  },
  outcome: {
    proven: "Richtig: {points} Augen", refuted: "Falsch: nur {points} Augen", open: "Offen: {points} Augen",
  },
  outcome_more: { open: "Eine Karte wurde nicht gesehen; sie entscheidet.", asked: "Die Antwort auf die Frage entscheidet.", unseen: "Wenn nichts fehlt." }, unannounced: "Wurde angesagt, ohne beide Karten zu zeigen?",
  claim_by: "{name} meldet aus",
  award: { one: "{name} gewinnt 1 Punkt", other: "{name} gewinnt {n} Punkte" },
  award_carried: "+ {n} vom Gleichstand", award_none: "Niemand punktet",
  award_open: "Noch nicht entschieden", claim_due: "{name} kann noch ausmelden.", award_so_far: "Vorläufig: {award}",
  checked: {
    verified: "Gesichert: nichts war zu fragen", answered: { one: "1 Frage, beantwortet", other: "{n} Fragen, alle beantwortet" },
    open: { one: "1 Frage, noch offen", other: "{n} Fragen, noch nicht alle beantwortet" },
  },
  question_open: "Frage offen", out_of_sight: "Der Tisch war {n} s nicht zu sehen", lay_there: "Die Karten lagen schon da", unseen: "{what}: fehlt etwas?", vouched: "{what}, nichts fehlt",
  unseen_nothing: "Nichts fehlt", unseen_something: "Etwas fehlt", unseen_where: "Berühren, wonach etwas fehlt.",
  reason: {
    claim: "ausgemeldet", false_claim: "falsch ausgemeldet", failed_close: "Zudrehen nicht geschafft", last_trick: "letzter Stich",
    higher_total: "mehr Augen", drawn: "unentschieden", revoke: "Farbe nicht bedient oder nicht gestochen", agreed: "eingetragen",
  },
  agree: "Ergebnis eintragen", agreed: "Eingetragen: {what}", clause: "Regel {clause}",
  how_counted: "So wird gezählt", line_marriage: "Ansage {suit}", line_last_trick: "letzter Stich", line_unread: "unerkannt",
  recount: "Nachzählen", recount_by: "{name} zählt nach", recount_right: "Stimmt", recount_wrong: "Stimmt nicht", recounted: "Nachgezählt: stimmt",
  match_won: "{name} gewinnt die Partie!", bummerl_for: { one: "Bummerl für {name}", other: "{n} Bummerl für {name}" },
  breach: "Nicht nach den Regeln", breach_by: "{name}, {n}. Stich", taken_back: "zurückgenommen",
  breaches: {
    "3.2": "Farbe nicht bedient", "3.3": "nicht gestochen, obwohl möglich", "3.4": "nicht mit Atout gestochen",
    "3.7": "reklamiert, ohne dass etwas bewiesen ist",
    "4.1": "getauscht, ohne am Ausspiel zu sein", "4.2": "beim ersten Ausspiel getauscht", "4.3": "getauscht, Talon zu klein", "4.4": "nach dem Zudrehen getauscht",
    "5.1": "angesagt, ohne am Ausspiel zu sein", "5.2": "angesagte Karte nicht ausgespielt", "5.4": "beim ersten Ausspiel angesagt", "5.5": "nach dem Zudrehen angesagt",
    "5.6": "angesagt, Talon aufgebraucht", "5.7": "zweimal angesagt", "5.8": "Paar nicht gehabt", "5.9": "nach der Ansage nicht erlaubt", "5.10": "Paar nicht angesagt",
    "6.1": "zugedreht, ohne am Ausspiel zu sein", "6.2": "beim ersten Ausspiel zugedreht", "6.3": "zugedreht, Talon zu klein", "6.4": "vor dem Ziehen zugedreht",
    "6.5": "geklopft, ohne dass es gilt", "6.6": "geklopft, ohne am Ausspiel zu sein", "6.7": "geklopft, obwohl zugedreht ist",
    "7.1": "ausgemeldet, obwohl von selbst gezählt wird",
    "7.2": "zur falschen Zeit ausgemeldet",
  },
  camera: { none: "keine Kamera", starting: "Kamera startet", watching: "Kamera", lost: "Kamera blind", ended: "Video zu Ende" },
  table_elsewhere: "Wo der Tisch im Bild liegt, ist nicht mehr sicher: bitte neu zeigen.",
  camera_shakes: "Das Bild wackelt oder setzt aus. Sitzt die Kamera fest?",
  looks_sparse: "Zu wenige Bilder: Rechner oder Kamera kommt nicht nach.",
  camera_lost: "Die Kamera sieht den Tisch nicht. Was jetzt geschieht, fehlt im Verlauf.",
  record_failed: "Der Verlauf kann nicht geschrieben werden. Ist der Datenträger voll?",
  link: { on: "verbunden", off: "getrennt" },
  link_off: "Keine Verbindung zum Rechner. Es wird weiter versucht; angezeigt ist der letzte bekannte Stand.",
  not_paired: "Dieses Gerät ist nicht mehr gekoppelt. Bitte den QR-Code noch einmal scannen.",
  refused: {
    no_hand: "Es ist noch nichts gegeben.", too_late: "Inzwischen ist schon etwas anderes geschehen.", settled: "Die Frage hat sich inzwischen erledigt.", corrected: "Das hat gerade ein anderes Gerät berichtigt.",
    against_rules: "Das geht jetzt nicht.", impossible: "Das kann nicht gewesen sein.", won: "Mit diesem Stand wäre Partie oder Serie schon gewonnen.", undecided: "Ein Spiel ist noch nicht entschieden, und es kann die Partie entscheiden. Bitte zuerst klären, wie es ausging.",
    not_recorded: "Konnte nicht aufgeschrieben werden.", not_yours: "Das darf dieses Gerät jetzt nicht.", no_device: "Dieses Gerät ist nicht mehr dabei.", other: "Das hat nicht geklappt.",
  },
  refused_by: "Das geht jetzt nicht: {why}.",
  offline: "Keine Verbindung – bitte noch einmal drücken, sobald sie wieder da ist.",
};

const EN = {
  title: "Schnapsen",
  south: "South", north: "North",
  suits: { H: "hearts", D: "diamonds", C: "clubs", S: "spades" },
  german_suits: { H: "hearts", D: "bells", C: "acorns", S: "leaves" },
  ranks: { A: "ace", T: "ten", K: "king", Q: "queen", J: "jack", 9: "nine" },
  german_ranks: { A: "deuce", T: "ten", K: "king", Q: "ober", J: "unter", 9: "nine" },
  card: "{rank} of {suit}", unread: "card not read", face_down: "face-down card",
  trump: "Trumps", trump_unknown: "trumps not seen yet",
  stock: "Stock", stock_open: "open", stock_closed: "closed", stock_exhausted: "empty",
  closed_by: "{name} closed the stock.", at_close: "{name} had {points} points then, {tricks}.",
  with_trick: "and a trick", without_trick: "and no trick", unknown_trick: "and perhaps a trick",
  leads: "leads", plays: "follows", deals: "deals",
  took: "trick",
  points: "points", from_cards: "from tricks", from_marriages: "from marriages", from_bonus: "last trick", pending: "pending",
  tricks: { one: "1 trick", other: "{n} tricks" },
  to_go: "needs", has: "has",
  marks: { zero: "no Bummerl", one: "1 Bummerl", other: "{n} Bummerl" },
  hand_number: "Hand {n}", match_number: "Match {n}",
  waiting: "Waiting for the deal", waiting_more: "It starts as soon as a card is turned up.",
  waiting_blind: "No camera looks on. To write down:",
  claim: "Out!", claim_more: "66 or more", claim_wait: "only right after your own trick or a marriage", claim_between: "between tricks or after a marriage only",
  claim_counts_itself: "66 is counted by itself", claim_knocked: "knocked: the trick decides",
  claim_title: "Does {name} claim 66?", claim_text: "With fewer than 66 points, {other} scores.",
  claim_yes: "Yes, out!", no: "No, go on",
  claim_who: "Who claims 66?",
  marriage: "Marriage", marriage_title: "Which pair?", marriage_button: "{name}: {suit}",
  close: "Close", close_title: "Does {name} close the stock?", close_text: "Nobody draws any more; {name} must reach 66.", close_yes: "Yes, close",
  close_early: "Close before drawing", close_early_text: "Before drawing: both play on with a card fewer.",
  knock: "Knock", knock_title: "Does {name} knock?", knock_text: "66 with this trick, or {other} scores.", knock_yes: "Yes, knock",
  revoke: "{name} calls a revoke: suit not followed", revoke_title: "Does {name} call the revoke?", revoke_yes: "Yes, call it",
  revoke_award: {
    3: "The hand is over and pays {name} 3 game points.", as_false_claim: "The hand is over and counts as a false claim by {other}.",
    take_back: "The wrong card and all that came after it are taken back.",
  },
  show: "Lay the hand open", show_who: "Whose hand?", show_title: "{name} lays the hand open", show_yes: "Lay open",
  show_text: { one: "1 card is still in the hand.", other: "{n} cards are still in the hand. Some of them will do." },
  undo: "Undo", undo_more: "take back {what}", undo_done: "Taken back: {what}", last_event: "the last event",
  new_hand: "New hand", new_hand_title: "Who deals?", new_hand_running: "The hand that is being played ends without a score.",
  new_match: "New match", new_match_others: "Change names or rules", names_same: "Two equal names cannot be told apart.", new_match_title: "New match", new_match_running: "The hand that is being played goes on in it.", new_match_breaks: "The hand that is being played may be broken off.",
  keep_points: "The match goes on: keep the score of {score}", points_lost: "The score of {score} will be lost.", new_match_text: "Both start at {n}.", new_match_text_up: "Both start at 0 and play up to {n}.",
  start: "Start", cancel: "Cancel", done: "Done",
  name_of: "Name {seat}", clear_marks: "Start Bummerl marks and series anew", marks_brought: "Bummerl brought along",
  series_best_of_3: "Series: first to {n} matches", series_first_to_n_marks: { one: "Series up to 1 Bummerl", other: "Series up to {n} Bummerl" },
  series_before: "Series so far {south} : {north}", series_won: "{name} wins the series!", carry: "Tied: the next hand pays {n} more.",
  menu: "Menu", played: "Reviews, practice, figures", sheets: "Score sheets, no camera", language: "Language", theme: "Colours", theme_auto: "as the device", theme_dark: "dark", theme_light: "light",
  faces: "Cards", faces_french: "B D K", faces_english: "J Q K", faces_german: "U O K",
  story: "What happened", hands: "Hands of this match", review_of: "Review hand {n}: {what}", story_empty: "Nothing played yet.",
  still_show: "{what}, {n}: show the picture", still_gone: "This picture is gone.", correct_picture: "The table at that moment",
  recount_where: "Touch what is wrong here.",
  earlier_hands: { one: "1 hand of an earlier match", other: "{n} hands of earlier matches" }, of_hand: "Hand {n}", of_trick: "Trick {n}",
  changed_by: { camera: "camera", south: "{name}", north: "{name}", table: "at the table", referee: "referee" },
  changes: { one: "1 correction", other: "{n} corrections" }, change_added: "added", change_gone: "removed", change_answer: "answer to a question",
  short: { exchange: "ex\u00adchange", close: "closed", claim: "out!", knock: "knock", revoke: "revoke", show: "shown", concede: "gives up", given_up: "given up", agreed: "entered" },
  correct_title: "What was it really?", corrected: "corrected", unfit: "does not fit",
  questions: {
    which_card: "Which card was this?", which_card_of: "Which card did {name} play?", which_answer_of: "What did {name} play to the {lead}?",
    how_ended: "How did the hand end?", who_dealt: "Who dealt?", which_turn_up: "Which card is turned up?", what_happened: "What happened first?", last_cards: "Still played, or had 66 been claimed?",
  },
  question_other: "Which is right?", other_card: "Another one …", ruled_out: "does not fit the rest", not_claimed: "{name} did not claim", nobody_claimed: "Nobody claimed", asked_picture: "The table when this was asked",
  more_questions: { one: "and 1 more question", other: "and {n} more questions" },
  event: {
    deal: "{name} deals, {card} turned up", deal_unseen: "{name} deals", exchange: "{name} exchanges", marriage: "{name} declares {suit}",
    close: "{name} closes", close_early: "{name} closes before drawing", play: "{name}: {card}", claim: "{name} claims 66", concede: "{name} has closed and gives up", given_up: "hand given up",
    knock: "{name} knocks", revoke: "{name} calls a revoke", show: "{name} lays the hand open",
  },
  outcome: {
    proven: "Right: {points} points", refuted: "Wrong: only {points} points", open: "Open: {points} points",
  },
  outcome_more: { open: "A card was missed; it decides.", asked: "The answer to the question decides.", unseen: "If nothing is missing." }, unannounced: "Was a marriage declared without showing both cards?",
  claim_by: "{name} claims 66",
  award: { one: "{name} wins 1 game point", other: "{name} wins {n} game points" },
  award_carried: "+ {n} from a tie", award_none: "Nobody scores",
  award_open: "Not decided yet", claim_due: "{name} may still claim.", award_so_far: "So far: {award}",
  checked: {
    verified: "Verified: nothing had to be asked", answered: { one: "1 question, answered", other: "{n} questions, all answered" },
    open: { one: "1 question, still open", other: "{n} questions, not all answered" },
  },
  question_open: "question open", out_of_sight: "The table was out of sight for {n} s", lay_there: "The cards lay there already", unseen: "{what}: is anything missing?", vouched: "{what}, nothing is missing",
  unseen_nothing: "Nothing is missing", unseen_something: "Something is missing", unseen_where: "Touch what it came after.",
  reason: {
    claim: "claimed 66", false_claim: "false claim", failed_close: "failed close", last_trick: "last trick",
    higher_total: "more points", drawn: "drawn", revoke: "revoke", agreed: "entered",
  },
  agree: "Enter a result", agreed: "Entered: {what}", clause: "rule {clause}",
  how_counted: "How it adds up", line_marriage: "marriage in {suit}", line_last_trick: "last trick", line_unread: "not read",
  recount: "Recount", recount_by: "{name} recounts", recount_right: "It is right", recount_wrong: "It is wrong", recounted: "Recounted: it is right",
  match_won: "{name} wins the match!", bummerl_for: { one: "Bummerl for {name}", other: "{n} Bummerl for {name}" },
  breach: "Against the rules", breach_by: "{name}, trick {n}", taken_back: "taken back",
  breaches: {
    "3.2": "did not follow suit", "3.3": "did not head the trick", "3.4": "did not trump",
    "3.7": "called a revoke that nothing proves",
    "4.1": "exchanged while not on lead", "4.2": "exchanged on the first lead", "4.3": "exchanged, stock too small", "4.4": "exchanged after closing",
    "5.1": "declared while not on lead", "5.2": "declared card not led", "5.4": "declared on the first lead", "5.5": "declared after closing",
    "5.6": "declared with the stock used up", "5.7": "declared twice", "5.8": "did not hold the pair", "5.9": "not allowed after a marriage", "5.10": "kept a marriage silent",
    "6.1": "closed while not on lead", "6.2": "closed on the first lead", "6.3": "closed, stock too small", "6.4": "closed before drawing",
    "6.5": "knocked where it is not played", "6.6": "knocked while not on lead", "6.7": "knocked against a close",
    "7.1": "claimed where hands end by themselves",
    "7.2": "claimed at the wrong time",
  },
  camera: { none: "no camera", starting: "camera starting", watching: "camera", lost: "camera blind", ended: "video ended" },
  table_elsewhere: "It is no longer certain where in the picture the table lies: please show it again.",
  camera_shakes: "The picture shakes or drops out. Is the camera fastened?",
  looks_sparse: "Too few pictures: the computer or the camera does not keep up.",
  camera_lost: "The camera does not see the table. What happens now is missing from the record.",
  record_failed: "The record cannot be written. Is the disk full?",
  link: { on: "connected", off: "offline" },
  link_off: "No connection to the computer. It keeps trying; what you see is the last known state.",
  not_paired: "This device is no longer paired. Please scan the QR code again.",
  refused: {
    no_hand: "Nothing has been dealt yet.", too_late: "Something else has happened meanwhile.", settled: "That question is settled by now.", corrected: "Another device has just corrected that.",
    against_rules: "Not possible now.", impossible: "That cannot have been.", won: "With that score the match or the series would be won already.", undecided: "A hand is not decided yet, and may decide the match. Please settle first how it ended.",
    not_recorded: "It could not be written down.", not_yours: "This device may not do that now.", no_device: "That device is no longer let in.", other: "That did not work.",
  },
  refused_by: "Not possible now: {why}.",
  offline: "No connection – please press again when it is back.",
};

const WORDS = { de: DE, en: EN };
let language = "de";

/** Take in the words of another page. */
export function learn(more) {
  for (const each of Object.keys(WORDS)) Object.assign(WORDS[each], more[each]);
}

/** Choose `de` or `en`. */
export function speak(chosen) {
  language = WORDS[chosen] ? chosen : "de";
  document.documentElement.lang = language;
}

/** The words under `path`, as in `camera.lost`, with `{x}` filled in from `values`; by number where they differ. */
export function say(path, values = {}) {
  let found = WORDS[language];
  for (const step of path.split("|")) found = found?.[step];
  if (found && typeof found === "object") {
    const n = values.n;
    found = (n === 0 && found.zero) || (n === 1 && found.one) || found.other;
  }
  if (typeof found !== "string") return null;
  return found.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

/** Why a command was refused: `{reason, clause}`, the clause where a rule stands against it. */
export function refusedText({ reason, clause }) {
  if (reason === "offline" || reason === "not_paired") return say(reason);
  const why = clause && say(`breaches|${clause}`);
  if (why) return say("refused_by", { why });
  return say(`refused|${reason}`) ?? say("refused|other");
}
