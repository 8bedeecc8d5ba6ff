"""The memories of a tree, by where they came from and by their text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.memory.memory_record import ORIGIN_KEY, PERSONAL_SCOPE
from cortexfs.core.stores.memory_fields import make_memory_summary
from cortexfs.core.stores.memory_origin import compute_text_digest, parse_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stores.stored_values import StoredMemory


class KnownMemory(NamedTuple):
    """A memory of the tree; one that is about to be imported has no text yet."""

    ref: str
    path: str
    project: str
    text: str = ""


class KnownMemories:
    """The memories of a tree, and those being imported, by source and by text."""

    __slots__ = ("_by_text", "_created", "by_source")

    def __init__(self, known: Iterable[KnownMemory]) -> None:
        self.by_source: dict[str, KnownMemory] = {}
        self._by_text: dict[tuple[str, str], KnownMemory] = {}
        self._created: dict[str, str] = {}
        for memory in known:
            parsed = atom_text.parse_frontmatter(memory.text)
            fields = {key: v for key, v in parsed.fields.items() if isinstance(v, str)}
            digest = compute_text_digest(fields.get("summary", ""), parsed.body)
            self._by_text.setdefault((memory.project, digest), memory)
            if source := parse_origin(fields.get(ORIGIN_KEY, "")).source:
                self._add_source(source, memory, fields.get("created", ""))

    def choose_source(self, memory: StoredMemory) -> str:
        """Return the source of a memory, with its time if the number has another meaning here."""
        known = self._created.get(memory.origin, "")
        if memory.has_local_id and known and memory.created and known != memory.created:
            return f"{memory.origin}@{memory.created}"
        return memory.origin

    def find_twin(self, memory: StoredMemory) -> KnownMemory | None:
        """Return a memory of the same project with the same title and text."""
        return self._by_text.get((choose_folder_project(memory), _compute_digest(memory)))

    def add(self, new: KnownMemory, source: str, memory: StoredMemory) -> None:
        """Add a memory that is about to be imported."""
        self._by_text.setdefault((new.project, _compute_digest(memory)), new)
        self._add_source(source, new, memory.created)

    def _add_source(self, source: str, memory: KnownMemory, created: str) -> None:
        if source not in self.by_source:
            self.by_source[source] = memory
            self._created[source] = created


def choose_folder_project(memory: StoredMemory) -> str:
    """Return the project whose folder gets a memory; personal memories have none."""
    return "" if memory.scope == PERSONAL_SCOPE else memory.project


def _compute_digest(memory: StoredMemory) -> str:
    return compute_text_digest(make_memory_summary(memory), memory.content)
