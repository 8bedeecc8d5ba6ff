"""What is wrong with a governance file: over its cap, or a milestone without a checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.checks.size_limits import cap_of, is_over, size
from cortexfs.core.governance.checklist import bare_milestones
from cortexfs.core.text.plural import counted
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.checks.size_limits import Cap

ROADMAP = "roadmap.md"


def page_flaws(path: str, text: str, own: Mapping[str, Cap]) -> Iterator[Flaw]:
    """Hold a text against the caps, the tree's `own` first, and a roadmap against its rule."""
    cap = cap_of(path, own)
    if cap and is_over(text, cap):
        has = size(text)
        said = f"{counted(has.lines, 'line')} and {counted(has.bytes, 'byte')}"
        yield Flaw("over-cap", f"{said}; allowed are {cap}")
    if project_of(path) and path == f"projects/{project_of(path)}/{ROADMAP}":
        line, end = 1, 0
        for milestone in bare_milestones(text):
            line += text.count("\n", end, milestone.start)
            end = milestone.start
            yield Flaw("bare-milestone", f"`{one_line(milestone.title)}` has no checklist", line)
