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
GOAL_TITLES = ("Goal", "Goals", "Purpose", "Objective", "Aim")


def check_governance_file(path: str, text: str, tree_caps: Mapping[str, Cap]) -> Iterator[Flaw]:
    """Yield the flaws of a governance file; `own` caps of the tree override the defaults."""
    cap = find_cap(path, tree_caps)
    if cap and is_over_cap(text, cap):
        lines, size = measure_text(text)
        has = f"{format_count(lines, 'line')} and {format_count(size, 'byte')}"
        yield Flaw("over-cap", f"{has}; the cap is {cap}")
    project = project_from_path(path)
    name = path.removeprefix(f"projects/{project}/") if project else ""
    if message := _find_missing_content(name, text):
        yield Flaw("says-nothing", message)
    if name == ROADMAP:
        line, counted = 1, 0
        for milestone in find_empty_milestones(text):
            line += text.count("\n", counted, milestone.start)
            counted = milestone.start
            yield Flaw("bare-milestone", f"`{to_one_line(milestone.title)}` has no checklist", line)


def _find_missing_content(name: str, text: str) -> str:
    """Return a message if a governance file has no content, or an empty string."""
    if name == STATUS and not parse_status_sections(text).keys() & SECTION_TITLES.keys():
        return "every section is empty"
    if name == MISSION:
        goal = find_section(parse_sections(text), GOAL_TITLES)
        if goal is None or not text[goal.body_start : goal.end].strip():
            return "there is no goal"
    return ""
