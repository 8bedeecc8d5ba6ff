"""Extract what a fresh session learns from one page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.governance.checklist import parse_checklist
from cortexfs.core.governance.project_status import SECTION_TITLES, parse_updated_day
from cortexfs.core.markdown.fences import blank_comments
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import (
    find_section,
    find_section_in_text,
    normalize_title,
    parse_sections,
)
from cortexfs.core.markdown.tables import find_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.fresh_session.project_view import ProjectView
    from cortexfs.core.markdown.sections import MarkdownSection

GOAL_TITLES = ("Goal", "Goals", "Mission", "Purpose", "Objective", "Aim")
CRITERION_TITLES = {
    "goal": GOAL_TITLES,
    "state": (*SECTION_TITLES["phase"], "Current state", "State", "Status"),
    "blockers": (*SECTION_TITLES["blockers"], "Open issues", "Known issues"),
    "next": (*SECTION_TITLES["next"], "Next"),
}
"""The headings of each part, in the present and in older formats."""
SOURCE_COLUMNS = ("Evidence", "Sources")
"""Columns of an index with the evidence of an atom."""
REASON_TITLES = (("Context", "Background"), ("Alternatives", "Options considered"), ("Decision",))
"""The sections that a decision needs, with the alternative titles of each."""

_OPEN_TASK = re.compile(r"^[ \t]*(?:-[ \t]+)?status:[ \t]*[\"']?open\b", re.MULTILINE)
_ISSUE_ENTRY = re.compile(r"^(?:##[ \t]+\S|[-*][ \t]+\*\*\S)", re.MULTILINE)
_EXTERNAL_SOURCE = re.compile(
    r"https?://\S|(?<![\w./-])[\w./-]+\.\w{1,8}:\d|`[^`\s]{0,100}[/.][^`\s]{0,100}`"
)
_EMPTY_PHRASES = {"", "tbd", "tba", "n a", "none", "nothing yet", "to be written", "fill in"}
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


class PageClaim(NamedTuple):
    """A claim on a page, and whether it cites evidence."""

    text: str
    has_source: bool


def find_criteria(path: str, text: str) -> dict[str, str]:
    """Return the parts found on a page other than an atom, each with its heading."""
    sections, visible = parse_sections(text), blank_comments(text)
    headings = {
        name: f"§ {section.title}"
        for name, titles in CRITERION_TITLES.items()
        if (section := find_section(sections, titles)) and _has_content(visible, section, name)
    }
    file = path.rpartition("/")[2]
    if file == "ISSUES.md" and _ISSUE_ENTRY.search(text):
        headings.setdefault("blockers", "its entries")
    if file == "TASKS.yaml" and _OPEN_TASK.search(text):
        headings.setdefault("next", "its open tasks")
    return headings


def parse_update_date(text: str) -> str:
    """Return the day on which a page states that it was updated."""
    return parse_updated_day(text)


def has_reasons(text: str) -> bool:
    """Return whether a decision has context, alternatives and the decision itself."""
    sections, visible = parse_sections(text), blank_comments(text)
    return all(
        (section := find_section(sections, titles)) and _has_content(visible, section)
        for titles in REASON_TITLES
    )


def find_claims(text: str, view: ProjectView) -> Iterator[PageClaim]:
    """Yield the claims of a page: progress, checked items, and table rows with evidence."""
    if progress := find_section_in_text(text, SECTION_TITLES["progress"]):
        for bullet in find_list_items(text, progress.body_start, progress.end):
            yield _make_claim(text[bullet.start : bullet.end], view)
    for item in parse_checklist(text):
        if item.done:
            yield _make_claim(text[item.mark_offset : item.end], view)
    yield from (
        PageClaim(claim, _has_evidence(evidence, view))
        for claim, evidence in _find_evidence_cells(text)
    )


def _make_claim(text: str, view: ProjectView) -> PageClaim:
    return PageClaim(" ".join(text.split()), _has_evidence(text, view))


def _has_evidence(text: str, view: ProjectView) -> bool:
    """Return whether a text cites a current atom, a file, a line or a URL."""
    cited_atoms = (view.find_atom(cited) for cited, _ in find_cited_refs(text))
    return any(atom is not None and atom.is_current for atom in cited_atoms) or bool(
        _EXTERNAL_SOURCE.search(text)
    )


def _find_evidence_cells(text: str) -> Iterator[tuple[str, str]]:
    """Yield the first cell and the evidence of each row, in tables with such a column."""
    for table in find_tables(text):
        columns = [table.headers.index(head) for head in SOURCE_COLUMNS if head in table.headers]
        for row in table.rows if columns else ():
            if len(row.cells) > columns[0]:
                yield _LINK.sub(r"\1", row.cells[0]), row.cells[columns[0]]


def _has_content(text: str, section: MarkdownSection, criterion: str = "") -> bool:
    """Return whether a section has content; for blockers, "none" is content."""
    body = text[section.body_start : section.end].split("\n")
    filled_in = [line for line in body if not _has_placeholder(line)]
    words = normalize_title(" ".join(re.sub(r"\[[ xX]\]", "", line) for line in filled_in))
    return words not in (_EMPTY_PHRASES - {"none"} if criterion == "blockers" else _EMPTY_PHRASES)


def _has_placeholder(line: str) -> bool:
    """Return whether a line contains `{{…}}`, from the first opening to the last closing."""
    opening = line.find("{{")
    return opening >= 0 and line.rfind("}}") >= opening + len("{{")
