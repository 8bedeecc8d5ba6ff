"""Resolve a link of a note to another note."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cortexfs.core.find.extract_links import normalize_wiki_name
from cortexfs.core.markdown.resolve_relative_path import resolve_relative_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.importing.foreign_note import ForeignNote

_ENDINGS = (".md", ".markdown")


class _RankedPath(NamedTuple):
    """A note with a name: the lower rank of the name is better, then the shorter path."""

    rank: int
    depth: int
    path: str


class NoteLookup(NamedTuple):
    """The paths of notes, by path and by name, both normalized.

    `best_by_name` has the best note of a name, `best_in_folder` that of a name and a folder.
    `paths_by_file_name` has each path after its normalized form, which begins with `/`.
    """

    paths: Mapping[str, str]
    best_by_name: Mapping[str, _RankedPath]
    best_in_folder: Mapping[tuple[str, str], _RankedPath]
    paths_by_file_name: Mapping[str, list[tuple[str, str]]]

    @classmethod
    def from_notes(cls, notes: Iterable[ForeignNote]) -> NoteLookup:
        """Index the paths and names of some notes."""
        paths: dict[str, str] = {}
        best_by_name: dict[str, _RankedPath] = {}
        best_in_folder: dict[tuple[str, str], _RankedPath] = {}
        paths_by_file_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for note in notes:
            normalized, folder = _normalize_path(f"/{note.path}"), _get_folder(note.path)
            paths.setdefault(_normalize_path(note.path), note.path)
            paths_by_file_name[normalized.rpartition("/")[2]].append((normalized, note.path))
            for rank, name in enumerate(map(normalize_wiki_name, note.link_names)):
                ranked = _RankedPath(rank, note.path.count("/"), note.path)
                best_by_name[name] = min(ranked, best_by_name.get(name, ranked))
                in_folder = best_in_folder.get((name, folder), ranked)
                best_in_folder[name, folder] = min(ranked, in_folder)
        return cls(paths, best_by_name, best_in_folder, paths_by_file_name)

    def resolve_wiki_link(self, name: str, source: str) -> str | None:
        """Return the path of the note that `[[name]]` in the note at `source` refers to, or None.

        A path is relative to the top folder, to the note's own folder, or to any folder. A name is
        a file name, else a title, an alias or an id. If several match, the nearest note is
        returned.
        """
        name = name.strip().removeprefix("memory://")
        if "/" in name or name.endswith(_ENDINGS):
            return self._find_by_path(name, source) or self._find_by_name(name, source)
        return self._find_by_name(name, source) or self._find_by_path(name, source)

    def resolve_relative_link(self, target: str, source: str) -> str | None:
        """Return the path of the note that a relative Markdown link refers to, or None."""
        target = unquote(target)
        if target.startswith("memory://"):
            return self._find_by_name(target.removeprefix("memory://"), source)
        return self._find_in_folder("" if target.startswith("/") else _get_folder(source), target)

    def _find_in_folder(self, folder: str, target: str) -> str | None:
        path = resolve_relative_path(folder, target.lstrip("/"))
        return self.paths.get(_normalize_path(path)) if path else None

    def _find_by_path(self, target: str, source: str) -> str | None:
        folder = _get_folder(source)
        if found := self._find_in_folder("", target) or self._find_in_folder(folder, target):
            return found
        tail = f"/{_normalize_path(target.lstrip('./'))}"
        matches = [
            path
            for normalized, path in self.paths_by_file_name.get(tail.rpartition("/")[2], ())
            if normalized.endswith(tail)
        ]
        nearest = min(
            matches,
            key=lambda path: (_get_folder(path) != folder, path.count("/"), path),
            default="",
        )
        return nearest or None

    def _find_by_name(self, name: str, source: str) -> str | None:
        """Return the note with the best rank of a name, preferably in the same folder."""
        normalized = normalize_wiki_name(name)
        best = self.best_by_name.get(normalized) if normalized else None
        near = self.best_in_folder.get((normalized, _get_folder(source)))
        if best is None:
            return None
        return near.path if near and near.rank == best.rank else best.path


def _get_folder(path: str) -> str:
    return path.rpartition("/")[0]


def _normalize_path(path: str) -> str:
    return normalize_wiki_name(path).removesuffix(".markdown")
