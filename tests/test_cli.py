"""The command line: help, one clear line for each fault, JSON Lines and nothing else."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from patience import until

from companion.cli import COMMANDS, main
from companion.commands import replay
from companion.config import asset
from companion.store.album import Album
from companion.store.log import EventLog, LogFullError
from tests.vision.test_picture import huge_png

ROOT = Path(__file__).resolve().parent.parent
RECORD = {
    "rules": {"preset": "schnapsen"},
    "dealer": 0,
    "turned_up": "QH",
    "events": [
        {"type": "play", "player": 1, "card": "AS"},
        {"type": "play", "player": 0, "card": "JS"},
    ],
}
IMPOSSIBLE = {**RECORD, "events": [RECORD["events"][0], {"type": "play", "player": 0, "card": "AS"}]}


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, list[str], list[str]]:
    """Exit status and the lines on stdout and stderr of one run."""
    try:
        status = main([str(each) for each in arguments])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capsys.readouterr()
    return status, printed.out.splitlines(), printed.err.splitlines()


def lines_file(folder: Path, *lines: object) -> Path:
    """A file of JSON Lines; texts are written as they are."""
    path = folder / "hands.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("name", [module.NAME for module in COMMANDS])
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """`--help` ends well and names every option's meaning."""
    status, out, err = said(capsys, name, "--help")

    assert status == 0
    assert out[0].startswith(f"usage: companion {name}")
    assert not err


@pytest.mark.parametrize("name", [module.NAME for module in COMMANDS])
def test_every_command_and_option_is_documented(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """The README lists the command, and docs/commands.md has a section that names each of its options."""
    _, out, _ = said(capsys, name, "--help")
    options = set(re.findall(r"--[a-z]+", "\n".join(out))) - {"--help"}
    sections = (ROOT / "docs" / "commands.md").read_text().split("\n## ")
    common = sections[0]
    section = next((each for each in sections if each.startswith(f"companion {name}\n")), "")

    assert f"`companion {name}`" in (ROOT / "README.md").read_text()
    assert section
    assert {option for option in options if option not in section + common} == set()


DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))


def commands_in(document: str) -> set[str]:
    """What stands after the program's name in code, in a block or a line, or as the title of a section."""
    parts = re.split(r"^```.*$", document, flags=re.MULTILINE)
    text = "\n".join(parts[::2])
    code = [
        *parts[1::2],
        *re.findall(r"`[^`]+`", text),
        *re.findall(r"^#+ (companion .*)$", text, re.MULTILINE),
    ]
    return {name for each in code for name in re.findall(r"(?<![\w.-])companion ([a-z]+)", each)}


def test_no_command_is_announced_that_does_not_exist() -> None:
    """Whatever the documents call a command of `companion` is one, and together they name them all."""
    written = {path: commands_in(path.read_text()) for path in DOCUMENTS}
    names = {module.NAME for module in COMMANDS}
    assert {path: said - names for path, said in written.items() if said - names} == {}
    assert set().union(*written.values()) == names


@pytest.mark.parametrize(
    "form",
    ["## companion stats\n", "run `companion stats DIR`", "```sh\n.venv/bin/python -m companion stats\n```"],
)
def test_a_command_is_found_in_every_form_in_which_documents_name_one(form: str) -> None:
    """A title, code in a line, a line of a block; what is said of the companion in prose names none."""
    assert commands_in(f"Text.\n\n{form}\n\nThe companion reads `companion/cli.py`.\n") == {"stats"}


def test_an_unknown_command_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped command ends with status 2 and one line that says where help is."""
    status, out, err = said(capsys, "wach", "table.mp4")

    assert (status, out, len(err)) == (2, [], 1)
    assert "wach" in err[0]
    assert "--help" in err[0]


@pytest.mark.parametrize("command", ["serve", "watch SOURCE", "history", "sessions", "doctor", "deck list"])
@pytest.mark.parametrize("below", ["", "more/records"])
def test_a_file_in_the_place_of_the_records_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, below: str
) -> None:
    """Every command says that a folder is expected, and does nothing."""
    file = tmp_path / "file"
    file.write_text("no folder")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--data", str(file / below)])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"argument --data: {file} is a file, expected a folder" in told


@pytest.mark.parametrize("command", ["serve", "watch SOURCE", "history"])
def test_an_empty_text_is_no_folder_of_records(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """As where a variable that should name it is empty: they would go where one happens to be."""
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--data", ""])
    assert ended.value.code == 2
    assert "argument --data: '' names no folder" in capsys.readouterr().err


def test_a_user_without_a_home_is_told_what_to_set(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command looks for the records there; a name that is misspelt is repeated."""
    monkeypatch.setenv("COMPANION_DATA", "~nobody-at-all/records")
    assert main(["deck", "list"]) == 2
    told = capsys.readouterr().err
    assert "COMPANION_DATA=~nobody-at-all/records: there is no such home folder" in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("code", [errno.EACCES, errno.ENAMETOOLONG])
def test_a_folder_of_records_that_cannot_be_looked_at_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """It lies where one may not look, or its name is one that no disk takes."""
    looked, unseen = Path.exists, tmp_path / "unseen"

    def exists(path: Path, **given: bool) -> bool:
        if path == unseen:
            raise OSError(code, os.strerror(code), str(path))
        return looked(path, **given)

    monkeypatch.setattr(Path, "exists", exists)
    with pytest.raises(SystemExit) as ended:
        main(["deck", "list", "--data", str(unseen)])
    assert ended.value.code == 2
    assert f"argument --data: {unseen}: {os.strerror(code)}" in capsys.readouterr().err


def test_replay_judges_each_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One JSON line a record; what cannot have happened is reported by number, and the rest is done."""
    path = lines_file(tmp_path, RECORD, IMPOSSIBLE, "{broken", RECORD)

    status, out, err = said(capsys, "replay", path, "--json")

    answers = [json.loads(line) for line in out]
    assert status == 0
    assert not err
    assert [answer["index"] for answer in answers] == [0, 1, 2, 3]
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert "AS" in answers[1]["error"]
    assert answers[0]["reason"] == "unfinished"
    assert answers[0]["card_points"] == [0, 13]


def test_replay_reads_a_record_over_several_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A record that somebody has laid out for reading is read as one."""
    path = tmp_path / "one.json"
    path.write_text(json.dumps(RECORD, indent=2) + "\n")

    status, out, _ = said(capsys, "replay", path, "--json")

    assert status == 0
    assert [json.loads(line)["card_points"] for line in out] == [[0, 13]]


def test_replay_counts_over_all_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The index goes on from file to file, so that each record has its own."""
    first = lines_file(tmp_path, RECORD)

    _, out, _ = said(capsys, "replay", first, first, "--json")

    assert [json.loads(line)["index"] for line in out] == [0, 1]


def test_replay_says_what_was_allowed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With full information, `--legal` lists what was allowed before each event, the event among it."""
    full = {
        **RECORD,
        "hands": [["JS", "TH", "QC", "KD", "JD"], ["AS", "KH", "TC", "QD", "JC"]],
        "stock": ["TS", "KS", "QS", "AC", "KC", "AD", "TD", "AH", "JH", "QH"],
    }

    _, out, _ = said(capsys, "replay", lines_file(tmp_path, full, RECORD), "--json", "--legal")

    with_all, without = (json.loads(line) for line in out)
    assert len(with_all["legal"]) == 2
    assert all(event in allowed for event, allowed in zip(RECORD["events"], with_all["legal"], strict=True))
    assert {"type": "play", "player": 0, "card": "AS"} not in with_all["legal"][1]
    assert "legal" not in without


def test_replay_speaks_to_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without `--json`, a sentence a record."""
    _, out, _ = said(capsys, "replay", lines_file(tmp_path, RECORD, IMPOSSIBLE))

    assert out[0] == "1: nobody scores (unfinished), card points south 0, north 13"
    assert out[1].startswith("2: cannot be played: ")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        (b"", "no record"),
        (b"\0\1\2\3" * 50, "no text"),
        (b"diary\n", "none of its records"),
    ],
)
def test_replay_names_a_file_it_cannot_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None, words: str
) -> None:
    """Missing, empty, binary, or nothing but nonsense: status 2 and one line."""
    path = tmp_path / "hands.jsonl"
    if content is not None:
        path.write_bytes(content)

    status, _, err = said(capsys, "replay", path, "--json")

    assert status == 2
    assert len(err) == 1
    assert str(path) in err[0]
    assert words in err[0]


@pytest.mark.parametrize("command", ["replay", "review", "solve"])
def test_a_folder_in_the_place_of_a_file_is_named_as_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    """What it is and what was expected, not what the operating system calls it."""
    status, _, err = said(capsys, command, tmp_path)

    assert (status, err) == (2, [f"companion: {tmp_path}: is a folder, expected a file"])


@pytest.mark.parametrize("option", ["--data", "--keep"])
def test_a_folder_that_cannot_be_made_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str
) -> None:
    """Where nothing can be written, nothing is watched; one line says which place it was."""
    place = Path("/proc/records")
    status, _, (line,) = said(capsys, "watch", asset("demo") / "table.mp4", option, place)

    assert status == 2
    assert line.startswith(f"companion: {place}")
    assert "cannot be made" in line


def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    """Nobody waits for ever for what nobody writes into it: one line names it."""
    pipe = tmp_path / "pipe.mp4"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "companion", "watch", str(pipe)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert ended.returncode == 2
    assert ended.stderr == f"companion: {pipe}: neither a file nor a folder\n"


@pytest.mark.parametrize("command", ["watch", "recognize"])
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.mp4", None, "no such file"),
        ("text.mp4", b"dear diary\n" * 9, ("holds text", "not a picture")),
        ("none.jpg", b"", "0 bytes"),
        ("huge.png", "huge", "100 megapixels; the limit is 80"),
        ("folder", "empty", "holds no picture"),
    ],
)
def test_an_unfit_source_gets_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    name: str,
    content: bytes | str | None,
    words: str | tuple[str, ...],
) -> None:
    """Missing, text, empty, too large, an empty folder: status 2, and one line with file and fault."""
    path = tmp_path / name
    if content == "empty":
        path.mkdir()
    elif content == "huge":
        path.write_bytes(huge_png(10_000, 10_000))
    elif isinstance(content, bytes):
        path.write_bytes(content)

    status, _, err = said(capsys, command, path, "--json")

    assert status == 2
    assert len(err) == 1
    assert str(path) in err[0]
    assert any(word in err[0] for word in ((words,) if isinstance(words, str) else words))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"t": 1, "type": "claim", "player": 2}', "player"),
        ('{"t": 1, "type": "cheat", "player": 1}', "claim, close, marriage, knock or revoke"),
        ("{", "not JSON"),
    ],
)
def test_a_bad_tap_is_named_by_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, words: str
) -> None:
    """A tap that is none ends the run before it begins, with file and line."""
    taps = tmp_path / "taps.jsonl"
    taps.write_text('{"t": 0.5, "type": "claim", "player": 1}\n' + line + "\n")

    status, out, err = said(capsys, "watch", tmp_path / "any.mp4", "--taps", taps, "--json")

    assert (status, out, len(err)) == (2, [], 1)
    assert f"{taps}, line 2" in err[0]
    assert words in err[0]


def test_unknown_rules_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Rules that do not exist are refused with those that do."""
    status, _, err = said(capsys, "watch", "any.mp4", "--rules", "mau-mau")

    assert status == 2
    assert "mau-mau" in err[0]
    assert "schnapsen" in err[0]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # cheroot drops its socket
def test_a_taken_port_gets_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A server that cannot listen says so and ends."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, _, err = said(capsys, "serve", "--host", "127.0.0.1", "--port", str(port), "--data", tmp_path)

    assert status == 2
    assert len(err) == 1
    assert str(port) in err[0]


def test_a_table_that_another_process_serves_is_found_before_a_sitting_is_begun(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whoever starts `serve --keep` a second time gets one line, and no empty sitting is left behind."""
    with EventLog(tmp_path / "table.sqlite"):
        status, _, err = said(
            capsys, "serve", "--host", "127.0.0.1", "--port", "0", "--data", tmp_path, "--keep"
        )

    assert status == 2
    assert len(err) == 1
    assert "table.sqlite: another companion keeps this log open" in err[0]
    assert not (tmp_path / "sessions").exists()


def test_a_fault_of_the_program_is_one_line_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Something nobody thought of ends with status 1 and one line; the trace comes when asked for."""

    def broken(*_: object) -> dict[str, object]:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(replay, "replay_json", broken)
    path = lines_file(tmp_path, RECORD)
    monkeypatch.delenv("COMPANION_DEBUG", raising=False)
    status, _, err = said(capsys, "replay", path)

    assert (status, len(err)) == (1, 1)
    assert "ZeroDivisionError: a bug" in err[0]
    monkeypatch.setenv("COMPANION_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["replay", str(path)])


def test_a_reader_that_has_enough_ends_the_command_quietly(tmp_path: Path) -> None:
    """`companion replay ... | head -1` leaves no trace of its own."""
    path = lines_file(tmp_path, *[RECORD] * 3000)
    command = [sys.executable, "-m", "companion", "replay", "--json", str(path)]

    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        err = run.stderr.read()
        status = run.wait()

    assert status == 0
    assert err == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("form", [["--json"], []])
def test_an_output_that_takes_nothing_is_named(tmp_path: Path, form: list[str], buffered: bool) -> None:
    """Stdout on a full disk: one line that names it, status 2, whether or not stdout is buffered."""
    command = [sys.executable, "-m", "companion", "replay", *form, str(lines_file(tmp_path, RECORD))]
    with open("/dev/full", "w") as full:
        environment = {**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert done.returncode == 2
    assert done.stderr == "companion: stdout: No space left on device\n"


def test_where_stdout_is_closed_the_work_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service may be started so: what would be printed goes nowhere."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["replay", "--json", str(lines_file(tmp_path, RECORD))]) == 0


def test_where_stderr_is_closed_nothing_else_comes_out_with_the_answers(tmp_path: Path) -> None:
    """How far it is, and what went wrong, goes nowhere; the answers are all that is printed."""
    command = [sys.executable, "-m", "companion", "replay", "--json", str(lines_file(tmp_path, RECORD))]
    shell = f"{shlex.join(command)} 2>&-"
    done = subprocess.run(shell, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert [json.loads(line)["index"] for line in done.stdout.splitlines()] == [0]


def test_where_stdin_is_closed_as_well_a_picture_is_read(tmp_path: Path) -> None:
    """What the libraries say goes nowhere, as ever, and into no file that is opened then."""
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), np.zeros((64, 64, 3), np.uint8))
    command = [sys.executable, "-m", "companion", "recognize", "--json", str(picture)]
    shell = f"{shlex.join(command)} <&- 2>&-"
    done = subprocess.run(shell, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert [json.loads(line)["image"] for line in done.stdout.splitlines()] == [str(picture)]


@pytest.mark.parametrize("command", ["replay", "review"])
def test_records_come_through_a_pipe(tmp_path: Path, command: str) -> None:
    """In it one cannot go back."""
    with lines_file(tmp_path, RECORD, RECORD).open("rb") as file:
        done = subprocess.run(
            f"cat | {shlex.quote(sys.executable)} -m companion {command} /dev/stdin --json",
            shell=True,
            cwd=ROOT,
            stdin=file,
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stderr
    assert len({json.loads(line)["index"] for line in done.stdout.splitlines()}) == 2


def is_caught(ending: signal.Signals, process: int) -> bool:
    """Whether a process does something of its own on a signal, as the system tells."""
    told = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return bool(int(re.findall(r"SigCgt:\s*([0-9a-f]+)", told)[0], 16) >> (ending - 1) & 1)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nothing tells what a process has caught")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_whoever_ends_watch_gets_the_summary(tmp_path: Path, ending: signal.Signals) -> None:
    """Also by the signal with which services are stopped; status and stderr tell that the end is missing."""
    picture = np.zeros((360, 640, 3), np.uint8)
    for number in range(400):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), picture)
    data = tmp_path / "data"
    command = [sys.executable, "-m", "companion", "watch", str(tmp_path), "--json", "--data", str(data)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # whoever runs the tests in the background made their children deaf to Ctrl-C
    hears = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes, **hears) as watch:
        until(lambda: is_caught(signal.SIGTERM, watch.pid))  # Ctrl-C is caught long before
        watch.send_signal(ending)
        out, err = watch.communicate(timeout=60)

    assert watch.returncode == 130
    assert re.search(r"stopped after \d+ of 400 frames", err)
    assert json.loads(out.splitlines()[-1])["type"] == "summary"
    assert not list(data.glob("*-wal"))


def test_a_log_that_watch_begins_has_no_pictures_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody deleted the log: its pictures would stand beside what is written at those times now."""
    film, data = tmp_path / "film", tmp_path / "data"
    film.mkdir()
    cv2.imwrite(str(film / "1.png"), np.zeros((360, 640, 3), np.uint8))
    watch = ["watch", str(film), "--json", "--data", str(data)]
    assert main(watch) == 0
    with Album(data / "stills.sqlite", spare_bytes=0) as album:
        album.keep(1.0, b"picture", {})
    assert main(watch) == 0
    with Album(data / "stills.sqlite") as album:
        assert album.has(1.0)
    (data / "table.sqlite").unlink()
    assert main(watch) == 0
    with Album(data / "stills.sqlite") as album:
        assert not album.has(1.0)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
@pytest.mark.parametrize("command", [["history"], ["deck", "list"], ["sessions"]])
def test_a_folder_that_may_not_be_read_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    """It is the user's, not a fault of the program."""
    closed = tmp_path / "closed"
    (closed / "in").mkdir(parents=True)
    closed.chmod(0)
    try:
        status, out, (line,) = said(capsys, *command, "--data", closed / "in")
    finally:
        closed.chmod(0o700)

    assert (status, out) == (2, [])
    assert str(closed) in line
    assert "Permission denied" in line


def test_a_file_is_no_folder_of_sittings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """That nothing is kept there would not be true."""
    path = tmp_path / "file"
    path.write_text("no folder")

    status, _, (line,) = said(capsys, "sessions", "--folder", path)

    assert status == 2
    assert str(path) in line


def test_a_full_log_ends_watch_with_what_was_told_summed_up(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault is named, and the summary comes before it as after a damaged video."""

    def full(watcher: object) -> None:
        raise LogFullError("no room left")

    monkeypatch.setattr("companion.watch.watcher.Watcher.finish", full)
    cv2.imwrite(str(tmp_path / "0.png"), np.zeros((360, 640, 3), np.uint8))
    status, out, err = said(capsys, "watch", tmp_path, "--json")

    assert (status, err) == (2, ["companion: no room left"])
    assert json.loads(out[-1])["type"] == "summary"


def test_a_terminal_that_has_no_umlauts_gets_the_rest(tmp_path: Path) -> None:
    """In an ASCII locale a sentence about a damaged card is escaped, and the next record is played."""
    path = tmp_path / "hands.jsonl"
    damaged = json.dumps({**RECORD, "turned_up": "K\N{REPLACEMENT CHARACTER}"}, ensure_ascii=False)
    path.write_text(f"{damaged}\n{json.dumps(RECORD)}\n", encoding="utf-8")
    command = [sys.executable, "-m", "companion", "replay", str(path)]
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **plain}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0
    assert "'K\\ufffd' is not a card" in done.stdout
    assert len(done.stdout.splitlines()) == 2


def test_a_command_that_is_ended_while_it_is_loaded_says_nothing() -> None:
    """Ctrl-C in the first moment ends it as later: status 130, and no traceback."""
    program = """
import sys

class Ending:
    def find_spec(self, name, *_):
        if name == "companion.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Ending())
from companion.__main__ import main
sys.exit(main())
"""
    done = _run_program(program)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_help_loads_nothing_heavy() -> None:
    """Help comes at once: neither OpenCV, nor the networks' run time, nor Flask is loaded for it."""
    program = (
        "import sys; from companion.cli import build_parser; build_parser().format_help();"
        "print(*[name for name in ('cv2', 'onnxruntime', 'flask', 'torch') if name in sys.modules])"
    )
    done = _run_program(program)

    assert (done.returncode, done.stdout.strip()) == (0, "")


def _run_program(program: str) -> subprocess.CompletedProcess[str]:
    """Run a few lines of Python that import the package, in a process of their own."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
