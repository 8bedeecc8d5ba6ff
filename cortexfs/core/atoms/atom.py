"""The value types of an atom: one Markdown file with frontmatter."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NewType

Ref = NewType("Ref", str)
"""The full name of an atom: `flywheel/EXP-042`, or `IDEA-001` outside projects."""

FrontmatterValue = str | tuple["FrontmatterValue", ...] | Mapping[str, "FrontmatterValue"]
"""A frontmatter value; every scalar is the text as typed."""


class FileText(NamedTuple):
    """A file's path below the root, and its text as read."""

    path: str
    text: str


class Flaw(NamedTuple):
    """A problem in one text; lines and columns count from 1."""

    code: str
    message: str
    line: int = 1
    column: int = 1


class Finding(NamedTuple):
    """A problem in the tree, which is reported and never raised.

    `path` is below the root; `core.checks.finding_codes` has severity, meaning and hint by `code`.
    """

    path: str
    code: str
    message: str
    line: int = 1
    column: int = 1


_NONE: Mapping[str, Any] = MappingProxyType({})


class Atom(NamedTuple):
    """One parsed atom, without derived numbers such as reads from the log or backlinks.

    `fields` is the frontmatter as typed, `field_lines` the line of each key, `cited_refs` the refs
    named in fields and body with their lines, `flaws` the problems of this text by itself.
    """

    path: str
    kind: str
    ref: Ref
    project: str = ""
    fields: Mapping[str, FrontmatterValue] = _NONE
    field_lines: Mapping[str, int] = _NONE
    cited_refs: tuple[tuple[str, int], ...] = ()
    flaws: tuple[Flaw, ...] = ()

    @property
    def file_name(self) -> str:
        """The file name without the folder: `EXP-042.md`."""
        return self.path.rpartition("/")[2]

    def text_field(self, key: str) -> str:
        """Return one field as text; an empty string if it is absent or not a scalar."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""

    def list_field(self, key: str) -> tuple[str, ...]:
        """Return one field as a list of strings; `a, b` and `[a, b]` give the same."""
        value = self.fields.get(key)
        return split_string_list(value) if value else ()


def split_string_list(value: FrontmatterValue) -> tuple[str, ...]:
    """Return the scalars of a list, or one scalar split at its commas; empty for a mapping."""
    if isinstance(value, str):
        return tuple(word for part in value.split(",") if (word := part.strip()))
    if not isinstance(value, tuple):
        return ()
    return tuple(word for item in value if isinstance(item, str) and (word := item.strip()))
