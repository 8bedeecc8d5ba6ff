"""What a session keeps of the files of stories: values by what they are made of, up to a limit."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

from cortexfs.core.atoms.atom import Flaw

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from cortexfs.session.session import Session
    from cortexfs.session.snapshot_reader import TreeReader
    from cortexfs.session.view import View

    _ValueT = TypeVar("_ValueT")

MAX_CHARS = 24_000_000
"""Characters of the texts whose values a session keeps: of a story with 10,000 messages some
three million, for recalls, which take four bytes for each, as many for pages about it, and two
million for its next message."""


class KeptValue(NamedTuple):
    """A value, the state of what it was made of, and how many characters these had."""

    state: Hashable
    value: object
    chars: int


@dataclass(slots=True)
class KeptValues:
    """Values by a key, those that were needed last; for any number of threads."""

    chars: int = 0
    by_key: OrderedDict[Hashable, KeptValue] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get_all(self, keys: Sequence[Hashable]) -> list[KeptValue | None]:
        """Return the value of each key; None if there is none."""
        with self.lock:
            found = [self.by_key.get(key) for key in keys]
            for key, kept in zip(keys, found, strict=True):
                if kept is not None:
                    self.by_key.move_to_end(key)
        return found

    def take(self, key: Hashable) -> KeptValue | None:
        """Return the value of a key, which is kept no longer: nobody else has it then."""
        with self.lock:
            found = self.by_key.get(key)
            self._drop(key)
        return found

    def keep(self, key: Hashable, added: KeptValue) -> None:
        """Keep a value in the place of an earlier one; others are dropped if they are too many."""
        with self.lock:
            self._drop(key)
            self.by_key[key] = added
            self.chars += added.chars
            while self.chars > MAX_CHARS and len(self.by_key) > 1:
                self._drop(next(iter(self.by_key)))

    def _drop(self, key: Hashable) -> None:
        if dropped := self.by_key.pop(key, None):
            self.chars -= dropped.chars


_KEPT: WeakKeyDictionary[TreeReader, KeptValues] = WeakKeyDictionary()
_LOCK = Lock()


def get_kept_values(session: Session) -> KeptValues:
    """Return what a session keeps."""
    with _LOCK:
        return _KEPT.setdefault(session.reader, KeptValues())


class StoredFile(NamedTuple):
    """A file that is parsed: its path, the digest of its text, and the ref of its atom."""

    path: str
    digest: bytes
    ref: str


def read_values(
    session: Session,
    view: View,
    files: Sequence[StoredFile],
    parse: Callable[[str, str], _ValueT],
) -> list[tuple[str, _ValueT]]:
    """Return ref and value of files, in their order: what `parse` makes of a text and its ref.

    A file that was parsed with the same digest is not read. Those that cannot be read are missing.
    """
    kept = get_kept_values(session)
    known = kept.get_all([(parse, file.path) for file in files])
    found: list[tuple[str, _ValueT]] = []
    with view.tree.open_batch_reader() as read:
        for file, before in zip(files, known, strict=True):
            if before is not None and before.state == file.digest:
                found.append((file.ref, cast("_ValueT", before.value)))
                continue
            source = read(file.path)
            if isinstance(source, Flaw):  # not kept: the same bytes may be readable later
                continue
            value = parse(source.text, file.ref)
            kept.keep((parse, file.path), KeptValue(file.digest, value, len(source.text)))
            found.append((file.ref, value))
    return found
