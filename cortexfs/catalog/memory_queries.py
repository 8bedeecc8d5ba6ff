"""Rows of agent memory, observations, sessions and prompts, and the queries on them."""
# ruff: noqa: S608 - the SQL is our own; values are parameters

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.schema import insert_rows
from cortexfs.core.atoms.kinds import OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.memory.memory_filter import NO_FILTER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from sqlite3 import Connection

    from cortexfs.catalog.schema import Cells, RowTarget
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.memory.memory_filter import MemoryFilter

_ROW_COLUMNS = "path, kind, number, ref, project, scope, type, topic_key, session, created"
_CURRENT = "deleted_at = ''"
_TOPIC = "topic_key = ? AND topic_key != ''"
"""The index on topics has no row without one."""


class MemoryRow(NamedTuple):
    """One memory as the catalog knows it; `created` is in UTC, ISO 8601."""

    path: str
    kind: str
    number: int
    ref: str
    project: str
    scope: str
    type: str
    topic_key: str
    session: str
    created: str


class MemoryEdge(NamedTuple):
    """One relation, by the numbers of its observations."""

    source: int
    type: str
    target: int
    weight: float


def insert_memory(db: RowTarget, atom: Atom, text: str) -> None:
    """Insert the rows of an observation, a session or a prompt."""
    from cortexfs.core.frontmatter.atom_text import split_front_and_body  # noqa: PLC0415 - few atoms are memories
    from cortexfs.core.memory.content_digest import compute_memory_digest  # noqa: PLC0415
    from cortexfs.core.memory.memory_record import number_from_id, parse_number  # noqa: PLC0415
    from cortexfs.core.memory.relations import parse_relation  # noqa: PLC0415

    number = parse_number(atom)
    fields = (atom.text_field("project") or atom.project, *map(atom.text_field, _STORED_FIELDS))
    digest = compute_memory_digest(split_front_and_body(text)[1])
    insert_rows(db, "memories", [(atom.path, atom.kind, number, atom.ref, *fields, digest)])
    found = map(parse_relation, atom.list_field("relations"))
    insert_rows(
        db,
        "relations",
        (
            (atom.path, number, each.type, number_from_id(each.ref.rpartition("/")[2]), each.weight)
            for each in found
            if each
        ),
    )


def insert_unreadable_memory(db: RowTarget, atom: Atom, ident: str) -> None:
    """Insert the row of a file that cannot be read: its number is taken, and no query finds it."""
    from cortexfs.core.memory.memory_record import number_from_id  # noqa: PLC0415 - as above

    number, empty = number_from_id(ident), [""] * 6
    row: Cells = (atom.path, atom.kind, number, atom.ref, *empty, "unreadable", b"")
    insert_rows(db, "memories", [row])


_HIGHEST_BEFORE_FREE = """
    SELECT max(number) FROM memories AS m WHERE kind = ? AND number < ? AND NOT EXISTS
    (SELECT 1 FROM memories AS n WHERE n.kind = m.kind AND n.number = m.number + 1)
"""
_STORED_FIELDS = ("scope", "type", "topic-key", "session", "created", "deleted-at")


class MemoryQueries(NamedTuple):
    """The queries on agent memory; refresh the catalog first."""

    db: Connection

    def next_number(self, kind: str) -> int:
        """Return the number after the highest of a kind, in the whole tree.

        After `MAX_NUMBER` there is none: then it is the highest that is free.
        """
        from cortexfs.core.memory.memory_record import MAX_NUMBER  # noqa: PLC0415 - as above

        query = "SELECT max(number) FROM memories WHERE kind = ?"
        (highest,) = self.db.execute(query, (kind,)).fetchone()
        if (highest or 0) < MAX_NUMBER:
            return int(highest or 0) + 1
        (before,) = self.db.execute(_HIGHEST_BEFORE_FREE, (kind, MAX_NUMBER)).fetchone()
        return int(before or 0) + 1

    def find_number(self, kind: str, number: int) -> MemoryRow | None:
        """Return the memory of a kind with this number, deleted or not."""
        return self._find_first("number", "kind = ? AND number = ?", (kind, number))

    def list_repeated_numbers(self, kind: str) -> set[int]:
        """Return the numbers that several readable memories of a kind have."""
        sql = (
            "SELECT number FROM memories WHERE kind = ? AND deleted_at != 'unreadable'"
            " GROUP BY number HAVING count(*) > 1"
        )
        return {number for (number,) in self.db.execute(sql, (kind,))}

    def find_topic(self, key: str, project: str, scope: str) -> MemoryRow | None:
        """Return the latest current observation with a topic key in a project and scope."""
        where = f"{_TOPIC} AND project = ? AND scope = ? AND {_CURRENT}"
        return self._find_first("topic", where, (key, project, scope))

    def list_topic(self, key: str) -> list[MemoryRow]:
        """Return the current observations with a topic key, of every project."""
        return self._list("topic", f"{_TOPIC} AND {_CURRENT}", (key,))

    def list_topics_below(self, prefix: str) -> list[MemoryRow]:
        """Return the observations whose topic key begins with a prefix, also the deleted ones."""
        where = "topic_key >= ? AND topic_key < ? AND topic_key != ''"
        return self._list("topic", where, (prefix, f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"))

    def list_same_content(self, digest: bytes, project: str, limit: int) -> list[MemoryRow]:
        """Return the current observations of a project with the same content, latest first."""
        where = f"digest = ? AND project = ? AND kind = '{OBSERVATION_KIND}' AND {_CURRENT}"
        return self._list("digest", where, (digest, project), limit)

    def find_session(self, session: str) -> MemoryRow | None:
        """Return the session with the id that its client gave it."""
        where = f"session = ? AND kind = '{SESSION_KIND}'"
        return self._find_first("session", where, (session,))

    def list_recent(
        self, kind: str, only: MemoryFilter = NO_FILTER, limit: int = 20
    ) -> list[MemoryRow]:
        """Return the latest current memories of a kind, latest first."""
        wanted = {"project": only.project, "scope": only.scope, "type": only.type}
        given = {column: value for column, value in wanted.items() if value}
        where = " AND ".join([f"kind = ? AND {_CURRENT}", *(f"{column} = ?" for column in given)])
        index = "project" if only.project else "time"
        return self._list(index, where, (kind, *given.values()), limit)

    def list_session(self, session: str) -> list[MemoryRow]:
        """Return the current observations of a session, oldest first."""
        where = f"session = ? AND kind = '{OBSERVATION_KIND}' AND {_CURRENT}"
        return self._list("session", where, (session,))[::-1]

    def list_prompts(self, session: str) -> list[MemoryRow]:
        """Return the current prompts of a session, oldest first."""
        where = f"session = ? AND kind = '{PROMPT_KIND}' AND {_CURRENT}"
        return self._list("session", where, (session,))[::-1]

    def count_by_session(self, sessions: Collection[str]) -> dict[str, int]:
        """Return the number of current observations of some sessions."""
        sql = (
            "SELECT session, count(*) FROM memories INDEXED BY memories_by_session"
            f" WHERE kind = '{OBSERVATION_KIND}' AND {_CURRENT}"
            f" AND session IN ({_places(sessions)}) GROUP BY session"
        )
        return dict(self.db.execute(sql, tuple(sessions)).fetchall())

    def count_by_kind_and_project(self) -> dict[tuple[str, str], int]:
        """Return the number of current memories of each kind in each project."""
        sql = (
            "SELECT kind, project, count(*) FROM memories INDEXED BY memories_by_project"
            f" WHERE {_CURRENT} GROUP BY kind, project"
        )
        return {(kind, project): count for kind, project, count in self.db.execute(sql)}

    def list_edges(self, numbers: Collection[int]) -> list[MemoryEdge]:
        """Return the relations from or to some observations."""
        places = _places(numbers)
        sql = (
            "SELECT source, type, target, weight FROM relations"
            f" WHERE source IN ({places}) OR target IN ({places}) ORDER BY source, target, type"
        )
        return [MemoryEdge(*row) for row in self.db.execute(sql, (*numbers, *numbers))]

    def count_incoming(self, number: int) -> int:
        """Return the number of relations to an observation, without those of merged ones."""
        sql = "SELECT count(*) FROM relations WHERE target = ? AND type != 'updates'"
        return int(self.db.execute(sql, (number,)).fetchone()[0])

    def count_all_incoming(self) -> dict[int, int]:
        """Return the number of relations to each observation that has any, in the same way."""
        sql = "SELECT target, count(*) FROM relations WHERE type != 'updates' GROUP BY target"
        return dict(self.db.execute(sql).fetchall())

    def _find_first(self, index: str, where: str, values: tuple[object, ...]) -> MemoryRow | None:
        return next(iter(self._list(index, where, values, 1)), None)

    def _list(
        self, index: str, where: str, values: tuple[object, ...], limit: int = -1
    ) -> list[MemoryRow]:
        """Return memories by a named index: SQLite would read all of them in the wanted order."""
        sql = (
            f"SELECT {_ROW_COLUMNS} FROM memories INDEXED BY memories_by_{index} WHERE {where}"
            " ORDER BY created DESC, number DESC, path LIMIT ?"
        )
        return [MemoryRow(*row) for row in self.db.execute(sql, (*values, limit))]


def _places(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
