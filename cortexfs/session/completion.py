"""The names for shell completion, read from the catalog without a refresh.

A missing or damaged catalog, or one that another process is writing, yields no names.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_REFS_SQL = "SELECT ref FROM atoms WHERE ref >= ? AND ref < ? ORDER BY ref"
_IDS_SQL = "SELECT ref FROM atoms WHERE ref LIKE ? ESCAPE '\\' ORDER BY ref"
_TAGS_SQL = """
SELECT DISTINCT value FROM atoms, json_each(atoms.fields, '$.tags')
WHERE readable AND json_each.type = 'text'
"""
_KINDS_SQL = "SELECT DISTINCT kind FROM atoms"
_TASK_ID = re.compile(r"""^\s*-\s+id:\s*["']?([\w.-]+)""", re.MULTILINE)
_ISSUE_TITLE = re.compile(
    r"^(?:## |- \*\*)(.+?)(?:\*\*)?\s*(?:\(\d{4}-\d\d-\d\d\))?\s*$", re.MULTILINE
)
_LAST_CHARACTER = "\U0010ffff"


class CompletionNames(NamedTuple):
    """The names in one tree, as seen from a working directory."""

    root: str
    cwd: str

    def list_refs(self, beginning: str) -> list[str]:
        """Return the refs with this prefix, and the ids that are unique from here."""
        if "/" in beginning:
            return self._query(_REFS_SQL, beginning, beginning + _LAST_CHARACTER)
        current, counts = self.find_project(), dict[str, int]()
        own: list[str] = []
        for ref in self._query(_IDS_SQL, f"%/{_escape_like(beginning)}%"):
            project, _, ident = ref.rpartition("/")
            if ident.startswith(beginning):
                counts[ident] = counts.get(ident, 0) + 1
                own += [ident] if project == current else []
        top_level = self._query(_REFS_SQL, beginning, beginning + _LAST_CHARACTER)
        unique = [] if current else [ident for ident, count in counts.items() if count == 1]
        return list(dict.fromkeys([*own, *unique, *top_level]))

    def list_tags(self) -> list[str]:
        """Return every tag; a field `tags: a, b` has two."""
        texts = self._query(_TAGS_SQL)
        return [tag for text in texts for part in text.split(",") if (tag := part.strip())]

    def list_kinds(self) -> list[str]:
        """Return the kinds of the atoms of the tree."""
        return self._query(_KINDS_SQL)

    def list_projects(self) -> list[str]:
        """Return the projects of the tree."""
        try:
            with os.scandir(os.path.join(self.root, "projects")) as entries:
                return [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except OSError:
            return []

    def find_project(self) -> str:
        """Return the project that the working directory is in; empty outside of one."""
        inside = os.path.relpath(os.path.realpath(self.cwd), os.path.realpath(self.root))
        steps = inside.split(os.sep)
        return steps[1] if len(steps) > 1 and steps[0] == "projects" else ""

    def list_tasks(self) -> list[str]:
        """Return the ids of the tasks of the current project, or of all."""
        return [
            found for text in self._read_files("TASKS.yaml") for found in _TASK_ID.findall(text)
        ]

    def list_issues(self) -> list[str]:
        """Return the titles of the issues of the current project, or of all."""
        return [
            found for text in self._read_files("ISSUES.md") for found in _ISSUE_TITLE.findall(text)
        ]

    def _read_files(self, name: str) -> Iterator[str]:
        from cortexfs.tree.tree import Tree  # noqa: PLC0415 - most completions read no file

        tree = Tree(self.root)
        current = self.find_project()
        for project in [current] if current else self.list_projects():
            yield tree.read_text_lossy(f"projects/{project}/{name}") or ""

    def _query(self, sql: str, *values: str) -> list[str]:
        """Return the results of one query, without texts that a shell could interpret."""
        from cortexfs.catalog.catalog_files import query_read_only  # noqa: PLC0415 - it imports SQLite

        rows = query_read_only(os.path.join(self.root, ".cortexfs"), sql, values)
        return [text for (text,) in rows if isinstance(text, str) and text.isprintable()]


def _escape_like(text: str) -> str:
    return re.sub(r"[\\%_]", r"\\\g<0>", text)
