"""Find what is wrong with a tree, and mend what is safe to mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.unite_log import united
from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.tree_paths import is_log
from cortexfs.core.changes.plan import Mode, Outcome, Plan, Planned, Write
from cortexfs.core.checks.check_atoms import check as check_atoms
from cortexfs.core.checks.finding_codes import ERROR, severity
from cortexfs.core.checks.fixes import MENDABLE, Known, mended
from cortexfs.core.importing.loose import loose_notes
from cortexfs.errors import CortexError
from cortexfs.operations.loose import loose_paths
from cortexfs.operations.shared.derived_files import begun, left_alone, stale, unlisted, unread
from cortexfs.operations.shared.edited_decisions import edited_decisions
from cortexfs.operations.shared.text_findings import examine, with_sums
from cortexfs.operations.tasks.list_tasks import flaws
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.checks.citations import Sources
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


class Checked(NamedTuple):
    """Findings in path and line order, and how many are errors."""

    findings: list[Finding]
    errors: int

    @property
    def advice(self) -> int:
        """How many are advice."""
        return len(self.findings) - self.errors

    def only(self, code: str) -> Checked:
        """Keep the findings of one code."""
        kept = [finding for finding in self.findings if finding.code == code]
        return Checked(kept, len(kept) if severity(code) == ERROR else 0)


def check(
    session: Session, projects: Sequence[str] | None, sources: Sources | None = None
) -> Checked:
    """Collect the findings of some projects, or of the whole tree.

    Cited lines are looked at where `sources` knows their project's folder.
    """
    with session.read(Intake.FINDINGS) as view:
        return find_flaws(view, projects, sources)


def find_flaws(
    view: View, projects: Sequence[str] | None, sources: Sources | None = None
) -> Checked:
    """Collect the findings as `check` does; the view began with `Intake.FINDINGS`."""
    findings = [Finding("cortexfs.yaml", *flaw) for flaw in view.settings.flaws]
    atoms = view.facts.atoms()
    findings += {*check_atoms(atoms, view.kinds), *examine(view, atoms, sources)}
    findings += edited_decisions(view, atoms)
    findings += flaws(view, view.tree.projects() if projects is None else projects)
    findings += view.facts.torn_lines()
    findings += unread(view)
    findings += unlisted(view, projects)
    findings += _untrue(view, projects)
    findings += loose_notes(loose_paths(view)) if projects is None else ()
    wanted = None if projects is None else tuple(f"projects/{name}/" for name in projects)
    chosen = [f for f in findings if wanted is None or f.path.startswith(wanted)]
    errors = sum(severity(finding.code) == ERROR for finding in chosen)
    return Checked(sorted(chosen, key=_order), errors)


def _order(finding: Finding) -> tuple[str, int, str, str]:
    return finding.path, finding.line, finding.code, finding.message


def _untrue(view: View, projects: Sequence[str] | None) -> Iterator[Finding]:
    """Find the indexes that do not say what their atoms say, and what keeps us from it."""
    planned, blocked = view.plan_indexes(view.folders(projects), afresh=True)
    yield from blocked
    for index in planned:
        if index.write:
            said = "does not say what its atoms say" if index.write.replacing else "is missing"
            yield Finding(index.path, "index-stale", f"the index {said}")
            if not view.tree.is_open(folder := index.path.rpartition("/")[0]):
                yield Finding(folder, "not-writable", "the folder is read-only")


def fix(
    session: Session,
    projects: Sequence[str] | None,
    sources: Sources | None = None,
    *,
    mode: Mode = Mode.COMMIT,
) -> Outcome:
    """Mend what has only one right answer, sum up cited lines, then render the indexes.

    A file that the user has changed and not committed is mended too, but stays out of the commit.
    """
    planned, outcome = session.execute(
        lambda view: Planned(plan_fixes(view, projects, sources)),
        mode,
        render=lambda view: view.folders(projects),
        intake=Intake.FINDINGS,
    )
    return outcome or Outcome(planned.plan, Plan(""))


def plan_fixes(view: View, projects: Sequence[str] | None, sources: Sources | None = None) -> Plan:
    """Decide what to mend."""
    found, atoms = find_flaws(view, projects).findings, view.facts.atoms()
    paths = {finding.path for finding in found if finding.code in MENDABLE}
    paths.update(
        atom.path
        for atom in atoms
        if sources
        and sources.lines_of(atom.project)
        and (projects is None or atom.project in projects)
    )
    known = Known.of(atoms, view.tree.projects(), view.kinds)
    mended = (_mended(view, path, known, sources) for path in sorted(paths))
    logs = {f.path for f in found if f.code == "conflict-marker" and is_log(f.path)}
    both = (_united(view, path) for path in sorted(logs))
    writes = [write for write in (*mended, *both) if write]
    theirs = view.repository.theirs([write.path for write in writes])
    new = begun(view)
    follows = [*new, *stale(view, projects, (*writes, *new))]
    kept, unknown = left_alone(view, follows)
    return Plan(
        "check: mend what is safe",
        (*writes, *kept),
        uncommitted=theirs.changed | theirs.untracked | unknown,
    )


def _united(view: FileView, path: str) -> Write | None:
    """Give a log in which a merge has left its markers, with the events of both sides."""
    source = view.tree.read(path)
    return None if isinstance(source, Flaw) else Write(path, united(source.text), source.text)


def _mended(view: FileView, path: str, known: Known, sources: Sources | None) -> Write | None:
    source = view.tree.read(path)
    if isinstance(source, Flaw):
        return None
    try:
        text = mended(path, source.text, known)
    except CortexError:  # it cannot be edited safely: left to its author
        return None
    text = with_sums(text, path, sources)
    return Write(path, text, replacing=source.text) if text != source.text else None
