"""The routes of what many hands come to, and of handing hands on.

`GET /api/history/figures`: what players may want to know of the open hands; with `judge` those that nobody
has judged yet are worked out, a few for each time it is asked. `GET /api/history/hands.jsonl`, `.hand` and
`.csv`: the hands themselves. All take `find`, `kind`, `since` and `until`. `GET /api/history/N.html`: hand N
as a page for itself, in the language `lang`.
"""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from companion.history.export import EXPORTS
from companion.history.figures import people_of
from companion.history.sheet import sheet_of
from companion.rules.hand import ImpossibleEvent
from companion.server.answer import answer, refusal
from companion.server.open_hands import OpenHands
from companion.server.review import Reviews, Stills

__all__ = ["history_routes"]

AT_ONCE = 3
"""Hands that are handed over to be judged each time somebody asks for it."""
_SHEET_CSP = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)


def history_routes(hands: OpenHands, reviews: Reviews, pictures: Stills | None = None) -> Blueprint:
    """Build the routes around the hands of a log."""
    routes = Blueprint("history", __name__, url_prefix="/api/history")

    @routes.get("/figures")
    def figures() -> Response:
        played = hands.wanted()
        judged = {hand.number: reviews.decisions(hand.analysed) for hand in played}
        left = [
            hand
            for hand in reversed(played)
            if judged[hand.number] is None
            and hand.fold.state.award is not None
            and not reviews.failed(hand.analysed)
        ]
        for hand in left[:AT_ONCE] if "judge" in request.args else ():
            reviews.analysis(hand.analysed)
        people = people_of(played, lambda hand: judged[hand.number])
        return answer(
            {"people": [each.to_json() for each in people], "hands": len(played), "left": len(left)}
        )

    @routes.get("/hands.<ending>")
    def export(ending: str) -> Response:
        if ending not in EXPORTS:
            return refusal(404, f"hands are written as {', '.join(EXPORTS)}")
        written, media = EXPORTS[ending]
        response = Response(written(hands.wanted()), mimetype=media)
        response.headers["Content-Disposition"] = f'attachment; filename="schnapsen.{ending}"'
        return response

    @routes.get("/<int:number>.html")
    def sheet(number: int) -> Response:
        hand = hands.find(number)
        if isinstance(hand, Response):
            return hand
        review = reviews.analysis(hand.analysed)["review"]
        picture = (lambda time: None) if pictures is None else pictures.picture
        try:
            page = sheet_of(hand, request.args.get("lang", ""), review=review, picture=picture)
        except ImpossibleEvent as error:
            return refusal(409, f"this hand cannot be told: {error}")
        g.csp = _SHEET_CSP
        response = Response(page, mimetype="text/html")
        if "save" in request.args:
            response.headers["Content-Disposition"] = f'attachment; filename="schnapsen-{number}.html"'
        return response

    return routes
