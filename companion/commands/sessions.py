"""List the sittings that were kept, or delete them.

A sitting is kept only where `serve` or `watch` was started with --keep (or COMPANION_KEEP is set). It is
one file that never leaves this machine by itself: pictures of the table, what was read in them, what was
pressed, what was written down. `companion watch FILE` plays one again.
"""

from __future__ import annotations

import argparse
import sys

from companion.bundle.consent import shelf
from companion.commands.fault import Fault
from companion.commands.records import add_data, told_folder
from companion.commands.terminal import print_json
from companion.config import data_folder

NAME = "sessions"
HELP = "the sittings that were kept: list, delete"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a sitting")
    parser.add_argument(
        "--delete", nargs="+", metavar="NAME", help="delete these sittings; `all` for every one"
    )
    add_data(parser)
    parser.add_argument("--folder", type=told_folder, metavar="DIR", help="where they lie (default: there)")


def run(options: argparse.Namespace) -> int:
    """List, or delete."""
    from companion.bundle.archive import is_being_written
    from companion.bundle.shelf import delete, is_ours, kept

    folder = options.folder or shelf(options.data or data_folder())
    found = kept(folder)
    if options.delete:
        ours = [each.path.name for each in found if is_ours(each.path)]
        busy = [name for name in ours if is_being_written(folder / name)]
        if options.delete == ["all"]:
            names = [name for name in ours if name not in busy]
            for name in busy:
                print(f"companion: {folder / name}: is being written; it stays", file=sys.stderr)
        else:
            names = options.delete
        if unknown := sorted(set(names) - {each.path.name for each in found}):
            raise Fault(f"{folder / unknown[0]}: no such sitting; nothing was deleted")
        if foreign := sorted(set(names) - set(ours)):
            raise Fault(f"{folder / foreign[0]}: not a bundle; nothing was deleted")
        if written := sorted(set(names) & set(busy)):
            raise Fault(f"{folder / written[0]}: is being written; nothing was deleted")
        for name in dict.fromkeys(names):
            path = delete(folder, name)
            if options.json:
                print_json({"name": name, "deleted": True})
            else:
                print(f"deleted {path}")
        return 0
    for each in found:
        if options.json:
            print_json(each.to_json())
        else:
            print(f"{each.path.name}  {each.size / 1e6:8.1f} MB  {each.fault or each.source}")
    if not found and not options.json:
        print(f"nothing is kept in {folder}")
    return 0
