"""Remove a story: its record, its chunks, scenes and arcs, and the entities that only they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Remove, attach_outcome
from cortexfs.core.text.plural import format_count
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.plan_chunk_files import ChunkPlan
from cortexfs.operations.stories.plan_made_rename import plan_made_rename
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import (
    iter_story_atoms,
    list_record_removes,
    refuse_loss_of,
    require_record,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class RemovedStory(NamedTuple):
    """A story that was removed: how many messages it had, and the files of each kind by path."""

    story: str
    records: tuple[str, ...]
    atoms: tuple[str, ...]
    entities: tuple[str, ...]
    plan: Plan
    outcome: Outcome | None = None


def remove_story(
    session: Session, project: str, name: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> RemovedStory:
    """Remove a story in one commit; an entity that a person has edited stays.

    Raises `Refused` for an unknown story, and if git could not bring a text back.
    """
    entities = ProjectEntities(session, project, mode)

    def decide(view: View) -> RemovedStory:
        require_project(view, project)
        records = list_record_removes(require_record(view, project, name))
        atoms = [Remove(path, text) for path, text in iter_story_atoms(view, project, name)]
        refuse_loss_of(view, (*records, *atoms), mode)
        found = entities.plan(view, ChunkPlan(removes=tuple(atoms)))
        message = (
            f"story {project}/{name}: remove {format_count(len(atoms), 'file')} and the record"
        )
        made = plan_made_rename(view, project, name)
        plan = plan_memory_writes(view, message, [*found.writes, *made])
        removes = (*atoms, *found.removes, *records)  # the record last: who is killed runs it again
        plan = plan._replace(removes=removes)
        paths, files, gone = map(_list_paths, (records, atoms, found.removes))
        return RemovedStory(name, paths, files, gone, plan)

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done


def _list_paths(removes: Iterable[Remove]) -> tuple[str, ...]:
    return tuple(each.path for each in removes)
