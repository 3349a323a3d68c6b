"""The file of a bundle: whole up to wherever it was cut off, and one clear line for what is no bundle."""

from __future__ import annotations

import io
import os
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import tracemalloc
from pathlib import Path

import pytest

from companion.bundle.archive import FORMAT, BundleReader, BundleWriter, is_bundle
from companion.bundle.fault import BundleError
from companion.store.album import SPARE_BYTES

ROOT = Path(__file__).resolve().parent.parent.parent


def written(path: Path, lines: int = 6) -> list[dict]:
    """Write a bundle of some lines, every other with a picture; return the lines."""
    bundle = BundleWriter(path, {"source": "camera 0"})
    made = []
    for number in range(lines):
        line: dict = {"is": "reading", "t": number / 8, "text": "Grüß Gott"}
        if number % 2:
            line["picture"] = bundle.picture(bytes([number]) * (700 + number))
        bundle.line(line, flush=True)
        made.append(line)
    bundle.close()
    return made


def test_lines_and_pictures_come_back_as_they_were(tmp_path: Path) -> None:
    """In their order, and each picture with the line that names it."""
    made = written(tmp_path / "a.tar")
    with BundleReader(tmp_path / "a.tar") as bundle:
        assert bundle.header["source"] == "camera 0"
        read = []
        for number, line in enumerate(bundle):
            read.append(line)
            if "picture" in line:
                assert bundle.picture(line["picture"]) == bytes([number]) * (700 + number)
        assert read == made
        assert bundle.closed
        assert bundle.fault == ""
        assert bundle.picture("pictures/999999.jpg") is None


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u2029"])
def test_a_text_may_hold_what_else_ends_a_line(tmp_path: Path, sign: str) -> None:
    """The name of the recording that was looked at may: it is one line all the same."""
    bundle = BundleWriter(tmp_path / "a.tar", {})
    bundle.line({"source": f"Tisch{sign}7.mp4"})
    bundle.close()
    with BundleReader(tmp_path / "a.tar") as read:
        assert [line["source"] for line in read] == [f"Tisch{sign}7.mp4"]
        assert read.fault == ""


def test_any_program_for_archives_opens_it(tmp_path: Path) -> None:
    """It is a plain tar file."""
    written(tmp_path / "a.tar")
    with tarfile.open(tmp_path / "a.tar") as archive:
        names = archive.getnames()
    assert names[0] == "bundle.json"
    assert sum(name.endswith(".jpg") for name in names) == 3


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    """It shows somebody's living room."""
    written(tmp_path / "a.tar")
    assert stat.S_IMODE((tmp_path / "a.tar").stat().st_mode) == 0o600


def test_wherever_it_is_cut_off_what_stands_before_is_read(tmp_path: Path) -> None:
    """Never a wrong line, never a trace: a prefix of the lines, and a word about the rest."""
    made = written(tmp_path / "a.tar")
    data = (tmp_path / "a.tar").read_bytes()
    part = tmp_path / "b.tar"
    with tarfile.open(tmp_path / "a.tar") as archive:
        beginning = archive.getmembers()[0].size + tarfile.BLOCKSIZE
    lengths = set()
    for size in range(0, len(data), 97):
        part.write_bytes(data[:size])
        if size < beginning:
            with pytest.raises(BundleError, match=r"b\.tar: not a bundle"):
                BundleReader(part)
            continue
        with BundleReader(part) as bundle:
            read = list(bundle)
            assert read == made[: len(read)]
            assert bundle.fault or not bundle.closed or len(read) == len(made)
            lengths.add(len(read))
    assert lengths == set(range(len(made) + 1))


def test_a_byte_that_was_changed_is_noticed_or_changes_a_picture_only(tmp_path: Path) -> None:
    """Lines are never read otherwise than they were written."""
    made = written(tmp_path / "a.tar", 3)
    data = (tmp_path / "a.tar").read_bytes()
    header = 512 + 512  # the first member tells what the bundle is, in plain text
    part = tmp_path / "b.tar"
    for at in range(header, len(data) - 1024, 41):
        part.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        with BundleReader(part) as bundle:
            read = list(bundle)
            assert read == made[: len(read)]
            assert len(read) == len(made) or bundle.fault


@pytest.mark.parametrize("data", [b"", b"dear diary\n" * 200, b"\0" * 4096])
def test_what_is_no_bundle_is_refused_with_its_name(tmp_path: Path, data: bytes) -> None:
    """One line that names the file."""
    path = tmp_path / "x.tar"
    path.write_bytes(data)
    assert not is_bundle(path)
    with pytest.raises(BundleError, match=r"x\.tar: not a bundle"):
        BundleReader(path)


def test_another_archive_is_no_bundle(tmp_path: Path) -> None:
    """Nor is a file of the same name inside."""
    (tmp_path / "bundle.json").write_text('{"name": "npm"}')
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        archive.add(tmp_path / "bundle.json", "bundle.json")
    with pytest.raises(BundleError, match="not a bundle"):
        BundleReader(tmp_path / "x.tar")


def test_of_a_large_archive_that_is_no_bundle_little_is_read(tmp_path: Path) -> None:
    """A backup on the shelf is named, and does not fill the memory."""
    backup, image = tmp_path / "x.tar", tarfile.TarInfo("disk.img")
    image.size = 1 << 28
    with backup.open("wb") as file:
        file.write(image.tobuf())
        file.truncate(image.size + 2048)
    tracemalloc.start()
    with pytest.raises(BundleError, match="not a bundle"):
        BundleReader(backup)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < image.size / 4


def test_a_header_that_is_nested_too_deeply_is_no_bundle(tmp_path: Path) -> None:
    """It is named as any other, and the other sittings are still listed."""
    text, header = b"[" * 100_000, tarfile.TarInfo("bundle.json")
    header.size = len(text)
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        archive.addfile(header, io.BytesIO(text))
    with pytest.raises(BundleError, match="not a bundle"):
        BundleReader(tmp_path / "x.tar")


def test_a_bundle_of_a_later_version_says_so(tmp_path: Path) -> None:
    """Not a guess at what its lines may mean."""
    BundleWriter(tmp_path / "a.tar", {"format": FORMAT + 1}).close()
    with pytest.raises(BundleError, match=f"later version .*format {FORMAT + 1}"):
        BundleReader(tmp_path / "a.tar")


def test_no_bundle_is_written_over(tmp_path: Path) -> None:
    """Whoever keeps two sittings has two files."""
    made = written(tmp_path / "a.tar")
    with pytest.raises(BundleError, match="already"):
        BundleWriter(tmp_path / "a.tar", {})
    with BundleReader(tmp_path / "a.tar") as bundle:
        assert list(bundle) == made


def test_a_full_disk_ends_the_bundle_and_nothing_else(tmp_path: Path) -> None:
    """What was written stays readable; nobody who plays is disturbed."""

    class Full:
        """Takes no byte more."""

        closed = False

        def fileno(self) -> int:
            """Lie on the disk."""
            return whole.fileno()

        def write(self, data: bytes) -> int:
            """Refuse."""
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            """Be closed."""
            self.closed = True

    bundle = BundleWriter(tmp_path / "a.tar", {})
    bundle.line({"n": 1}, flush=True)
    whole, bundle._file = bundle._file, Full()
    bundle.line({"n": 2}, flush=True)
    bundle.close()
    whole.close()
    assert bundle.failed == "No space left on device"
    with BundleReader(tmp_path / "a.tar") as again:
        assert list(again) == [{"n": 1}]
        assert not again.closed


def test_the_last_room_on_the_disk_is_left_to_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundle ends before the disk is full, and says why; an evening is written down all the same."""
    free = SPARE_BYTES
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1 << 40, 0, free))
    bundle = BundleWriter(tmp_path / "a.tar", {})
    bundle.line({"n": 1}, flush=True)
    free -= 1
    bundle.line({"n": 2}, flush=True)
    bundle.picture(b"jpeg")
    free += 1
    bundle.line({"n": 3}, flush=True)
    bundle.close()
    assert "256 MB" in bundle.failed
    with BundleReader(tmp_path / "a.tar") as again:
        assert list(again) == [{"n": 1}]
        assert not again.closed


def test_a_bundle_that_somebody_deletes_ends(tmp_path: Path) -> None:
    """The rest of the evening would be lost without a word, and fill the disk where nobody sees it."""
    path = tmp_path / "a.tar"
    bundle = BundleWriter(path, {})
    bundle.line({"n": 1}, flush=True)
    assert not bundle.failed
    path.unlink()
    bundle.line({"n": 2}, flush=True)
    assert "deleted" in bundle.failed
    bundle.close()


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from companion.bundle.archive import BundleWriter
bundle = BundleWriter(Path(sys.argv[1]), {})
for number in range(50):
    bundle.picture(bytes(3000))
    bundle.line({"n": number}, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_loses_no_line(tmp_path: Path) -> None:
    """Everything that was written stands in the file, which says that it was not ended."""
    path = tmp_path / "a.tar"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(ROOT)], check=False, env=os.environ)
    assert done.returncode == -signal.SIGKILL
    with BundleReader(path) as bundle:
        assert [line["n"] for line in bundle] == list(range(50))
        assert not bundle.closed
        assert bundle.fault == ""
