"""The command `companion`, also as `python -m companion`."""

from __future__ import annotations

import sys

from companion.commands.signals import ends_with_its_command, no_more_signals

__all__ = ["main"]


def main() -> int:
    """Run the command; ended while it is still being loaded it says as little as later."""
    try:
        ends_with_its_command()
        from companion.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
    finally:
        no_more_signals()  # the interpreter takes a while to close, and one may come twice


if __name__ == "__main__":
    sys.exit(main())
