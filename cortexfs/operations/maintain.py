"""Find what a tree that has grown needs, and mark what is only a matter of rule."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.atoms.tree_paths import LISTING
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.maintain.body_signals import Said, read_said
from cortexfs.core.maintain.inputs import Study, full, is_anti_pattern
from cortexfs.core.maintain.report import Mark, Report, marks, report
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.cortex import Cortex

GOVERNANCE = (LISTING, "mission.md", "roadmap.md", "STATUS.md", "ISSUES.md", "TASKS.yaml")
"""Files of a project that name atoms too: what they name is not forgotten."""


class Maintained(NamedTuple):
    """What each project needs, and what follows from a rule alone."""

    reports: list[Report]
    marks: list[Mark]


class Applied(NamedTuple):
    """What has been marked, and what was passed over: its author has not committed it."""

    outcome: Outcome
    marked: list[Mark]
    passed_over: list[str]


def maintain(
    cortex: Cortex, projects: Sequence[str] | None, *, dry_run: bool = False
) -> Maintained:
    """Look at some projects, or at all of them; a dry run leaves notes of hooks where they are."""
    if dry_run:
        cortex.refresh()
    else:
        cortex.catch_up()
    return _look(cortex, projects)


def apply(cortex: Cortex, projects: Sequence[str] | None, *, commit: bool = True) -> Applied:
    """Mark what is only a matter of rule, in one commit."""
    wanted: list[Mark] = []

    def planner(view: Cortex) -> Plan:
        wanted[:] = _look(view, projects).marks
        return plan_marks(view, wanted)

    outcome = cortex.carry_out(planner, commit=commit)
    written = {write.path for write in outcome.plan.writes}
    left = [mark.path for mark in wanted if mark.path not in written]
    return Applied(outcome, [mark for mark in wanted if mark.path in written], left)


def plan_marks(cortex: Cortex, wanted: Sequence[Mark]) -> Plan:
    """Decide what is written; what its author has not committed is left to him."""
    theirs = cortex.ledger.theirs([mark.path for mark in wanted])
    writes: list[Write] = []
    said: dict[str, int] = {}
    for mark in wanted:
        source = cortex.tree.read(mark.path)
        if mark.path in theirs.changed | theirs.untracked or isinstance(source, Flaw):
            continue
        with suppress(CortexError):  # one that cannot be edited safely is left to its author
            edited = atom_text.edit(source.text, {"status": mark.status})
            writes.append(Write(mark.path, edited, replacing=source.text))
            word = mark.status.partition(":")[0]
            said[word] = said.get(word, 0) + 1
    summary = ", ".join(f"{count} {word}" for word, count in sorted(said.items()))
    return Plan(f"maintain: mark {summary or 'nothing'}", tuple(writes))


def _look(cortex: Cortex, projects: Sequence[str] | None) -> Maintained:
    by_project: dict[str, list[Entry]] = {}
    for entry in cortex.facts.all_entries():
        by_project.setdefault(entry.atom.project, []).append(entry)
    tree = {str(e.atom.ref): e for entries in by_project.values() for e in entries}
    named = frozenset(_named(cortex))
    rows = {kind.name: kind for kind in cortex.kinds}
    today = cortex.clock().date()
    done = Maintained([], [])
    for name in cortex.tree.projects() if projects is None else projects:
        entries = by_project.get(name, [])
        said = dict(_said(cortex, rows, entries))
        since = _since(cortex, name)
        study = Study(name, rows, entries, tree, said, named, since)
        done.reports.append(found := report(study, today))
        done.marks.extend(marks(study, found))
    return done


def _said(
    cortex: Cortex, rows: Mapping[str, Kind], entries: Iterable[Entry]
) -> Iterator[tuple[str, Said]]:
    """Read what the bodies say of those that report something, and of anti-patterns."""
    with cortex.tree.reading() as read:
        for entry in entries:
            if rows[entry.atom.kind].overturns or is_anti_pattern(entry):
                source = read(entry.atom.path)
                if not isinstance(source, Flaw):
                    yield source.path, read_said(source.text, entry.atom.text("summary"))


def _named(cortex: Cortex) -> Iterator[str]:
    """Name in full every atom that another, or a governance file, names."""
    for own, project, cited in cortex.facts.cited():
        yield from (ref for each in cited if (ref := full(each, project)) != own)
    for project in cortex.tree.projects():
        for name in GOVERNANCE:
            text = cortex.tree.text(f"projects/{project}/{name}") or ""
            yield from (full(cited, project) for cited, _ in cites(text))


def _since(cortex: Cortex, project: str) -> int:
    """Give a day since which looks are logged: that of the oldest last look at a file."""
    from datetime import date  # noqa: PLC0415

    first = min((total.last[:10] for total in cortex.facts.totals(project).values()), default="")
    try:
        return date.fromisoformat(first).toordinal()
    except ValueError:
        return 0
