"""The pages that a phone sees before it is paired: whole in themselves, in two languages.

`{nonce}` is replaced for every answer; the content policy lets in that one style only.
"""

from __future__ import annotations

__all__ = ["LET_IN", "NOT_PAIRED", "WRONG_TOKEN"]

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #10241c; color: #f2efe6;
  font: 1.15rem/1.5 system-ui, sans-serif; }
main { max-width: 24rem; padding: 2rem 1.5rem; text-align: center; }
h1 { font-size: 1.5rem; margin: 0 0 .75rem; }
p { margin: .5rem 0; }
[lang=en] { color: #b9c9bf; font-size: 1rem; }
a { display: inline-block; margin-top: 1.25rem; padding: .8rem 1.5rem; border-radius: .8rem;
  background: #e8b94a; color: #1c1405; font-weight: 600; text-decoration: none; }
"""


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="de"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{head}'
        f'<link rel="icon" href="data:,"><style nonce="{{nonce}}">{_STYLE}</style></head>'
        f"<body><main>{body}</main></body></html>"
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
    "<p>Scanne den QR-Code noch einmal, den der Rechner am Tisch jetzt anzeigt.</p>"
    '<p lang="en">This code is not valid. Scan the QR code that the computer at the table shows now.</p>',
)
"""For whoever comes with a token that is not ours."""

LET_IN = _page(
    "Schnapsen – gekoppelt",
    '<h1>Gekoppelt</h1><p>Gleich geht es los.</p><p lang="en">Paired.</p>'
    '<a href="/">Zum Tisch · To the table</a>',
    head='<meta http-equiv="refresh" content="0;url=/">',
)
"""After pairing. The page itself leads on, so that the strict cookie goes along."""
