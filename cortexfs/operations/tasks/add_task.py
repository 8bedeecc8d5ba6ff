"""Add a task, or part one into several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.tasks.edit_tasks import Edit
from cortexfs.core.tasks.file_lock import refuse_locked
from cortexfs.core.tasks.task import DONE, MEDIUM, OPEN
from cortexfs.core.tasks.task_fields import ORDER
from cortexfs.core.tasks.task_ids import new_id, taken
from cortexfs.core.tasks.task_times import day
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_names import kind_named
from cortexfs.operations.tasks.locked_change import change, planned
from cortexfs.operations.tasks.read_boards import find, read_boards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.tasks.task_fields import Given
    from cortexfs.operations.tasks.locked_change import Asking, Changed
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

    Fields = dict[str, Given]


class Part(NamedTuple):
    """One part of a task: what is to be done, and when it is."""

    text: str
    done_when: str = ""


def add(session: Session, project: str, fields: Mapping[str, Given], by: Asking) -> Changed:
    """Add a task at the end of a project's list; keys that say nothing are left out."""

    def decide(view: View) -> Changed:
        boards = read_boards(view)
        board = boards.of(project)
        refuse_locked(board, by.owner, view.clock())
        given = _checked(view, boards, fields)
        task = _numbered(view, boards, [given])[0]
        at = len(board.tasks) + len(board.strays)
        message = f"task add {task['id']}: {task['text']}"
        return planned(view, board, Edit(added=[task]), message, (at,))

    return change(session, decide, by)


def split(session: Session, typed: str, parts: Sequence[Part], by: Asking) -> Changed:
    """Put parts behind a task, which then waits for them; why, priority, template are its own."""

    def decide(view: View) -> Changed:
        boards = read_boards(view)
        task = find(boards, typed, by.project)
        if task.status == DONE:
            raise Refused(f"task `{task.id}` is done")
        board = boards.of(task.project)
        refuse_locked(board, by.owner, view.clock())
        kept = {key: task.text(key) for key in ("why", "priority", "template")}
        drafts = [
            _said({**kept, "text": p.text, "done-when": p.done_when, "parent": task.id})
            for p in parts
        ]
        tasks = _numbered(view, boards, drafts)
        named = ", ".join(str(each["id"]) for each in tasks)
        message = f"task split {task.id}: {named}"
        indexes = tuple(range(task.at + 1, task.at + 1 + len(tasks)))
        return planned(view, board, Edit(added=tasks, after=task.at), message, indexes)

    return change(session, decide, by)


def _checked(view: FileView, boards: Boards, fields: Mapping[str, Given]) -> Fields:
    """Refuse what `task lint` would call an error."""
    given = _said(fields)
    if template := given.get("template"):
        kind_named(view, str(template))
    not_before = str(given.get("not-before", ""))
    if not_before and day(not_before) is None:
        raise Refused(f"`{not_before}` is no date", hint="write it as YYYY-MM-DD")
    for key in ("parent", "depends-on"):
        named = given.get(key, ())
        idents = [named] if isinstance(named, str) else list(named)
        known = [_known(boards, ident) for ident in idents]
        if known:
            given[key] = known[0] if isinstance(named, str) else known
    return given


def _known(boards: Boards, ident: str) -> str:
    """Give the id of a task that is there, or was."""
    archived = ident.strip().rpartition("/")[2]
    return archived if archived in boards.backlog.archived else find(boards, ident).id


def _said(fields: Mapping[str, Given]) -> Fields:
    """Leave out what says nothing, and put each text on one line."""
    lines = {k: one_line(v) if isinstance(v, str) else v for k, v in fields.items()}
    given: Fields = {key: value for key, value in lines.items() if value}
    if not given.get("text"):
        raise Refused("what is to be done?", hint='`cortexfs task add "…"`')
    return given


def _numbered(view: FileView, boards: Boards, drafts: Sequence[Fields]) -> list[Fields]:
    """Give each a free id, and its keys in the order of the format."""
    known = taken(boards.texts)
    tasks = []
    for draft in drafts:
        ident = new_id(f"{view.clock().isoformat()} {draft['text']}", known)
        known.add(ident)
        whole: Fields = {"priority": MEDIUM, **draft, "id": ident, "status": OPEN}
        tasks.append({key: whole[key] for key in ORDER if key in whole})
    return tasks
