"""A reading as JSON and back, without the loss of a bit.

Numbers of 32 bits are written with the fewest digits that give them back exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Button, Detection, Motion, Reading

__all__ = ["FormError", "reading_from_json", "reading_to_json"]

_MOST_CELLS = 1 << 16


class FormError(ValueError):
    """A JSON object that is no reading."""


def reading_to_json(reading: Reading, before: Reading | None = None) -> dict[str, Any]:
    """Return a reading as a JSON object.

    Args:
        reading: Any.
        before: The reading before it; cards that are the very same are not written again.
    """
    motion = reading.motion
    line: dict[str, Any] = {"t": reading.time, "size": list(reading.size)}
    if not reading.fresh:
        line["fresh"] = False
    if reading.blind:
        line["blind"] = True
    if reading.to_table is not None:
        line["to_table"] = [[float(each) for each in row] for row in reading.to_table]
    line["arms"] = [float(motion.south), float(motion.north)]
    if motion.beside:
        line["beside"] = float(motion.beside)
    line["cells"] = list(motion.moved.shape)
    if motion.moved.any():
        line["moved"] = np.packbits(motion.moved).tobytes().hex()
    if motion.seen is not None:
        line["seen"] = np.packbits(motion.seen).tobytes().hex()
    if before is None or reading.detections is not before.detections:
        line["cards"] = [
            {
                "corners": [_exact(corner) for corner in each.corners],
                "probs": _exact(each.probs),
                "score": float(each.score),
                "t": each.time,
            }
            for each in reading.detections
        ]
    if reading.least:
        line["least"] = reading.least
    if reading.buttons:
        line["buttons"] = [[each.x, each.y, each.size, each.twenty, each.forty] for each in reading.buttons]
    return line


def reading_from_json(line: dict[str, Any], before: Reading | None = None) -> Reading:
    """Read a reading back.

    Args:
        line: As `reading_to_json` gave it.
        before: The reading before it.

    Raises:
        FormError: Not a reading.
    """
    try:
        cells = (int(line["cells"][0]), int(line["cells"][1]))
        if min(cells) < 0 or cells[0] * cells[1] > _MOST_CELLS:
            raise FormError(f"cells: {cells}")
        moved = _grid(line["moved"], cells) if "moved" in line else np.zeros(cells, bool)
        seen = _grid(line["seen"], cells) if "seen" in line else None
        place = line.get("to_table")
        if "cards" in line:
            cards = tuple(_detection(each) for each in line["cards"])
        else:
            cards = before.detections if before is not None else ()
        south, north = line["arms"]
        width, height = line["size"]
        return Reading(
            float(line["t"]),
            (int(width), int(height)),
            cards,
            Motion(moved, float(south), float(north), seen, float(line.get("beside", 0.0))),
            bool(line.get("fresh", True)),
            bool(line.get("blind", False)),
            None if place is None else np.array(place, np.float64).reshape(3, 3),
            tuple(_button(each) for each in line.get("buttons", ())),
            float(line.get("least", 0.0)),
        )
    except FormError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise FormError(f"not a reading: {type(error).__name__}: {error}") from error


def _button(numbers: list[Any]) -> Button:
    x, y, size, twenty, forty = (float(each) for each in numbers)
    return Button(x, y, size, twenty, forty)


def _grid(text: str, cells: tuple[int, int]) -> NDArray[np.bool_]:
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8), count=cells[0] * cells[1])
    return bits.astype(bool).reshape(cells)


def _detection(card: dict[str, Any]) -> Detection:
    return Detection(
        np.array(card["corners"], np.float32),
        np.array(card["probs"], np.float32),
        float(card["score"]),
        float(card["t"]),
    )


def _exact(numbers: NDArray[np.float32]) -> list[float]:
    return [float(str(number)) for number in numbers.astype(np.float32)]
