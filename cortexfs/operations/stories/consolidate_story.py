"""Make the scenes and arcs of a story that are due, also where the settings do not say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.text.plural import format_count
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.chunk_sources import list_chunk_sources
from cortexfs.operations.stories.plan_chunk_files import ChunkPlan
from cortexfs.operations.stories.plan_summaries import plan_summaries
from cortexfs.operations.stories.story_record import plan_writes_after_lists, require_record

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class ConsolidatedStory(NamedTuple):
    """The scenes and arcs of a story, what changes, and the outcome (None: a dry run)."""

    story: str
    summaries: SummaryPlan
    plan: Plan
    outcome: Outcome | None = None


def consolidate_story(
    session: Session,
    project: str,
    name: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> ConsolidatedStory:
    """Make the scenes and arcs of a story current, from its chunks as they are."""

    def decide(view: View) -> ConsolidatedStory:
        require_project(view, project)
        require_record(view, project, name)
        place = (project, name)
        sources = list_chunk_sources(view, place, ChunkPlan())
        made = plan_summaries(view, place, sources, may_create=True)
        scenes, arcs = format_count(made.scenes, "scene"), format_count(made.arcs, "arc")
        message = f"story {project}/{name}: consolidate into {scenes} and {arcs}"
        plan = plan_writes_after_lists(view, message, made.writes)
        return ConsolidatedStory(name, made, plan._replace(removes=made.removes))

    return attach_outcome(session.execute(decide, mode))
