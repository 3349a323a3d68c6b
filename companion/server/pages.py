"""The pages that a phone sees before it is paired: whole in themselves, in two languages.

`{nonce}` is replaced for every answer; the content policy lets in that one style and script only.
"""

from __future__ import annotations

import secrets
from html import escape

from flask import Response, g

__all__ = ["ASK_IN", "KEEPS_ROLE", "NOT_PAIRED", "TOO_MANY", "WRONG_TOKEN", "own_page"]

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #10241c; color: #f2efe6;
  font: 1.15rem/1.5 system-ui, sans-serif; }
main { max-width: 24rem; padding: 2rem 1.5rem; text-align: center; }
h1 { font-size: 1.5rem; margin: 0 0 .75rem; }
p { margin: .5rem 0; }
[lang=en] { color: #b9c9bf; font-size: 1rem; }
a, button { display: inline-block; margin-top: 1.25rem; padding: .8rem 1.5rem; border-radius: .8rem;
  background: #e8b94a; color: #1c1405; font: inherit; font-weight: 600; text-decoration: none; border: 0; }
"""


def _page(title: str, body: str, script: str = "") -> str:
    return (
        f'<!doctype html><html lang="de"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><style nonce="{{nonce}}">{_STYLE}</style></head>'
        f"<body><main>{body}</main>"
        + (f'<script nonce="{{nonce}}">{script}</script>' if script else "")
        + "</body></html>"
    )


NOT_PAIRED = _page(
    "Schnapsen – nicht gekoppelt",
    "<h1>Dieses Gerät ist nicht gekoppelt</h1>"
    "<p>Scanne den QR-Code, den der Rechner am Tisch anzeigt.</p>"
    '<p lang="en">This device is not paired. Scan the QR code shown by the computer at the table.</p>',
)
"""For whoever comes without a device cookie."""

WRONG_TOKEN = _page(
    "Schnapsen – Code ungültig",
    "<h1>Dieser Code gilt nicht</h1>"
    "<p>Jeder Code lässt ein Gerät ein. Scanne den, der jetzt angezeigt wird.</p>"
    '<p lang="en">This code is not valid any more. Scan the QR code that is shown now.</p>'
    '<a href="{place}">Zum Tisch · To the table</a>',
    script='fetch("/api/me").then((me) => { if (me.ok) location.replace("{place}"); })',
)
"""For whoever comes with a code that was used, or never was; a device that is in already goes on."""

ASK_IN = _page(
    "Schnapsen – koppeln",
    "<h1>Dieses Gerät koppeln</h1>"
    '<form method="post" action="/pair"><input type="hidden" name="token" value="{token}">'
    '<input type="hidden" name="to" value="{to}">'
    "<button>Koppeln · Pair this device</button></form>",
    script="document.forms[0].submit()",
)
"""For whoever comes with a code: the page itself asks to be let in; looking at a link uses nothing up."""

TOO_MANY = _page(
    "Schnapsen – bitte warten",
    "<h1>Zu viele falsche Codes</h1><p>Bitte eine Minute warten und dann neu scannen.</p>"
    '<p lang="en">Too many wrong codes. Please wait a minute, then scan again.</p>',
)
"""For whoever guesses."""


KEEPS_ROLE = _page(
    "Schnapsen – erst nach dem Spiel",
    "<h1>Erst nach dem Spiel</h1>"
    "<p>Wer mitspielt, behält bis dahin seine Rolle. Der Code gilt weiter: dann noch einmal scannen.</p>"
    '<p lang="en">Until then a player keeps the role. The code still holds: scan it again then.</p>'
    '<a href="/">Zum Tisch · To the table</a>',
)
"""For a player's device with a code for another role, while a hand is played that is hidden."""


def own_page(body: str, status: int, **values: str | None) -> Response:
    """Answer with one of these pages, `values` filled in; its policy lets in its own style and script."""
    nonce = secrets.token_urlsafe(12)
    for name, value in {**values, "nonce": nonce}.items():
        body = body.replace(f"{{{name}}}", escape(value or "", quote=True))
    g.csp = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; img-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    response = Response(body, status, mimetype="text/html")
    response.headers["Referrer-Policy"] = "same-origin"  # with none, a form would come without its origin
    return response
