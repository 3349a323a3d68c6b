"""Frozen data with some of its fields changed, for what is copied some ten thousand times a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

__all__ = ["altered"]

if TYPE_CHECKING:
    # the fields are checked by name and type as those of `replace` are
    from dataclasses import replace as altered
else:
    T = TypeVar("T")

    def altered(old: T, /, **changes: object) -> T:
        """Return what `dataclasses.replace` returns, of an object without slots.

        A field that is left as it is costs nothing here, while `replace` asks for each and sets each anew.
        What `__post_init__` works out is worked out anew.
        """
        kind = type(old)
        new = object.__new__(kind)
        fields = new.__dict__
        fields.update(old.__dict__)
        fields.update(changes)
        if hasattr(kind, "__post_init__"):
            new.__post_init__()
        return new
