"""What the runs of git of one request share, so that each is made once."""

from __future__ import annotations

from contextlib import ExitStack
from threading import get_ident
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

_T = TypeVar("_T")


class SharedResources:
    """Resources of which each is made at first use, and ended with the others.

    Only the thread that made this object shares them, and only until they are closed.
    """

    def __init__(self) -> None:
        self._kept: dict[type, tuple[ExitStack, object]] = {}
        self._thread = get_ident()
        self._is_closed = False

    @property
    def is_active(self) -> bool:
        """Return whether this thread may still use what is shared."""
        return not self._is_closed and self._thread == get_ident()

    def keep(self, kind: type[_T], make: Callable[[], AbstractContextManager[_T]]) -> _T:
        """Return the resource of this type; at first use it is made."""
        if kind not in self._kept:
            with ExitStack() as stack:
                made = stack.enter_context(make())
                self._kept[kind] = stack.pop_all(), made
        return cast("_T", self._kept[kind][1])

    def drop(self, kind: type) -> None:
        """End the resource of this type, if there is one; the next use makes another."""
        if kind in self._kept:
            self._kept.pop(kind)[0].close()

    def close(self) -> None:
        """End all resources, the last one first."""
        self._is_closed = True
        for kind in [*reversed(self._kept)]:
            self.drop(kind)
