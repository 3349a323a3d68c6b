"""Card art for training: packs installed on this machine, cut into one picture a card.

    python -m companion.training.art --out art [--npm node_modules] [--png-packs FOLDER]

Reads the decks of Debian's `gnome-cards-data` and `kdegames-card-data-kf5` (drawn by
`rsvg-convert` of `librsvg2-bin`) and, where given, the card packages of the npm registry.
Nothing of it is kept in the repository; the licences stand in CREDITS.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.arguments import Parser
from companion.synth.pack import ArtError, rounded, with_alpha
from companion.training.fault import in_one_line
from companion.training.letters import FOLDER as LETTERS_FOLDER
from companion.training.letters import write_letters
from companion.training.run import make_folder

AISLERIOT = Path("/usr/share/aisleriot/cards")
CARDDECKS = Path("/usr/share/carddecks")
FRENCH_ROWS, FRENCH_COLUMNS = "CDHS", "A23456789TJQK"
GERMAN_ROWS, GERMAN_COLUMNS = "HDSC", "AKQJT98765432"
SHEETS = (
    "ancient_french",
    "anglo_modern",
    "anglo_modern_4_color",
    "anglo_poker",
    "atlasnye",
    "atlasnye_skat",
    "bellot",
    "berlin",
    "dondorf",
    "gnomangelo",
    "guyenne-classic",
    "lattmann",
    "neoclassical",
    "neoclassical_4_color",
    "orell",
    "ornamental",
    "plastic",
    "rheinland",
    "simplistic",
    "slavic_costumes",
    "swiss-xvii",
    "tango",
    "tarocco",
    "tigullio",
)
CARD_WIDTH = 260


def _rasterised(svg: Path, width: int) -> NDArray[np.uint8]:
    """Draw an SVG file, (H, W, 4) uint8.

    Raises:
        ArtError: No picture comes of it.
    """
    try:
        done = subprocess.run(
            ["rsvg-convert", "-w", str(width), str(svg)], check=False, capture_output=True, timeout=300
        )
    except subprocess.TimeoutExpired as error:
        raise ArtError(f"{svg}: rsvg-convert has not drawn it in {error.timeout:.0f} s") from error
    drawn = np.frombuffer(done.stdout, np.uint8)
    picture = cv2.imdecode(drawn, cv2.IMREAD_UNCHANGED) if not done.returncode and drawn.size else None
    if picture is None or picture.ndim != 3:
        why = done.stderr.decode(errors="replace").strip()
        raise ArtError(f"{svg}: drew no picture" + (f": {why}" if why else ""))
    if picture.shape[2] == 3:
        picture = with_alpha(picture, 255)
    return np.asarray(picture, np.uint8)


def _on_paper(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay a picture with an alpha channel on white paper and round its corners anew."""
    alpha = picture[..., 3:].astype(np.float32) / 255
    flat = picture[..., :3] * alpha + 255 * (1 - alpha)
    return rounded(flat.astype(np.uint8), 0.06)


def _cells(sheet: NDArray[np.uint8], rows: str, columns: str) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Cut a sheet of 13 by 5 cells; the last row holds jokers and backs."""
    height, width = sheet.shape[0] / 5, sheet.shape[1] / 13
    for r in range(5):
        for c in range(13):
            y0, y1, x0, x1 = (
                round(r * height),
                round((r + 1) * height),
                round(c * width),
                round((c + 1) * width),
            )
            cell = sheet[y0:y1, x0:x1]
            solid = cell[..., 3] > 40
            if solid.mean() < 0.3:
                continue
            ys, xs = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
            cell = cell[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1]
            if r < 4:
                name = columns[c] + rows[r]
            elif rows == GERMAN_ROWS or c >= 2:
                name = f"back{c}"
            else:
                name = f"joker{c}"
            yield name, _on_paper(np.ascontiguousarray(cell))


def _write(out: Path, name: str, source: Path, pictures: Iterator[tuple[str, NDArray[np.uint8]]]) -> None:
    """Write a pack.

    Raises:
        ArtError: A picture cannot be drawn or written, or there is no back among those of `source`.
    """
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for card, picture in pictures:
        height = round(picture.shape[0] * CARD_WIDTH / picture.shape[1])
        small = cv2.resize(picture, (CARD_WIDTH, height), interpolation=cv2.INTER_AREA)
        if not cv2.imwrite(str(folder / f"{card}.png"), small):
            raise ArtError(f"{folder / f'{card}.png'}: cannot be written")
        count += 1
    if not list(folder.glob("back*.png")):
        raise ArtError(f"{source}: {count} pictures of cards and no back")
    print(f"{name}: {count} pictures", file=sys.stderr)


def _one_file_a_card(folder: Path, suffix: str) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Packages with one file a card under the naming schemes in use."""
    ranks = {"1": "A", "a": "A", "ace": "A", "10": "T", "t": "T", "11": "J", "j": "J", "jack": "J"}
    ranks |= {"12": "Q", "q": "Q", "queen": "Q", "13": "K", "k": "K", "king": "K"}
    for path in sorted(folder.glob(f"*{suffix}")):
        stem = path.stem.lower()
        if "_of_" in stem:
            rank, suit = stem.split("_of_")
            if rank in ("jack", "queen", "king") and not suit.endswith("2"):
                continue  # the drawn courts are the files that end in 2
            suit = suit.rstrip("2")
        elif "_" in stem:
            suit, rank = stem.split("_", 1)
        elif stem in ("back", "joker"):
            suit, rank = "", stem
        else:
            rank, suit = stem[:-1], stem[-1:]
        if stem in ("back", "joker") or stem.startswith("back"):
            name = stem.replace("-", "")
        elif suit[:1] in ("h", "d", "c", "s") and (rank in ranks or rank in list("23456789")):
            name = ranks.get(rank, rank) + suit[0].upper()
        else:
            continue
        if suffix == ".svg":
            picture = _rasterised(path, CARD_WIDTH)
        else:
            read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            if read is None or read.ndim != 3:
                continue
            if read.shape[2] == 3:
                read = with_alpha(read, 255)
            picture = np.asarray(read, np.uint8)
        yield name, _on_paper(picture)


@in_one_line("art")
def main(arguments: Sequence[str] | None = None) -> int:
    """Cut every pack that is installed."""
    parser = Parser(prog="python -m companion.training.art", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("art"))
    parser.add_argument("--npm", type=Path, help="a node_modules folder with the card packages")
    parser.add_argument("--png-packs", type=Path, nargs="*", default=[], help="folders with one PNG a card")
    args = parser.parse_args(arguments)
    for option, folders in (("--npm", [args.npm] if args.npm else []), ("--png-packs", args.png_packs)):
        for folder in folders:
            if not folder.is_dir():
                parser.error(f"argument {option}: {folder} is no folder")
    make_folder(parser, "--out", args.out)
    if shutil.which("rsvg-convert") is None:
        raise ArtError("rsvg-convert is missing: apt-get install librsvg2-bin")
    found = [name for name in SHEETS if (AISLERIOT / f"{name}.svgz").exists()]
    if not found:
        raise ArtError(f"{AISLERIOT}: no decks there: apt-get install gnome-cards-data")
    for name in found:
        drawn = AISLERIOT / f"{name}.svgz"
        sheet = _rasterised(drawn, 13 * CARD_WIDTH)
        _write(args.out, name, drawn, _cells(sheet, FRENCH_ROWS, FRENCH_COLUMNS))
    german = CARDDECKS / "svg-xskat-german" / "german.svgz"
    if german.exists():
        _write(
            args.out,
            "xskat-german",
            german,
            _cells(_rasterised(german, 13 * CARD_WIDTH), GERMAN_ROWS, GERMAN_COLUMNS),
        )
    if args.npm:
        heruka = args.npm / "@heruka_urgyen/react-playing-cards/src/images"
        for variant in ("2color", "2color-bf", "4color", "4color-bf"):
            if (heruka / variant).exists():
                shutil.copy(heruka / "back.svg", heruka / variant / "back.svg")
                folder = heruka / variant
                _write(args.out, f"heruka-{variant}", folder, _one_file_a_card(folder, ".svg"))
        for name, folder, suffix in (
            ("younestouati", args.npm / "@younestouati/playing-cards-standard-deck/cards", ".svg"),
            ("svg-cards", args.npm / "svg-cards/png/2x", ".png"),
        ):
            if folder.exists():
                _write(args.out, name, folder, _one_file_a_card(folder, suffix))
    for folder in args.png_packs:
        _write(args.out, folder.parent.name, folder, _one_file_a_card(folder, ".png"))
    typefaces = write_letters(args.out / LETTERS_FOLDER)
    print(f"{LETTERS_FOLDER}: {typefaces} typefaces", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
