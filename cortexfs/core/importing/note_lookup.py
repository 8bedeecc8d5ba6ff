"""Resolve a link of a note to another note."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cortexfs.core.find.extract_links import to_wiki_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.importing.foreign_note import ForeignNote

_ENDINGS = (".md", ".markdown")


class NoteLookup(NamedTuple):
    """The paths of notes, by path and by name, both normalized by `as_name`.

    Each path of a name comes with the rank of the name among the names of its note.
    """

    paths_by_name: Mapping[str, str]
    ranked_paths_by_name: Mapping[str, list[tuple[int, str]]]

    @classmethod
    def from_notes(cls, notes: Iterable[ForeignNote]) -> NoteLookup:
        """Index the paths and names of some notes."""
        paths: dict[str, str] = {}
        names: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for note in notes:
            paths.setdefault(_normalize_path(note.path), note.path)
            for rank, name in enumerate(note.link_names):
                if folded := to_wiki_name(name):
                    names[folded].append((rank, note.path))
        return cls(paths, names)

    def resolve_wiki_link(self, said: str, source: str) -> str | None:
        """Return the path of the note that `[[said]]` in the note at `source` refers to, or None.

        A path is relative to the top folder, to the note's own folder, or to any folder. A name is
        a file name, else a title, an alias or an id. If several match, the nearest note is
        returned.
        """
        said = said.strip().removeprefix("memory://")
        if "/" in said or said.endswith(_ENDINGS):
            return self._find_by_path(said, source) or self._find_by_name(said, source)
        return self._find_by_name(said, source) or self._find_by_path(said, source)

    def resolve_relative_link(self, said: str, source: str) -> str | None:
        """Return the path of the note that a relative Markdown link refers to, or None."""
        said = unquote(said)
        if said.startswith("memory://"):
            return self._find_by_name(said.removeprefix("memory://"), source)
        base = "" if said.startswith("/") else source.rpartition("/")[0]
        joined = _resolve_relative_path(base, said.lstrip("/"))
        return self.paths_by_name.get(_normalize_path(joined)) if joined else None

    def _find_by_path(self, said: str, source: str) -> str | None:
        for base in ("", source.rpartition("/")[0]):
            joined = _resolve_relative_path(base, said.lstrip("/"))
            if joined and (found := self.paths_by_name.get(_normalize_path(joined))):
                return found
        tail = f"/{_normalize_path(said.lstrip('./'))}"
        name = tail.rpartition("/")[2]
        inner = [
            (rank, path) for rank, path in self.ranked_paths_by_name.get(name, ()) if rank == 0
        ]
        return _choose_nearest(
            [each for each in inner if _normalize_path(f"/{each[1]}").endswith(tail)], source
        )

    def _find_by_name(self, said: str, source: str) -> str | None:
        return _choose_nearest(self.ranked_paths_by_name.get(to_wiki_name(said), []), source)


def _choose_nearest(found: list[tuple[int, str]], source: str) -> str | None:
    """Choose by the rank of the name, then the same folder, then the shortest path."""
    above = source.rpartition("/")[0]

    def key(each: tuple[int, str]) -> tuple[int, bool, int, str]:
        rank, path = each
        return rank, path.rpartition("/")[0] != above, path.count("/"), path

    return min(found, key=key)[1] if found else None


def _normalize_path(path: str) -> str:
    return to_wiki_name(path).removesuffix(".markdown")


def _resolve_relative_path(base: str, said: str) -> str:
    """Join a relative path to a folder; empty if it would leave the source."""
    steps = base.split("/") if base else []
    for step in said.split("/"):
        if step == "..":
            if not steps:
                return ""
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)
