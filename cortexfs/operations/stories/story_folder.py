"""The atoms of one folder of a project as the catalog has them, parsed once while they stay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from cortexfs.operations.stories.kept_values import KeptValue, get_kept_values

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from cortexfs.session.annotation_types import StoryRow
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

CHARS_PER_ATOM = 200
"""For how many characters of a text an atom counts."""
_ValueT = TypeVar("_ValueT")
_MadeT = TypeVar("_MadeT")


@dataclass(frozen=True, slots=True)
class StoryAtom(Generic[_ValueT]):
    """An atom: its path, ref and digest, what its fields say, and how often it was read."""

    path: str
    ref: str
    digest: bytes
    value: _ValueT
    reads: int


@dataclass(slots=True)
class StoryFolder(Generic[_ValueT]):
    """The readable atoms of a folder by path, in path order, in one state of the catalog.

    `digests` has all its files, `reads` the atoms that were read.
    """

    by_path: dict[str, StoryAtom[_ValueT]]
    digests: dict[str, bytes]
    reads: dict[str, int]
    _made: dict[str, object] = field(default_factory=dict)

    @property
    def atoms(self) -> Collection[StoryAtom[_ValueT]]:
        """The atoms in path order."""
        return self.by_path.values()

    def make_once(self, name: str, make: Callable[[], _MadeT]) -> _MadeT:
        """Return what `make` makes of these atoms; it is called once for a name."""
        if name not in self._made:
            self._made[name] = make()
        return cast("_MadeT", self._made[name])


def read_story_folder(
    session: Session, view: View, folder: str, parse: Callable[[StoryRow], _ValueT]
) -> StoryFolder[_ValueT]:
    """Return the atoms of a folder; `parse` is called for those that are new."""
    kept, key, state = get_kept_values(session), (parse, folder), view.describe_contents()
    (known,) = kept.get_all([key])
    before = cast("StoryFolder[_ValueT]", known.value) if known else StoryFolder({}, {}, {})
    if known is not None and known.state == state:
        return before
    found = _update_folder(view, folder, before, parse)
    kept.keep(key, KeptValue(state, found, CHARS_PER_ATOM * len(found.atoms)))
    return found


def _update_folder(
    view: View,
    folder: str,
    before: StoryFolder[_ValueT],
    parse: Callable[[StoryRow], _ValueT],
) -> StoryFolder[_ValueT]:
    """Return a folder as it is; of what has not changed the atoms are those of before."""
    digests, reads = dict(view.queries.list_digests_in(folder)), view.stories.list_reads(folder)
    changed = {path for path, _ in digests.items() - before.digests.items()}
    changed |= {path for path, _ in reads.items() ^ before.reads.items()} & digests.keys()
    if not changed and len(digests) == len(before.digests):
        return StoryFolder(before.by_path, digests, reads, before._made)  # noqa: SLF001 - its own class
    rows = (row for row in view.stories.list_rows_of(changed) if _is_in(folder, row.path))
    atoms = {row.path: _make_atom(row, before, parse) for row in rows}
    kept = before.by_path.keys() & digests.keys() - changed
    by_path = {path: before.by_path[path] for path in kept} | atoms
    return StoryFolder(dict(sorted(by_path.items())), digests, reads)


def _is_in(folder: str, path: str) -> bool:
    return path.rpartition("/")[0] == folder


def _make_atom(
    row: StoryRow, before: StoryFolder[_ValueT], parse: Callable[[StoryRow], _ValueT]
) -> StoryAtom[_ValueT]:
    """Return an atom; one that was only read is not parsed again."""
    known = before.by_path.get(row.path)
    value = known.value if known and known.digest == row.digest else parse(row)
    return StoryAtom(row.path, row.ref, row.digest, value, row.reads)
