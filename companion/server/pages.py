"""The pages that a phone sees before it is paired: whole in themselves, in two languages, its own first.

`{nonce}` is replaced for every answer; the content policy lets in that one style and script only.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from html import escape

from flask import Response, g, request

__all__ = ["ASK_IN", "KEEPS_ROLE", "NOT_PAIRED", "TOO_MANY", "WRONG_TOKEN", "OwnPage", "own_page"]

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #10241c; color: #f2efe6;
  font: 1.15rem/1.5 system-ui, sans-serif; }
main { max-width: 24rem; padding: 2rem 1.5rem; text-align: center; }
h1 { font-size: 1.5rem; margin: 0 0 .75rem; }
p { margin: .5rem 0; }
.other { color: #b9c9bf; font-size: 1rem; }
a, button { display: inline-block; margin-top: 1.25rem; padding: .8rem 1.5rem; border-radius: .8rem;
  background: #e8b94a; color: #1c1405; font: inherit; font-weight: 600; text-decoration: none; border: 0; }
"""


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A page; each text in German and in English.

    Attributes:
        titles: What it is about.
        texts: What to do.
        pressed: HTML of what can be pressed, with `{press}` for its words.
        presses: Those words.
        script: What it does by itself.
    """

    titles: tuple[str, str]
    texts: tuple[str, str] = ("", "")
    pressed: str = ""
    presses: tuple[str, str] = ("", "")
    script: str = ""

    def html(self, own: int) -> str:
        """Return it with the language `own` first: 0 is German, 1 English."""
        other = 1 - own
        said = f"{self.titles[other]}. {self.texts[other]}".strip()
        body = (
            f"<h1>{self.titles[own]}</h1>"
            + (f"<p>{self.texts[own]}</p>" if self.texts[own] else "")
            + f'<p class="other" lang="{_LANGUAGES[other]}">{said}</p>'
            + self.pressed.replace("{press}", self.presses[own])
            + (f'<script nonce="{{nonce}}">{self.script}</script>' if self.script else "")
        )
        return (
            f'<!doctype html><html lang="{_LANGUAGES[own]}"><head><meta charset="utf-8">'
            f"<title>Schnapsen – {self.titles[own]}</title>"
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<link rel="icon" href="data:,"><style nonce="{{nonce}}">{_STYLE}</style></head>'
            f"<body><main>{body}</main></body></html>"
        )


_LANGUAGES = ("de", "en")

NOT_PAIRED = OwnPage(
    ("Dieses Gerät ist nicht gekoppelt", "This device is not paired"),
    (
        "Scanne den QR-Code am Rechner oder den auf dem Handy, das dich einlädt.",
        "Scan the QR code at the computer, or the one on the phone that invites you.",
    ),
)
"""For whoever comes without a device cookie."""

WRONG_TOKEN = OwnPage(
    ("Dieser Code gilt nicht", "This code is not valid"),
    (
        "Jeder Code lässt ein Gerät ein. Scanne den, der jetzt am Rechner steht, oder lass dir von dem, der "
        "dich eingeladen hat, einen neuen zeigen.",
        "Each code lets in one device. Scan the one that the computer shows now, or let whoever invited you "
        "show you a new one.",
    ),
    script='fetch("/api/me").then((me) => { if (me.ok) location.replace("{place}"); })',
)
"""For whoever comes with a code that was used, or never was; a device that is in already goes on."""

ASK_IN = OwnPage(
    ("Dieses Gerät koppeln", "Pair this device"),
    pressed='<form method="post" action="/pair"><input type="hidden" name="token" value="{token}">'
    '<input type="hidden" name="to" value="{to}"><button>{press}</button></form>',
    presses=("Koppeln", "Pair"),
    script="document.forms[0].submit()",
)
"""For whoever comes with a code: the page itself asks to be let in; looking at a link uses nothing up."""

TOO_MANY = OwnPage(
    ("Zu viele falsche Codes", "Too many wrong codes"),
    ("Bitte eine Minute warten und dann neu scannen.", "Please wait a minute, then scan again."),
)
"""For whoever guesses."""

KEEPS_ROLE = OwnPage(
    ("Erst nach dem Spiel", "Not before the hand is over"),
    (
        "Wer mitspielt, behält bis dahin seine Rolle. Der Code gilt weiter: dann noch einmal scannen.",
        "Until then a player keeps the role. The code still holds: scan it again then.",
    ),
    pressed='<a href="/">{press}</a>',
    presses=("Zum Tisch", "To the table"),
)
"""For a player's device with a code for another role, while a hand is played that is hidden."""


def own_page(page: OwnPage, status: int, **values: str | None) -> Response:
    """Answer with one of these pages, `values` filled in; its policy lets in its own style and script."""
    nonce = secrets.token_urlsafe(12)
    body = page.html(_own_language())
    for name, value in {**values, "nonce": nonce}.items():
        body = body.replace(f"{{{name}}}", escape(value or "", quote=True))
    g.csp = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; img-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    response = Response(body, status, mimetype="text/html")
    response.headers["Referrer-Policy"] = "same-origin"  # with none, a form would come without its origin
    return response


def _own_language() -> int:
    """Return which language comes first: the one that the table's page will speak in this browser."""
    known = [language.lower() for language, _ in request.accept_languages]
    return 0 if not known or any(each.startswith("de") for each in known) else 1
