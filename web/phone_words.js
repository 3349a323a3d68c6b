// Words for devices, fair play, voice and screens beside the phone.

const DE = {
  roles: {
    south: "{south}", north: "{north}", table: "Handy in der Tischmitte", referee: "Schiedsrichter",
    spectator: "Zuschauer", board: "Anzeige",
  },
  roles_more: {
    south: "zählt und meldet nur für {south}", north: "zählt und meldet nur für {north}", table: "ein Gerät für beide, liegt zwischen euch",
    referee: "spielt nicht mit, sieht alles", spectator: "schaut nur zu", board: "Fernseher an der Wand", overlay: "Bild für OBS, durchsichtig",
  },
  overlay: "Einblendung", devices: "Geräte", device_own: "dieses Gerät", device_here: "schaut gerade zu", device_away: "nicht da", device_owner: "darf einladen",
  invite: "Gerät einladen", invite_title: "Wer schaut darauf?", invite_text: "Mit der Kamera des anderen Geräts scannen. Der Code lässt genau ein Gerät ein und gilt {n} Minuten.",
  invite_link: "oder dort öffnen:", invite_more: "Noch ein Gerät", qr: "QR-Code", revoke_device: "Gerät wegschicken", revoked: "Das Gerät ist weg.",
  device_role: "Wer schaut darauf?", devices_owner_only: "Einladen kann, wer den Code am Rechner gescannt hat.",
  fair: "Wer sieht was?", fair_modes: {
    training: ["Training", "Alle sehen alles."],
    own_count: ["Nur die eigenen Augen", "Jeder sieht auf seinem Handy nur, was er selbst hat."],
    last_trick: ["Nur den letzten Stich", "Niemand sieht Augen, nur den Stich davor."],
    tournament: ["Turnier", "Bis zum Ausmelden nur Atout und wer ausspielt."],
    broadcast: ["Übertragung", "Spieler wie im Turnier; Zuschauer sehen alles, aber später."],
  },
  fair_delay: "Wie viel später?", delay_tricks: { one: "1 Stich", other: "{n} Stiche" }, delay_seconds: "{n} Sekunden",
  fair_now: "Wer sieht was: {what}", late_tricks: { one: "1 Stich später", other: "{n} Stiche später" }, late_seconds: "{n} Sekunden später",
  new_hand_whose: "Das laufende Spiel bricht jetzt nur der Schiedsrichter, das Handy in der Tischmitte oder wer einlädt ab.",
  claim_first: "Der andere kann noch ausmelden.",
  new_match_whose: "Eine neue Partie beginnt jetzt nur der Schiedsrichter, das Handy in der Tischmitte oder wer einlädt.",
  hidden_count: "wird nicht gezeigt", in_hand: { one: "1 auf der Hand", other: "{n} auf der Hand" },
  exchange: "Tauschen", exchange_title: "{name} tauscht aus?", exchange_text: "Die niedrigste Atoutkarte gegen die aufgeschlagene.", exchange_yes: "Ja, austauschen",
  name_card: "Karte wählen",
  names_title: "Namen berichtigen", names_text: "Gilt für die ganze Partie, auch für die Spiele davor.", names_keep: "So heißen wir",
  answered_by: { south: "{name} hat geantwortet", north: "{name} hat geantwortet", table: "Am Tisch wurde geantwortet", referee: "Der Schiedsrichter hat geantwortet" },
  senses: "Ton und Anzeige", voice: "Ansagen vorlesen", vibrate: "Vibrieren", sound: "Töne", awake: "Bildschirm anlassen", size: "Schrift", size_normal: "normal", size_large: "groß", on: "ein", off: "aus",
  cannot_awake: "Hier lässt der Browser das nicht zu: die Anzeigedauer bitte in den Einstellungen des Geräts verlängern.",
  voice_on: "Ansagen ein", trump_is: "Atout {suit}", stock_is: "Talon {n}", lead_is: "{name} spielt aus", card_is: "{name}: {card}", corrected_is: "Berichtigt: {what}",
  setup: "Kamera einrichten",
};

const EN = {
  roles: {
    south: "{south}", north: "{north}", table: "Phone in the middle", referee: "Referee", spectator: "Looker-on", board: "Screen",
  },
  roles_more: {
    south: "counts and speaks for {south} only", north: "counts and speaks for {north} only", table: "one device for both, lies between you",
    referee: "does not play, sees everything", spectator: "looks on only", board: "a TV on the wall", overlay: "a picture for OBS, transparent",
  },
  overlay: "Overlay", devices: "Devices", device_own: "this device", device_here: "looks on now", device_away: "away", device_owner: "may invite",
  invite: "Invite a device", invite_title: "Who looks at it?", invite_text: "Scan it with the other device's camera. The code lets in one device and holds for {n} minutes.",
  invite_link: "or open there:", invite_more: "Another device", qr: "QR code", revoke_device: "Send the device away", revoked: "The device is gone.",
  device_role: "Who looks at it?", devices_owner_only: "Whoever scanned the code at the computer can invite.",
  fair: "Who sees what?", fair_modes: {
    training: ["Training", "Everybody sees everything."],
    own_count: ["Own points only", "Each phone shows only what its own player has."],
    last_trick: ["Last trick only", "Nobody sees points, only the trick before."],
    tournament: ["Tournament", "Until the claim only trumps and whose lead it is."],
    broadcast: ["Broadcast", "Players as in a tournament; lookers-on see everything, but later."],
  },
  fair_delay: "How much later?", delay_tricks: { one: "1 trick", other: "{n} tricks" }, delay_seconds: "{n} seconds",
  fair_now: "Who sees what: {what}", late_tricks: { one: "1 trick late", other: "{n} tricks late" }, late_seconds: "{n} seconds late",
  new_hand_whose: "Only the referee, the phone in the middle or whoever invites breaks off this hand now.",
  claim_first: "The other player may still claim.",
  new_match_whose: "Only the referee, the phone in the middle or whoever invites begins a new match now.",
  hidden_count: "not shown", in_hand: { one: "1 in hand", other: "{n} in hand" },
  exchange: "Exchange", exchange_title: "Does {name} exchange?", exchange_text: "The lowest trump for the card turned up.", exchange_yes: "Yes, exchange",
  name_card: "Choose the card",
  names_title: "Correct names", names_text: "For the whole match, earlier hands too.", names_keep: "Keep these names",
  answered_by: { south: "{name} has answered", north: "{name} has answered", table: "Answered at the table", referee: "The referee has answered" },
  senses: "Sound and screen", voice: "Read aloud", vibrate: "Vibrate", sound: "Sounds", awake: "Keep the screen on", size: "Text size", size_normal: "normal", size_large: "large", on: "on", off: "off",
  cannot_awake: "The browser does not allow it here: please set a longer screen time in the device's settings.",
  voice_on: "Reading out", trump_is: "{suit} are trumps", stock_is: "stock {n}", lead_is: "{name} leads", card_is: "{name}: {card}", corrected_is: "Corrected: {what}",
  setup: "Set up the camera",
};

export const PHONE_WORDS = { de: DE, en: EN };
