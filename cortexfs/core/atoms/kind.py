"""One kind of atoms: in what it differs from others, its ids and its file names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import STATUS_SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

EVIDENCE_FIELDS = ("evidence", "source-experiments", "source")
"""The fields that name the evidence of an atom."""


@lru_cache(maxsize=64)
def _compile_id_pattern(prefix: str, digits: int, has_letter_suffix: bool) -> re.Pattern[str]:
    letter = "[a-z]?" if has_letter_suffix else ""
    return re.compile(rf"{re.escape(prefix)}-(\d{{{digits},}})({letter})", re.ASCII)


class Kind(NamedTuple):
    """One kind: a row of the table in `kinds`.

    `columns_before_reads` and `columns_after_reads` are columns of its index (heading, field)
    before and after "Refs" and "Last ref". A kind that `has_title_in_name` has its title in the
    file name: `0007-use-git.md`; one that `has_tree_wide_ids` is numbered across all projects.
    `initial_status` is the status of a new atom. A kind that `is_decision` lists alternatives, and
    is not edited once accepted. One that `has_downstream_impact` lists the affected atoms in its
    section Downstream Impact. `search_boost` (0 to 1) ranks established results above experiments.
    `purpose` describes its folder in a CORTEX.md. One that `is_memory` is saved by agents, one that
    `is_from_story` is made from chats. The names of its files have the prefix in a project too, if
    it `keeps_prefix`.
    """

    name: str
    folder: str
    prefix: str
    digits: int = 3
    has_letter_suffix: bool = False
    has_title_in_name: bool = False
    has_tree_wide_ids: bool = False
    initial_status: str = ""
    has_downstream_impact: bool = False
    is_decision: bool = False
    scopes: tuple[str, ...] = ("project",)
    indexed: bool = True
    is_memory: bool = False
    is_from_story: bool = False
    keeps_prefix: bool = False
    required_fields: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    statuses: tuple[str, ...] = tuple(STATUS_SECTIONS)
    use_when: str = ""
    purpose: str = ""
    search_boost: float = 0.0
    columns_before_reads: tuple[tuple[str, str], ...] = ()
    columns_after_reads: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """The heading of its index: `Experiments`."""
        return self.folder.replace("-", " ").capitalize()

    @property
    def needs_evidence(self) -> bool:
        """Whether its atoms must cite evidence: knowledge, patterns."""
        return not set(self.required_fields).isdisjoint(EVIDENCE_FIELDS)

    @property
    def needs_experiments(self) -> bool:
        """Whether its atoms must cite several experiments: patterns."""
        return "source-experiments" in self.required_fields

    @property
    def id_pattern(self) -> re.Pattern[str]:
        """The pattern of its ids."""
        return _compile_id_pattern(self.prefix, self.digits, self.has_letter_suffix)

    def parse_file_id(self, name: str) -> str | None:
        """Return the id in a file name (without `.md`); None if there is none."""
        if self.has_title_in_name:
            found = re.fullmatch(rf"(?:{self.prefix}-)?(\d{{{self.digits},}})-.+", name, re.ASCII)
            return f"{self.prefix}-{found[1]}" if found else None
        return name if self.id_pattern.fullmatch(name) else None

    def next_id(self, names: Iterable[str]) -> str:
        """Return the id after the highest one in the file names; tombstones count too."""
        taken = (self.id_pattern.fullmatch(self.parse_file_id(name) or "") for name in names)
        highest = max((int(found[1]) for found in taken if found), default=0)
        return self.format_id(highest + 1)

    def format_id(self, number: int) -> str:
        """Return the id with a number: `OBS-007`."""
        return f"{self.prefix}-{number:0{self.digits}d}"

    def make_file_name(self, ident: str, summary: str, *, in_project: bool) -> str:
        """Return the file name of a new atom, with `.md`."""
        if not self.has_title_in_name:
            return f"{ident}.md"
        slug = re.sub(r"[^a-z0-9]+", "-", summary.lower()).strip("-")[:60].rstrip("-")
        return f"{self.format_file_number(ident, in_project=in_project)}-{slug or 'untitled'}.md"

    def format_file_number(self, ident: str, *, in_project: bool) -> str:
        """Return how the name of a file with a title begins: `0007`, `ENT-012`."""
        shortened = in_project and not self.keeps_prefix
        return ident.removeprefix(f"{self.prefix}-") if shortened else ident
