"""What is in the tree, what waits for a person, what runs, and what changed last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.text.plural import format_count
from cortexfs.errors import CortexError
from cortexfs.interfaces.tui.atom_rows import format_time, format_when
from cortexfs.interfaces.tui.shown_content import (
    Cell,
    Column,
    Row,
    Subject,
    TableContent,
    Target,
    Tone,
    cell,
    join_parts,
    line,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.interfaces.tui.shown_content import Line
    from cortexfs.operations.log import LogEntry

COLUMNS = (
    Column("", 8),
    Column("What", 20),
    Column("Summary", 0),
    Column("By", 15, 120),
    Column("When", 6),
)
MAX_DECISIONS, MAX_TASKS, MAX_AGENTS, MAX_CHANGES = 5, 3, 5, 30
NOTHING = "Nothing yet: `cortexfs project new` creates a project, `cortexfs new` an atom."


def load_home(context: PanelContext, _request: Request) -> TableContent:
    """Return the state of the tree; a part that fails says so, and hides no other."""
    parts = (_list_decisions, _list_tasks, _list_agents, _list_changes)
    rows = tuple(row for part in parts for row in _run_part(context, part))
    return TableContent(COLUMNS, rows, len(rows), NOTHING, _count_contents(context))


def _run_part(context: PanelContext, part: Callable[[PanelContext], Iterator[Row]]) -> list[Row]:
    try:
        return list(part(context))
    except CortexError as error:
        what = part.__name__.removeprefix("_list_")
        cells = (cell("failed", Tone.BAD), cell(what), cell(error), cell(""), cell(""))
        return [Row(cells, note=(line(str(error)), line(cell(error.hint or "", Tone.MUTED))))]


def _count_contents(context: PanelContext) -> tuple[Line, ...]:
    """Return the figures of the tree."""
    from cortexfs.operations.memory.memory_stats import memory_stats
    from cortexfs.operations.project import summarize_projects

    projects, memories = summarize_projects(context.session), memory_stats(context.session)
    atoms = sum(sum(each.atoms.values()) for each in projects)
    reads = sum(each.reads for each in projects)
    first = (len(projects), "project"), (atoms, "atom"), (reads, "read")
    second = (
        (memories.memories, "memory"),
        (memories.sessions, "session"),
        (memories.prompts, "prompt"),
    )
    return tuple(_format_counts(part) for part in (first, second))


def _format_counts(counts: tuple[tuple[int, str], ...]) -> Line:
    """Return figures in columns, each with its noun."""
    cells: list[Cell] = []
    for number, noun in counts:
        figure, _, plural = format_count(number, noun).partition(" ")
        cells += [Cell(f"{figure:>7}", Tone.STRONG), Cell(f" {plural:<10}", Tone.MUTED)]
    return tuple(cells)


def _list_decisions(context: PanelContext) -> Iterator[Row]:
    """Yield the decisions that a person has to make."""
    from cortexfs.operations.decision import list_decisions

    only = AtomFilter(kinds=(DECISION_KIND,), statuses=("proposed",))
    now = context.session.clock()
    for entry in list_decisions(context.session, only, system=False)[:MAX_DECISIONS]:
        summary, date = entry.atom.text_field("summary"), entry.atom.text_field("date")
        yield _make_row(
            (cell("decide", Tone.WARNING), entry.atom.ref, summary, "", format_when(date, now)),
            entry.atom.ref,
            Subject.DECISION,
            Target("atom", entry.atom.ref),
            "a decision to be made: a accepts it, n rejects it",
        )


def _list_tasks(context: PanelContext) -> Iterator[Row]:
    """Yield the most urgent tasks that can be claimed."""
    from cortexfs.operations.tasks.list_tasks import next_tasks

    found = next_tasks(context.session, context.session.tree.list_projects(), MAX_TASKS)
    for task, _ in found.tasks:
        ref = f"{task.project}/{task.id}"
        yield _make_row(
            (cell("task", Tone.GOOD), ref, task.description, "", ""),
            ref,
            Subject.TASK,
            Target("task", ref),
            join_parts([f"priority {task.priority}", task.text_field("done-when")]),
        )


def _list_agents(context: PanelContext) -> Iterator[Row]:
    """Yield the agents that run now."""
    from cortexfs.operations.list_processes import list_processes

    now = context.session.clock()
    for process in list_processes(context.session)[:MAX_AGENTS]:
        name = join_parts([process.client, process.project])
        yield _make_row(
            (
                cell("agent", Tone.GOOD),
                name or process.id,
                process.text or process.state,
                process.id,
                format_when(process.started, now),
            ),
            process.id,
            Subject.NONE,
            None,
            _describe_process(process),
        )


def _describe_process(process: AgentProcess) -> str:
    seen = f"last sign of life {format_time(process.last_seen)}"
    return join_parts([process.type, process.state, process.id, seen])


def _list_changes(context: PanelContext) -> Iterator[Row]:
    """Yield the last changes of the tree."""
    from cortexfs.operations.log import log

    now = context.session.clock()
    for entry in log(context.session, MAX_CHANGES):
        commit = entry.commit
        yield _make_row(
            (
                cell("changed", Tone.MUTED),
                _name_change(entry),
                commit.subject,
                commit.author,
                format_when(commit.when, now),
            ),
            commit.commit,
            Subject.NONE,
            Target("atom", entry.refs[0]) if entry.refs else None,
            join_parts([commit.commit[:10], f"by {commit.author}", format_time(commit.when)]),
        )


def _name_change(entry: LogEntry) -> str:
    if len(entry.refs) == 1:
        return entry.refs[0]
    if entry.refs:
        return format_count(len(entry.refs), "atom")
    return entry.other_paths[0].rpartition("/")[2] if entry.other_paths else ""


def _make_row(
    cells: tuple[object, ...], key: str, subject: Subject, target: Target | None, note: str
) -> Row:
    kind, what, summary, by, when = cells
    shown = (
        kind if isinstance(kind, Cell) else cell(kind),
        cell(what, Tone.ACCENT),
        cell(summary),
        cell(by, Tone.MUTED),
        cell(when, Tone.MUTED),
    )
    return Row(shown, key, subject, target, (line(summary), line(cell(note, Tone.MUTED))))
