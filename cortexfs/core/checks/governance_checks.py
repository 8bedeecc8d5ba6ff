"""Check a governance file: over its cap, empty, or a milestone without a checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.checks.size_limits import find_cap, is_over_cap, measure_text
from cortexfs.core.governance.checklist import find_empty_milestones
from cortexfs.core.governance.project_status import SECTION_TITLES, parse_status_sections
from cortexfs.core.markdown.sections import find_section, parse_sections
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.checks.size_limits import Cap

ROADMAP, STATUS, MISSION = "roadmap.md", "STATUS.md", "mission.md"
GOAL = ("Goal", "Goals", "Purpose", "Objective", "Aim")


def check_governance_file(path: str, text: str, own: Mapping[str, Cap]) -> Iterator[Flaw]:
    """Yield the flaws of a governance file; `own` caps of the tree override the defaults."""
    cap = find_cap(path, own)
    if cap and is_over_cap(text, cap):
        has = measure_text(text)
        said = f"{format_count(has.lines, 'line')} and {format_count(has.bytes, 'byte')}"
        yield Flaw("over-cap", f"{said}; allowed are {cap}")
    own_file = (
        path.removeprefix(f"projects/{project_from_path(path)}/") if project_from_path(path) else ""
    )
    if message := _nothing_said(own_file, text):
        yield Flaw("says-nothing", message)
    if own_file == ROADMAP:
        line, end = 1, 0
        for milestone in find_empty_milestones(text):
            line += text.count("\n", end, milestone.start)
            end = milestone.start
            yield Flaw("bare-milestone", f"`{to_one_line(milestone.title)}` has no checklist", line)


def _nothing_said(name: str, text: str) -> str:
    """Return a message if a governance file has no content, or an empty string."""
    if name == STATUS and not parse_status_sections(text).keys() & SECTION_TITLES.keys():
        return "no section of STATUS.md says anything"
    if name == MISSION:
        goal = find_section(parse_sections(text), GOAL)
        if goal is None or not text[goal.body_start : goal.end].strip():
            return "the mission names no goal"
    return ""
