"""A table and its server in a process of their own, which can be stopped, killed and started again.

    python tests/served_house.py FOLDER PORT SECONDS

SECONDS: after which a device that takes nothing is hung up on; left to itself the server waits for ten.

Reads lines of JSON from standard input: a number lets the camera see until then, a role of `Role` asks
for a link that lets in one more device. Answers each with one line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent


class ServedHouse:
    """The process, from outside; its camera sees one hand after another, each ten seconds after the last."""

    def __init__(self, folder: Path, port: int, patience_s: float) -> None:
        self.folder, self.port, self.patience_s = folder, port, patience_s
        self.start()

    def start(self) -> None:
        """Start it, and return when it is listening."""
        path = os.pathsep.join([str(TESTS.parent), str(TESTS)])
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(self.folder), str(self.port), str(self.patience_s)],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._heard()

    def see(self, until: float) -> None:
        """Let the camera see the script until `until`."""
        self._ask(until)

    def link(self, role: str, **_: object) -> str:
        """A link that lets in one more device."""
        return str(self._ask(role))

    def kill(self) -> None:
        """Kill it at once."""
        self._process.kill()
        self._process.communicate()

    def sleep(self) -> None:
        """Stop it, as a laptop does whose lid is closed."""
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def _ask(self, what: object) -> Any:
        if self._process.stdin is None:
            raise LookupError("the process takes no words")
        print(json.dumps(what), file=self._process.stdin, flush=True)
        return self._heard()

    def _heard(self) -> Any:
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if not line:
            raise LookupError(f"the server has ended: {self._process.wait()}")
        return json.loads(line)


def main(folder: Path, port: int, patience_s: float) -> None:
    """Serve until standard input ends."""
    from browsing import House
    from scripted_table import HAND, timed

    from companion.live.snapshot import Role
    from companion.server import serving

    serving._SEND_TIMEOUT_S = patience_s
    script = [each for hand in range(12) for each in timed(HAND, start=1.0 + hand * len(HAND))]
    house = House(folder, script, port=port)
    print(json.dumps("open"), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if isinstance(asked, str):
            print(json.dumps(house.link(Role(asked))), flush=True)
        else:
            house.see(asked)
            print(json.dumps("seen"), flush=True)
    house.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
