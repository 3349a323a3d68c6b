"""The command `companion`, also as `python -m companion`."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command; ended while it is still being loaded it says as little as later."""
    try:
        from companion.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
