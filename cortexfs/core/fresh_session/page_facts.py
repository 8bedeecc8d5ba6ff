"""What one page tells a fresh session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.governance.checklist import items
from cortexfs.core.governance.status import TITLES, updated
from cortexfs.core.markdown.fences import without_comments
from cortexfs.core.markdown.lists import bullets
from cortexfs.core.markdown.sections import named, plain, sections
from cortexfs.core.markdown.tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.fresh_session.tree_view import World
    from cortexfs.core.markdown.sections import Section

GOAL = ("Goal", "Goals", "Mission", "Purpose", "Objective", "Aim")
SECTIONS = {
    "goal": GOAL,
    "state": (*TITLES["phase"], "Current state", "State", "Status"),
    "blockers": (*TITLES["blockers"], "Open issues", "Known issues"),
    "next": (*TITLES["next"], "Next"),
}
"""Under which headings the parts stand, in the styles of today and of yesterday."""
GROUND = ("Evidence", "Sources")
"""Columns of an index that name what an atom rests on."""
WHY = (("Context", "Background"), ("Alternatives", "Options considered"), ("Decision",))
"""What a decision says, by any of the names of each."""

_OPEN_TASK = re.compile(r"^[ \t]*(?:-[ \t]+)?status:[ \t]*[\"']?open\b", re.MULTILINE)
_ENTRY = re.compile(r"^(?:##[ \t]+\S|[-*][ \t]+\*\*\S)", re.MULTILINE)
_SOURCE = re.compile(
    r"https?://\S|(?<![\w./-])[\w./-]+\.\w{1,8}:\d|`[^`\s]{0,100}[/.][^`\s]{0,100}`"
)
_NOTHING = {"", "tbd", "tba", "n a", "none", "nothing yet", "to be written", "fill in"}
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


class Claim(NamedTuple):
    """Something that a page says is so, and whether it says what that rests on."""

    text: str
    is_grounded: bool


def told(path: str, text: str) -> dict[str, str]:
    """Give the parts that stand on a page that is no atom, each with its heading."""
    found, shown = sections(text), without_comments(text)
    said = {
        name: f"§ {section.title}"
        for name, titles in SECTIONS.items()
        if (section := named(found, titles)) and _says(shown, section, name)
    }
    file = path.rpartition("/")[2]
    if file == "ISSUES.md" and _ENTRY.search(text):
        said.setdefault("blockers", "its entries")
    if file == "TASKS.yaml" and _OPEN_TASK.search(text):
        said.setdefault("next", "its open tasks")
    return said


def dated(text: str) -> str:
    """Give the day that a page says it was updated on."""
    return updated(text)


def gives_reasons(text: str) -> bool:
    """Tell whether a decision says what it was about, what else there was, and what was chosen."""
    found, shown = sections(text), without_comments(text)
    return all((one := named(found, titles)) and _says(shown, one) for titles in WHY)


def claims(text: str, world: World) -> Iterator[Claim]:
    """Give what a page says has been reached or is known: progress, ticks, rows of knowledge."""
    found = sections(text)
    if progress := named(found, TITLES["progress"]):
        for bullet in bullets(text, progress.body, progress.end):
            yield _claim(text[bullet.start : bullet.end], world)
    for item in items(text):
        if item.done:
            yield _claim(text[item.box : item.end], world)
    yield from (Claim(said, _is_sourced(ground, world)) for said, ground in _rows(text))


def _claim(text: str, world: World) -> Claim:
    return Claim(" ".join(text.split()), _is_sourced(text, world))


def _is_sourced(text: str, world: World) -> bool:
    """Tell whether a text names an atom that stands, or a file, a line or an address."""
    known = (world.atom(cited) for cited, _ in cites(text))
    return any(atom is not None and atom.stands for atom in known) or bool(_SOURCE.search(text))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """Give the first cell and the ground of each row of a table that has a column for it."""
    for table in tables(text):
        columns = [table.heads.index(head) for head in GROUND if head in table.heads]
        for row in table.rows if columns else ():
            if len(row.cells) > columns[0]:
                yield _LINK.sub(r"\1", row.cells[0]), row.cells[columns[0]]


def _says(text: str, section: Section, part: str = "") -> bool:
    """Tell whether a section says anything; that there is no blocker is something."""
    body = text[section.body : section.end].split("\n")
    kept = [line for line in body if not _has_placeholder(line)]
    words = plain(" ".join(re.sub(r"\[[ xX]\]", "", line) for line in kept))
    return words not in (_NOTHING - {"none"} if part == "blockers" else _NOTHING)


def _has_placeholder(line: str) -> bool:
    """Tell whether a line holds `{{…}}`: the first that opens, and the last that closes."""
    opening = line.find("{{")
    return opening >= 0 and line.rfind("}}") >= opening + len("{{")
