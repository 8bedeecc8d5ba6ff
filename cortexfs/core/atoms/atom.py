"""What an atom is: one Markdown file with frontmatter, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NewType

Ref = NewType("Ref", str)
"""How atoms name one another everywhere: `flywheel/EXP-042` (`IDEA-001` outside projects)."""

FrontmatterValue = str | tuple["FrontmatterValue", ...] | Mapping[str, "FrontmatterValue"]
"""A value of the frontmatter: every scalar is the text that its author typed."""


class Flaw(NamedTuple):
    """What is wrong within one text, and where: lines and columns count from 1."""

    code: str
    message: str
    line: int = 1
    column: int = 1


class Finding(NamedTuple):
    """A flaw of the tree, reported to whoever can mend it, never raised.

    `path` is below the root; `core.checks.finding_codes` has severity, hint and meaning by `code`.
    """

    path: str
    code: str
    message: str
    line: int = 1
    column: int = 1


_NONE: Mapping[str, Any] = MappingProxyType({})


class Atom(NamedTuple):
    """One parsed atom. Derived numbers (refs from the log, backlinks) never live here.

    `fields` is the frontmatter as typed, `lines` where each key stands, `cites` the refs that
    fields and body name, with their lines; `flaws` what is wrong with this text by itself.
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
        """The file's name without its folder: `EXP-042.md`."""
        return self.path.rpartition("/")[2]

    def text_field(self, key: str) -> str:
        """One field as text; empty where it is absent or no scalar."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""

    def list_field(self, key: str) -> tuple[str, ...]:
        """One field as a list of words; `a, b` and `[a, b]` give the same."""
        value = self.fields.get(key)
        return parse_string_list(value) if value else ()  # absent nearly always


def parse_string_list(value: FrontmatterValue) -> tuple[str, ...]:
    """Read a list of scalars, or one scalar parted at its commas; nothing of a mapping."""
    if isinstance(value, str):
        return tuple(word for part in value.split(",") if (word := part.strip()))
    if not isinstance(value, tuple):
        return ()
    return tuple(word for item in value if isinstance(item, str) and (word := item.strip()))
