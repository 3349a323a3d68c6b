"""The files of the pages: sent packed, and only when a phone does not have them yet."""

from __future__ import annotations

import gzip
from functools import lru_cache
from io import BytesIO
from os.path import isfile
from pathlib import Path

from flask import Response, request, send_file, send_from_directory
from werkzeug.security import safe_join

__all__ = ["page_file"]

_TEXT = {".css", ".html", ".js", ".json", ".svg"}


def page_file(folder: Path, name: str) -> Response:
    """Answer with a file of `folder`; 404 where there is none, 304 where the asker has it as it is."""
    path = Path(safe_join(str(folder), name) or "")
    if path.suffix not in _TEXT:
        return send_from_directory(folder, name, max_age=0)
    if request.accept_encodings.quality("gzip") and isfile(path):  # `Path.is_file` fails at a name too long
        stat = path.stat()
        response = send_file(
            BytesIO(_packed(path, stat.st_mtime_ns)),
            download_name=path.name,
            last_modified=stat.st_mtime,
            etag=f"{stat.st_mtime_ns:x}-{stat.st_size:x}-gzip",
            max_age=0,
        )
        response.content_encoding = "gzip"
    else:
        response = send_from_directory(folder, name, max_age=0)
    response.vary.add("Accept-Encoding")
    return response


@lru_cache(maxsize=128)
def _packed(path: Path, changed_ns: int) -> bytes:
    """A file as it was changed last, packed."""
    return gzip.compress(path.read_bytes(), mtime=0)
