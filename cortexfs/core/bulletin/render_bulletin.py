"""Cut a bulletin to its budget, and render it. The same draft gives the same bytes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bulletin.bulletin_line import SECTIONS, SEE_ALSO
from cortexfs.core.bulletin.fit_budget import drop_least_important, fit_lines, rank_lines
from cortexfs.core.bulletin.format_bulletin import (
    find_shared_provenance,
    format_heading,
    format_line,
    format_source,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.bulletin.bulletin_line import BulletinLine
    from cortexfs.core.bulletin.measure_text import Budget


class BulletinDraft(NamedTuple):
    """All that a bulletin may have.

    `uncounted` says of how many lines of a section `lines` has only the best. `named_atoms` are the
    best atoms of all, of which at least the refs are named if there is room; `atom_count` is the
    number of atoms in all.
    """

    title: str
    lines: Sequence[BulletinLine]
    uncounted: Mapping[str, int] = MappingProxyType({})
    named_atoms: Sequence[BulletinLine] = ()
    atom_count: int = 0


class ShownSection(NamedTuple):
    """A section as shown: its lines, and how many there are in all."""

    key: str
    lines: tuple[BulletinLine, ...]
    total: int

    @property
    def title(self) -> str:
        """Its title."""
        return SECTIONS[self.key].title


class Bulletin(NamedTuple):
    """A bulletin within its budget, as text and in parts; `length` is in the budget's unit."""

    text: str
    sections: tuple[ShownSection, ...]
    length: int

    @property
    def sources(self) -> tuple[str, ...]:
        """The refs and paths that the bulletin names, each once, in their order."""
        named = (format_source(line.source) for part in self.sections for line in part.lines)
        return tuple(dict.fromkeys(named))


EMPTY_BULLETIN = Bulletin("", (), 0)
"""The bulletin of what has none."""


def render_bulletin(draft: BulletinDraft, budget: Budget) -> Bulletin:
    """Return the bulletin of a draft; without lines its text is empty."""
    ranked = rank_lines(draft.lines)
    reserved = int(budget.limit * SECTIONS[SEE_ALSO].max_share) if draft.named_atoms else 0
    available = budget.limit - budget.measure(f"# {draft.title}\n") - reserved
    shown = fit_lines(ranked, budget, available)
    bulletin = _assemble(draft, shown, budget)
    while bulletin.length > budget.limit and any(shown.values()):
        drop_least_important(shown)  # tokens of lines are not exactly those of the whole
        bulletin = _assemble(draft, shown, budget)
    return bulletin


def _assemble(
    draft: BulletinDraft, shown: Mapping[str, Sequence[BulletinLine]], budget: Budget
) -> Bulletin:
    """Return the bulletin with these lines, and with the refs of further atoms that fit."""
    sections = [
        ShownSection(key, _order_lines(key, lines), _count_lines(draft, key))
        for key, lines in shown.items()
        if lines
    ]
    text = _format_text(draft.title, sections)
    if sections and (more := _list_more_atoms(draft, sections, budget, budget.measure(text))):
        sections.append(more)
        text = _format_text(draft.title, sections)
    return Bulletin(text, tuple(sections), budget.measure(text))


def _order_lines(key: str, lines: Sequence[BulletinLine]) -> tuple[BulletinLine, ...]:
    if not SECTIONS[key].is_newest_first:
        return tuple(lines)
    return tuple(sorted(lines, key=lambda line: line.day, reverse=True))


def _list_more_atoms(
    draft: BulletinDraft, sections: Sequence[ShownSection], budget: Budget, used: int
) -> ShownSection | None:
    """Return the section with the refs of further atoms; None without room."""
    shown = {line.source for section in sections for line in section.lines}
    more = [atom for atom in draft.named_atoms if atom.source not in shown]
    section = SECTIONS[SEE_ALSO]
    left = min(budget.limit - used, int(budget.limit * section.max_share))
    left -= budget.measure(f"{format_heading(section.title, 99, 999)}- (2000-01-01)\n")
    chosen: list[BulletinLine] = []
    for atom in more:
        left -= budget.measure(f"{format_source(atom.source)}, ")
        if left < 0:
            break
        chosen.append(atom)
    total = draft.atom_count - (len(draft.named_atoms) - len(more))
    return ShownSection(SEE_ALSO, tuple(chosen), total) if chosen else None


def _count_lines(draft: BulletinDraft, key: str) -> int:
    return sum(line.section == key for line in draft.lines) + draft.uncounted.get(key, 0)


def _format_text(title: str, sections: Sequence[ShownSection]) -> str:
    if not sections:
        return ""
    parts = [f"# {title}\n"]
    for section in sections:
        shared = find_shared_provenance(section.lines)
        parts.append(format_heading(section.title, len(section.lines), section.total, shared))
        if section.key == SEE_ALSO:
            refs = ", ".join(format_source(line.source) for line in section.lines)
            day = max(line.day for line in section.lines)
            parts.append(f"- {refs}{day and f' ({day})'}\n")
        else:
            parts += [f"{format_line(line, shared)}\n" for line in section.lines]
    return "".join(parts)
