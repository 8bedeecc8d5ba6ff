"""Read the tasks of the whole tree, and find one by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.tree_paths import OVERVIEW_MD
from cortexfs.core.tasks.archive import parse_archived_ids
from cortexfs.core.tasks.edit_tasks import make_unreadable_error
from cortexfs.core.tasks.priority_words import parse_project_ranks
from cortexfs.core.tasks.task_and_board import archive_path, parse_board, tasks_path
from cortexfs.core.tasks.task_readiness import Backlog
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import AmbiguousRef, NoSuchTask, OutsideTree, Refused
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.tasks.task_and_board import Task, TaskBoard
    from cortexfs.session.view import TreeFilesAndGit


class Boards(NamedTuple):
    """Every readable TASKS.yaml by project, the problems of the others, and all tasks.

    `texts` are those of all boards and archives, readable or not. `unopened_archives` has the
    reason for each project whose archive cannot be opened.
    """

    boards: Mapping[str, TaskBoard]
    unreadable: Mapping[str, Flaw]
    unopened_archives: Mapping[str, Flaw]
    backlog: Backlog
    texts: tuple[str, ...]

    def get_board(self, project: str) -> TaskBoard:
        """Return a project's board; raise `Unreadable` if it cannot be read."""
        if project in self.unreadable:
            raise make_unreadable_error(tasks_path(project), self.unreadable[project])
        return self.boards[project]

    def list_flaws(self, projects: Collection[str]) -> list[Finding]:
        """Return which boards and archives of some projects cannot be read."""
        return [
            Finding(path(project), flaw.code, flaw.message, flaw.line, flaw.column)
            for path, flaws in (
                (tasks_path, self.unreadable),
                (archive_path, self.unopened_archives),
            )
            for project, flaw in flaws.items()
            if project in projects
        ]


def read_boards(view: TreeFilesAndGit) -> Boards:
    """Read every TASKS.yaml of the tree; an unreadable file does not affect the others."""
    boards, unreadable, unopened_archives, texts, archives = {}, {}, {}, [], []
    for project in view.tree.list_projects():
        text = read_optional_text(view, tasks_path(project))
        board = text if isinstance(text, Flaw) else parse_board(project, text)
        if isinstance(board, Flaw):
            unreadable[project] = board
        else:
            boards[project] = board
        archived = _read_lossy_text(view, archive_path(project))
        if isinstance(archived, Flaw):
            unopened_archives[project] = archived
        archives.append(_text_or_empty(archived))
        texts.append(_text_or_empty(text))
    backlog = Backlog.from_tasks(
        (task for board in boards.values() for task in board.tasks),
        frozenset().union(*map(parse_archived_ids, archives)),
        parse_project_ranks(read_text_or_empty(view, OVERVIEW_MD)),
        view.clock().date(),
    )
    return Boards(boards, unreadable, unopened_archives, backlog, (*texts, *archives))


def find_task(boards: Boards, typed: str, project: str | None = None) -> Task:
    """Return a task by `3fa9` or `driftwood/3fa9`.

    Raises `NoSuchTask` with the nearest, `AmbiguousRef` if several projects have it, and
    `Unreadable` if it can only be in an unreadable file.
    """
    wanted_project, _, ident = typed.strip().lower().rpartition("/")
    wanted_project = wanted_project or project or ""
    if wanted_project in boards.unreadable:
        boards.get_board(wanted_project)
    tasks = [task for task in boards.backlog.tasks if wanted_project in {"", task.project}]
    found = [task for task in tasks if task.id == ident and ident]
    if not found:
        for other in boards.unreadable:
            boards.get_board(other)
        raise NoSuchTask(typed, close=nearest_names(ident, [t.id for t in tasks]))
    projects = sorted({task.project for task in found})
    if len(projects) > 1:
        raise AmbiguousRef(typed, [f"{each}/{ident}" for each in projects])
    if len(found) > 1:
        lines = " and ".join(str(task.line) for task in found)
        hint = "give one of them another id by hand"
        raise Refused(
            f"{tasks_path(projects[0])}: tasks on lines {lines} have the id `{ident}`", hint=hint
        )
    return found[0]


def read_optional_text(view: TreeFilesAndGit, path: str) -> str | Flaw | None:
    """Return the text of a file that may be missing; a flaw if it cannot be read."""
    if not view.tree.is_path_taken(path):
        return None
    source = view.tree.read_text_or_flaw(path)
    return source if isinstance(source, Flaw) else source.text


def _read_lossy_text(view: TreeFilesAndGit, path: str) -> str | Flaw | None:
    """Return the text of a file that may be missing, with any bytes; a flaw if not opened."""
    try:
        return view.tree.read_text_lossy(path)
    except (OSError, OutsideTree):
        source = view.tree.read_text_or_flaw(path)
        return source if isinstance(source, Flaw) else source.text


def _text_or_empty(text: str | Flaw | None) -> str:
    return text if isinstance(text, str) else ""
