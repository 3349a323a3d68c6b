// Words of the set-up page.

const DE = {
  setup_owner_only: "Einrichten kann, wer den Code am Rechner gescannt hat.",
  setup_none: "An diesem Tisch läuft eine Aufnahme: Es gibt keine Kamera einzurichten.",
  setup_playing: "Das Bild wird Spielern während des Spiels nicht gezeigt.",
  setup_wait: "Das Bild kommt gleich …", setup_failed: "Von dieser Kamera kommt kein Bild.",
  setup_offline: "Keine Verbindung zum Rechner.",
  picture_of: "Bild der Kamera", cards_seen: { zero: "Keine Karte zu sehen", one: "1 Karte erkannt", other: "{n} Karten erkannt" },
  table_whole: "Das ganze Bild ist Tisch.", table_found: "Tisch gefunden. Die Ecken lassen sich ziehen.",
  table_told: "Tisch wie gezogen.", table_crossed: "So liegen die Ecken über Kreuz: bitte der Reihe nach um den Tisch ziehen.", table_lost: "Tisch nicht gefunden: bitte die vier Ecken auf seine Ecken ziehen.",
  corner: "Ecke {n} des Tisches", turn: "Bild drehen", find: "Tisch suchen", whole: "Ganzes Bild",
  at_bottom: "{name} sitzt hier", at_top: "{name} sitzt hier",
  which_camera: "Kamera", camera_index: "Kamera {n}", camera_none: "ohne Kamera", camera_none_more: "Nur Namen und Schreibzettel.",
  camera_address: "Kamera im Netzwerk", camera_address_more: "Adresse, mit http:// oder rtsp://", camera_look: "Ansehen",
  which_deck: "Karten", deck_any: "Irgendein Blatt", deck_any_more: "französisch oder deutsch", deck_own: "gelernt", deck_learn: "Blatt lernen …", deck_learn_more: "wenn Karten verwechselt werden",
  learn_title: "Blatt lernen", learn_text: "Die Karten kommen einzeln vor die Kamera, eine auf die andere, so wie sie hier stehen. Das dauert etwa eine Minute.",
  learn_name: "Name des Blatts", learn_name_more: "Buchstaben, Ziffern, - und _", learn_nines: "mit Neunern (24 Karten)", learn_start: "Anfangen",
  learn_ask: "{n}. von {of}: auflegen und kurz liegen lassen", learn_next: "danach", learn_last: "Die letzte Karte wieder wegnehmen.",
  learn_odd: "Das sah nach {card} aus.", learn_back: "Letzte noch einmal", learn_stop: "Abbrechen", learn_keeping: "Wird gelernt …",
  learn_failed: "Das Blatt konnte nicht gelernt werden.", learn_done: "{name} ist gelernt.", learn_sure: "Alle Karten lassen sich gut unterscheiden.", learn_alike: "Schwer zu unterscheiden:", learn_again: "Bei besserem Licht und näher noch einmal lernen hilft.", learn_use: "Mit diesem Blatt spielen",
  save: "So spielen wir", save_more: "dann Namen und Regeln", to_play: "Zum Tisch", without: "Ohne Kamera spielen",
};

const EN = {
  setup_owner_only: "Whoever scanned the code at the computer can set it up.",
  setup_none: "A recording plays at this table: there is no camera to set up.",
  setup_playing: "The picture is not shown to players while a hand is played.",
  setup_wait: "The picture will be here soon …", setup_failed: "This camera gives no picture.",
  setup_offline: "No connection to the computer.",
  picture_of: "The camera's picture", cards_seen: { zero: "No card to be seen", one: "1 card recognised", other: "{n} cards recognised" },
  table_whole: "The whole picture is table.", table_found: "Table found. Its corners can be dragged.",
  table_told: "The table as you dragged it.", table_crossed: "The corners cross like this: please drag them in turn around the table.", table_lost: "No table found: please drag the four corners onto its corners.",
  corner: "Corner {n} of the table", turn: "Turn picture", find: "Find table", whole: "Whole picture",
  at_bottom: "{name} sits here", at_top: "{name} sits here",
  which_camera: "Camera", camera_index: "Camera {n}", camera_none: "no camera", camera_none_more: "Names and score sheets only.",
  camera_address: "Camera in the network", camera_address_more: "Address, with http:// or rtsp://", camera_look: "Look",
  which_deck: "Cards", deck_any: "Any pack", deck_any_more: "French or German", deck_own: "learnt", deck_learn: "Learn a pack …", deck_learn_more: "where cards are mistaken",
  learn_title: "Learn a pack", learn_text: "The cards come before the camera one by one, each on the last, in the order shown here. It takes about a minute.",
  learn_name: "Name of the pack", learn_name_more: "letters, digits, - and _", learn_nines: "with nines (24 cards)", learn_start: "Begin",
  learn_ask: "{n} of {of}: lay it down and let it lie a moment", learn_next: "then", learn_last: "Take the last card away again.",
  learn_odd: "That looked like the {card}.", learn_back: "Last one again", learn_stop: "Cancel", learn_keeping: "Learning …",
  learn_failed: "The pack could not be learnt.", learn_done: "{name} is learnt.", learn_sure: "All cards can be told apart well.", learn_alike: "Hard to tell apart:", learn_again: "Learning it again in better light and closer helps.", learn_use: "Play with this pack",
  save: "Play like this", save_more: "names and rules next", to_play: "To the table", without: "Play without a camera",
};

export const SETUP_WORDS = { de: DE, en: EN };
