"""What is in the tree, what waits for a person, what runs, and what changed last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom_origin import AGENT
from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.text.plural import format_count
from cortexfs.errors import CortexError
from cortexfs.interfaces.tui.atom_rows import (
    AUTHOR_COLUMNS,
    describe_origin,
    format_author,
    format_time,
    format_when,
    make_author_cells,
    read_origin,
)
from cortexfs.interfaces.tui.shown_content import (
    Cell,
    Column,
    Row,
    Subject,
    TableContent,
    Target,
    Tone,
)
from cortexfs.interfaces.tui.shown_text import cell, join_parts, make_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.interfaces.tui.shown_content import Line
    from cortexfs.operations.log import LogEntry

    Part = Callable[[PanelContext], Iterator[Row]]

COLUMNS = (
    Column("", 8),
    Column("What", 20),
    Column("Summary", 0),
    *AUTHOR_COLUMNS,
    Column("When", 6),
)
MAX_DECISIONS, MAX_TASKS, MAX_AGENTS, MAX_CHANGES = 5, 3, 5, 30
DECIDE = cell("decide", Tone.WARNING)
NOBODY = make_author_cells("", "")
NOTHING = "Nothing yet: `cortexfs project new` creates a project, `cortexfs new` an atom."


def preview_home(context: PanelContext, _request: Request) -> TableContent:
    """Return the page without the proposals of merges, which may take long to find."""
    parts = (_list_decisions, _list_tasks, _list_agents, _list_changes)
    return _make_page(context, parts)


def load_home(context: PanelContext, _request: Request) -> TableContent:
    """Return the state of the tree; a part that fails says so, and hides no other."""
    parts = (_list_decisions, _list_merges, _list_tasks, _list_agents, _list_changes)
    return _make_page(context, parts)


def _make_page(context: PanelContext, parts: tuple[Part, ...]) -> TableContent:
    rows = tuple(row for part in parts for row in _run_part(context, part))
    return TableContent(COLUMNS, rows, len(rows), NOTHING, _count_contents(context))


def _run_part(context: PanelContext, part: Part) -> list[Row]:
    try:
        return list(part(context))
    except CortexError as error:
        what = part.__name__.removeprefix("_list_")
        cells = _make_cells(cell("failed", Tone.BAD), what, str(error))
        return [Row(cells, note=make_note(error, error.hint))]


def _count_contents(context: PanelContext) -> tuple[Line, ...]:
    """Return the figures of the tree."""
    from cortexfs.operations.memory.memory_stats import memory_stats
    from cortexfs.operations.project import summarize_projects

    projects, memories = summarize_projects(context.session), memory_stats(context.session)
    atoms = sum(sum(each.atoms.values()) for each in projects)
    reads = sum(each.reads for each in projects)
    decisions = len(_list_proposed(context))
    first = (
        (len(projects), "project"),
        (atoms, "atom"),
        (reads, "read"),
        (decisions, "open decision"),
    )
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


def _list_proposed(context: PanelContext) -> list[AtomWithReads]:
    """Return the decisions that a person has to make."""
    from cortexfs.operations.decision import list_decisions

    only = AtomFilter(kinds=(DECISION_KIND,), statuses=("proposed",))
    return list_decisions(context.session, only, system=False)


def _list_decisions(context: PanelContext) -> Iterator[Row]:
    """Yield the first decisions that a person has to make."""
    now = context.session.clock()
    for entry in _list_proposed(context)[:MAX_DECISIONS]:
        atom, origin = entry.atom, read_origin(entry.atom)
        ref, summary, created = atom.ref, atom.text_field("summary"), origin.created
        by = make_author_cells(origin.sort, format_author(origin))
        yield Row(
            _make_cells(DECIDE, ref, summary, by, format_when(created, now)),
            ref,
            Subject.DECISION,
            Target("atom", ref),
            make_note(summary, "a accepts it, n rejects it", describe_origin(origin)),
        )


def _list_merges(context: PanelContext) -> Iterator[Row]:
    """Yield a row for all memories that may be merged."""
    from cortexfs.operations.list_merge_proposals import list_merge_proposals

    if count := list_merge_proposals(context.session, limit=0).total:
        summary = f"{format_count(count, 'pair')} of similar memories may be merged"
        cells = _make_cells(DECIDE, "Merges", summary)
        yield Row(cells, target=Target("merges"), note=make_note(summary, "Enter lists them"))


def _list_tasks(context: PanelContext) -> Iterator[Row]:
    """Yield the most urgent tasks that can be claimed."""
    from cortexfs.operations.tasks.list_tasks import next_tasks

    found = next_tasks(context.session, context.session.tree.list_projects(), MAX_TASKS)
    for task, _ in found.tasks:
        ref = f"{task.project}/{task.id}"
        yield Row(
            _make_cells(cell("task", Tone.GOOD), ref, task.description),
            ref,
            Subject.TASK,
            Target("task", ref),
            make_note(task.description, f"priority {task.priority}", task.text_field("done-when")),
        )


def _list_agents(context: PanelContext) -> Iterator[Row]:
    """Yield the agents that run now."""
    from cortexfs.operations.list_processes import list_processes

    now = context.session.clock()
    for process in list_processes(context.session)[:MAX_AGENTS]:
        name = join_parts([process.client, process.project]) or process.id
        text = process.text or process.state
        by = make_author_cells(AGENT, process.id)
        when = format_when(process.started, now)
        seen = f"last sign of life {format_time(process.last_seen)}"
        yield Row(
            _make_cells(cell("agent", Tone.GOOD), name, text, by, when),
            process.id,
            note=make_note(text, process.type, process.state, process.id, seen),
        )


def _list_changes(context: PanelContext) -> Iterator[Row]:
    """Yield the last changes of the tree."""
    from cortexfs.operations.log import log

    now = context.session.clock()
    for entry in log(context.session, MAX_CHANGES):
        commit = entry.commit
        author, subject = commit.author, commit.subject
        by = make_author_cells(author.partition(" ")[0], author)
        when = format_when(commit.when, now)
        yield Row(
            _make_cells(cell("changed", Tone.MUTED), _name_change(entry), subject, by, when),
            commit.commit,
            target=Target("atom", entry.refs[0]) if entry.refs else None,
            note=make_note(subject, commit.commit[:10], f"by {author}", format_time(commit.when)),
        )


def _name_change(entry: LogEntry) -> str:
    if len(entry.refs) == 1:
        return entry.refs[0]
    if entry.refs:
        return format_count(len(entry.refs), "atom")
    return entry.other_paths[0].rpartition("/")[2] if entry.other_paths else ""


def _make_cells(
    kind: Cell, what: str, summary: str, by: tuple[Cell, Cell] = NOBODY, when: str = ""
) -> tuple[Cell, ...]:
    return (kind, cell(what, Tone.ACCENT), cell(summary), *by, cell(when, Tone.MUTED))
