"""Extract what a fresh session learns from one page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import find_cited_refs
from cortexfs.core.governance.checklist import parse_checklist
from cortexfs.core.governance.project_status import SECTION_TITLES, parse_updated_day
from cortexfs.core.markdown.fences import blank_comments
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import find_section, normalize_title, parse_sections
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
"""Columns of an index that name the evidence of an atom."""
REASON_TITLES = (("Context", "Background"), ("Alternatives", "Options considered"), ("Decision",))
"""The sections that a decision needs, with the alternative titles of each."""

_OPEN_TASK = re.compile(r"^[ \t]*(?:-[ \t]+)?status:[ \t]*[\"']?open\b", re.MULTILINE)
_ENTRY = re.compile(r"^(?:##[ \t]+\S|[-*][ \t]+\*\*\S)", re.MULTILINE)
_SOURCE = re.compile(
    r"https?://\S|(?<![\w./-])[\w./-]+\.\w{1,8}:\d|`[^`\s]{0,100}[/.][^`\s]{0,100}`"
)
_NOTHING = {"", "tbd", "tba", "n a", "none", "nothing yet", "to be written", "fill in"}
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


class PageClaim(NamedTuple):
    """A claim on a page, and whether it cites evidence."""

    text: str
    has_source: bool


def find_criteria(path: str, text: str) -> dict[str, str]:
    """Return the parts found on a page other than an atom, each with its heading."""
    found, shown = parse_sections(text), blank_comments(text)
    said = {
        name: f"§ {section.title}"
        for name, titles in CRITERION_TITLES.items()
        if (section := find_section(found, titles)) and _says(shown, section, name)
    }
    file = path.rpartition("/")[2]
    if file == "ISSUES.md" and _ENTRY.search(text):
        said.setdefault("blockers", "its entries")
    if file == "TASKS.yaml" and _OPEN_TASK.search(text):
        said.setdefault("next", "its open tasks")
    return said


def parse_update_date(text: str) -> str:
    """Return the day on which a page states that it was updated."""
    return parse_updated_day(text)


def has_reasons(text: str) -> bool:
    """Return whether a decision has context, alternatives and the decision itself."""
    found, shown = parse_sections(text), blank_comments(text)
    return all(
        (one := find_section(found, titles)) and _says(shown, one) for titles in REASON_TITLES
    )


def find_claims(text: str, view: ProjectView) -> Iterator[PageClaim]:
    """Yield the claims of a page: progress, checked items, and table rows with evidence."""
    found = parse_sections(text)
    if progress := find_section(found, SECTION_TITLES["progress"]):
        for bullet in find_list_items(text, progress.body_start, progress.end):
            yield _claim(text[bullet.start : bullet.end], view)
    for item in parse_checklist(text):
        if item.done:
            yield _claim(text[item.mark_offset : item.end], view)
    yield from (PageClaim(said, _is_sourced(ground, view)) for said, ground in _rows(text))


def _claim(text: str, view: ProjectView) -> PageClaim:
    return PageClaim(" ".join(text.split()), _is_sourced(text, view))


def _is_sourced(text: str, view: ProjectView) -> bool:
    """Return whether a text cites a current atom, a file, a line or a URL."""
    known = (view.find_atom(cited) for cited, _ in find_cited_refs(text))
    return any(atom is not None and atom.is_current for atom in known) or bool(_SOURCE.search(text))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield the first cell and the evidence of each row, in tables with such a column."""
    for table in find_tables(text):
        columns = [table.headers.index(head) for head in SOURCE_COLUMNS if head in table.headers]
        for row in table.rows if columns else ():
            if len(row.cells) > columns[0]:
                yield _LINK.sub(r"\1", row.cells[0]), row.cells[columns[0]]


def _says(text: str, section: MarkdownSection, part: str = "") -> bool:
    """Return whether a section has content; for blockers, "none" is content."""
    body = text[section.body_start : section.end].split("\n")
    kept = [line for line in body if not _has_placeholder(line)]
    words = normalize_title(" ".join(re.sub(r"\[[ xX]\]", "", line) for line in kept))
    return words not in (_NOTHING - {"none"} if part == "blockers" else _NOTHING)


def _has_placeholder(line: str) -> bool:
    """Return whether a line contains `{{…}}`, from the first opening to the last closing."""
    opening = line.find("{{")
    return opening >= 0 and line.rfind("}}") >= opening + len("{{")
