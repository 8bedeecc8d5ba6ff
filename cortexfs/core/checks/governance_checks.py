"""What is wrong with a governance file: over its cap, empty, or a milestone without a checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.checks.size_limits import cap_of, is_over, size
from cortexfs.core.governance.checklist import bare_milestones
from cortexfs.core.governance.status import TITLES, read_sections
from cortexfs.core.markdown.sections import named, sections
from cortexfs.core.text.plural import counted
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.checks.size_limits import Cap

ROADMAP, STATUS, MISSION = "roadmap.md", "STATUS.md", "mission.md"
GOAL = ("Goal", "Goals", "Purpose", "Objective", "Aim")


def page_flaws(path: str, text: str, own: Mapping[str, Cap]) -> Iterator[Flaw]:
    """Hold a text against the caps, the tree's `own` first, and a roadmap against its rule."""
    cap = cap_of(path, own)
    if cap and is_over(text, cap):
        has = size(text)
        said = f"{counted(has.lines, 'line')} and {counted(has.bytes, 'byte')}"
        yield Flaw("over-cap", f"{said}; allowed are {cap}")
    own_file = path.removeprefix(f"projects/{project_of(path)}/") if project_of(path) else ""
    if message := _nothing_said(own_file, text):
        yield Flaw("says-nothing", message)
    if own_file == ROADMAP:
        line, end = 1, 0
        for milestone in bare_milestones(text):
            line += text.count("\n", end, milestone.start)
            end = milestone.start
            yield Flaw("bare-milestone", f"`{one_line(milestone.title)}` has no checklist", line)


def _nothing_said(name: str, text: str) -> str:
    """Return in which way a governance file says nothing; empty where it says something."""
    if name == STATUS and not read_sections(text).keys() & TITLES.keys():
        return "no section of STATUS.md says anything"
    if name == MISSION:
        goal = named(sections(text), GOAL)
        if goal is None or not text[goal.body : goal.end].strip():
            return "the mission names no goal"
    return ""
