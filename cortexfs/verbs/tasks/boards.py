"""Read the tasks of the whole tree, and find the one that is meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atom import Finding, Flaw
from cortexfs.core.tasks.archive import archived_ids
from cortexfs.core.tasks.backlog import Backlog
from cortexfs.core.tasks.edit import unreadable
from cortexfs.core.tasks.ranks import project_ranks
from cortexfs.core.tasks.task import archive_of, path_of, read_board
from cortexfs.errors import AmbiguousRef, NoSuchTask, Refused
from cortexfs.verbs.resolve import project_here, project_named

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.tasks.task import Board, Task
    from cortexfs.cortex import Cortex

OVERVIEW = "OVERVIEW.md"


class Boards(NamedTuple):
    """Every TASKS.yaml that can be read by its project, why others cannot, and all their tasks.

    `texts` are those of all boards and archives, whether they can be read or not.
    """

    boards: Mapping[str, Board]
    broken: Mapping[str, Flaw]
    backlog: Backlog
    texts: tuple[str, ...]

    def of(self, project: str) -> Board:
        """Give a project's board; raises `Unreadable` where it cannot be read."""
        if project in self.broken:
            raise unreadable(path_of(project), self.broken[project])
        return self.boards[project]

    def flaws(self, projects: Collection[str]) -> list[Finding]:
        """Say which boards of some projects cannot be read."""
        return [
            Finding(path_of(project), flaw.code, flaw.message, flaw.line, flaw.column)
            for project, flaw in self.broken.items()
            if project in projects
        ]


def read_boards(cortex: Cortex) -> Boards:
    """Read every TASKS.yaml of the tree; one that cannot be read stops nobody."""
    boards, broken, texts, archives = {}, {}, [], []
    for project in cortex.tree.projects():
        text = text_of(cortex, path_of(project))
        board = text if isinstance(text, Flaw) else read_board(project, text)
        if isinstance(board, Flaw):
            broken[project] = board
        else:
            boards[project] = board
        archives.append(cortex.tree.text(archive_of(project)) or "")
        texts.append("" if text is None or isinstance(text, Flaw) else text)
    backlog = Backlog.of(
        (task for board in boards.values() for task in board.tasks),
        frozenset().union(*map(archived_ids, archives)),
        project_ranks(cortex.tree.text(OVERVIEW) or ""),
        cortex.clock().date(),
    )
    return Boards(boards, broken, backlog, (*texts, *archives))


def scope(cortex: Cortex, project: str | None, cwd: str) -> list[str]:
    """Name the projects that are meant: the named one, the one around, or all."""
    if project:
        return [project_named(cortex, project)]
    here = project_here(cortex, cwd)
    return [here] if here else cortex.tree.projects()


def find(boards: Boards, typed: str, project: str | None = None) -> Task:
    """Find a task by `3fa9` or `driftwood/3fa9`.

    Raises `NoSuchTask` with the nearest, `AmbiguousRef` where several projects have it, and
    `Unreadable` where it can only be in a file that cannot be read.
    """
    within, _, ident = typed.strip().lower().rpartition("/")
    within = within or project or ""
    if within in boards.broken:
        boards.of(within)
    tasks = [task for task in boards.backlog.tasks if within in {"", task.project}]
    found = [task for task in tasks if task.id == ident and ident]
    if not found:
        for other in boards.broken:
            boards.of(other)
        raise NoSuchTask(typed, close=get_close_matches(ident, [t.id for t in tasks], n=1))
    bearers = sorted({task.project for task in found})
    if len(bearers) > 1:
        raise AmbiguousRef(typed, [f"{bearer}/{ident}" for bearer in bearers])
    if len(found) > 1:
        lines = " and ".join(str(task.line) for task in found)
        hint = "give one of them another id by hand"
        raise Refused(f"{path_of(bearers[0])}: tasks on lines {lines} bear `{ident}`", hint=hint)
    return found[0]


def text_of(cortex: Cortex, path: str) -> str | Flaw | None:
    """Read a file that may be missing; what keeps it from being read is a flaw."""
    above, _, name = path.rpartition("/")
    if name not in cortex.tree.names(above):
        return None
    source = cortex.tree.read(path)
    return source if isinstance(source, Flaw) else source.text
