"""Give a story another name: its record, and what its chunks, scenes and arcs say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.stories.chunk_file import rename_story_in_file
from cortexfs.core.stories.story_name import record_path
from cortexfs.errors import Refused
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.plan_chunk_files import ChunkPlan
from cortexfs.operations.stories.plan_made_rename import plan_made_rename
from cortexfs.operations.stories.project_entities import ProjectEntities
from cortexfs.operations.stories.story_record import (
    iter_story_atoms,
    list_record_removes,
    read_record,
    refuse_loss_of,
    require_record,
)

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.operations.stories.story_record import StoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class RenamedStory(NamedTuple):
    """The old and the new name of a story, and the files that say it."""

    old: str
    new: str
    changed_paths: tuple[str, ...]
    plan: Plan
    outcome: Outcome | None = None


def rename_story(
    session: Session,
    project: str,
    old: str,
    new: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RenamedStory:
    """Give a story another name, in one commit. Refs of its chunks stay as they are.

    Raises `Refused` for an unknown story, and for a name that is taken or cannot be one.
    """
    entities = ProjectEntities(session, project, mode)

    def decide(view: View) -> RenamedStory:
        require_project(view, project)
        record = require_record(view, project, old)
        records = _plan_record(view, record, new)
        removes = list_record_removes(record)
        refuse_loss_of(view, removes, mode)
        atoms = tuple(
            Write(path, rename_story_in_file(text, old, new), text)
            for path, text in iter_story_atoms(view, project, old)
        )
        found = entities.plan(view, ChunkPlan(atoms))
        message = f"story {project}/{old}: rename to {new}"
        made = plan_made_rename(view, project, old, new)
        plan = plan_memory_writes(view, message, [*atoms, *found.writes, *made, *records])
        plan = plan._replace(removes=(*removes, *found.removes))
        return RenamedStory(old, new, tuple(each.path for each in atoms), plan)

    done = attach_outcome(session.execute(decide, mode))
    entities.keep()
    return done


def _plan_record(view: View, record: StoryRecord, new: str) -> list[Write]:
    """Return the writes of a record with another name; none if a rename that was killed made them.

    Raises `Refused` if another story has the name.
    """
    taken = read_record(view, record.project, new).parts
    if new == record.name or taken not in {(), record.parts}:
        hint = "`cortexfs story list` lists the names"
        raise Refused(f"project `{record.project}` has a story `{new}` already", hint=hint)
    return [
        Write(record_path(record.project, new, part), text)
        for part, text in enumerate(record.parts, start=1)
        if not taken
    ]
