"""Find problems in a tree, and fix those with a safe fix."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.access.unite_log import unite_log
from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import INDEX_MD, is_access_log, parse_atom_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Outcome, Plan, PlanOnlyResult, Write
from cortexfs.core.checks.check_atoms import find_atom_findings, find_mutual_findings
from cortexfs.core.checks.finding_codes import is_error
from cortexfs.core.checks.fixed_atoms import FixedAtoms
from cortexfs.core.checks.fixes import FIXABLE_CODES, FixContext, fix_atom
from cortexfs.core.importing.loose_notes import report_loose_notes
from cortexfs.errors import CortexError
from cortexfs.operations.find_loose_paths import find_loose_paths
from cortexfs.operations.shared.cortex_md_and_overview import (
    drop_user_changes,
    find_stale_lists,
    find_unreadable_lists,
    plan_missing_cortex_md,
    plan_stale_files,
)
from cortexfs.operations.shared.edited_decisions import find_edited_decisions
from cortexfs.operations.shared.find_text_findings import add_citation_checksums, find_text_findings
from cortexfs.operations.stories.find_outdated_stories import report_outdated_stories
from cortexfs.operations.tasks.list_tasks import find_task_flaws
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.session.annotation_types import FindingStore
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


class Findings(Protocol):
    """Findings in path and line order: a list, or more than fit into memory."""

    def __iter__(self) -> Iterator[Finding]:
        """Yield the findings, each time it is called."""

    def __len__(self) -> int:
        """Return their number."""


class CheckResult(NamedTuple):
    """Findings in path and line order, and how many are errors."""

    findings: Findings
    errors: int

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return len(self.findings) - self.errors

    def count_codes(self) -> list[tuple[str, int]]:
        """Return each code with its number of findings, most first."""
        counts = Counter(each.code for each in self.findings)
        return sorted(counts.items(), key=lambda each: (-each[1], each[0]))

    def subtract_codes(self, later: CheckResult) -> Counter[str]:
        """Return for each code how many findings fewer a later result has."""
        counts = (Counter(each.code for each in found.findings) for found in (self, later))
        return next(counts) - next(counts)

    def filter_code(self, code: str) -> CheckResult:
        """Return the result with only the findings of one code."""
        kept = [finding for finding in self.findings if finding.code == code]
        return CheckResult(kept, len(kept) if is_error(code) else 0)


def check(
    session: Session, projects: Sequence[str] | None, sources: CitedFileSource | None = None
) -> CheckResult:
    """Return the findings of some projects, or of the whole tree.

    Cited lines are checked if `sources` knows their project's folder.
    """
    with session.read(NeededContents.FINDINGS) as view:
        return collect_findings(view, projects, sources)


def collect_findings(
    view: View, projects: Sequence[str] | None, sources: CitedFileSource | None = None
) -> CheckResult:
    """Return the findings as `check` does, from a view read with `NeededContents.FINDINGS`."""
    prefixes = None if projects is None else tuple(f"projects/{name}/" for name in projects)
    flaws = view.stored_atoms.iter_flaws()
    findings = chain(flaws, find_all_but_flaws(view, projects, sources))
    return _count_errors(
        view.store_findings(f for f in findings if prefixes is None or f.path.startswith(prefixes))
    )


def _count_errors(found: FindingStore) -> CheckResult:
    counts = found.count_by_code().items()
    return CheckResult(found, sum(count for code, count in counts if is_error(code)))


def find_all_but_flaws(
    view: View, projects: Sequence[str] | None, sources: CitedFileSource | None
) -> Iterator[Finding]:
    """Yield the findings of the tree in any order, but for the flaws of single atoms.

    A few rules examine only some projects.
    """
    atoms = view.stored_atoms
    yield from (Finding("cortexfs.yaml", *flaw) for flaw in view.settings.flaws)
    yield from find_mutual_findings(atoms, view.kinds)
    yield from find_text_findings(view, atoms, sources)
    decisions = {kind.name for kind in view.kinds if kind.is_decision}
    yield from find_edited_decisions(view, atoms.iter_kinds(decisions))
    yield from find_task_flaws(view, view.tree.list_projects() if projects is None else projects)
    yield from view.queries.list_bad_log_lines()
    yield from find_unreadable_lists(view)
    yield from find_stale_lists(view, projects)
    yield from _find_stale_indexes(view, projects)
    yield from report_outdated_stories(view, projects)
    if projects is None:
        yield from report_loose_notes(find_loose_paths(view, view.finding_cache.list_page_paths()))


def _find_stale_indexes(view: View, projects: Sequence[str] | None) -> Iterator[Finding]:
    """Yield the indexes that disagree with their atoms, and the reasons they cannot be rendered."""
    rendered = view.indexes.list_rendered_folders()
    folders = [each for each in view.indexes.list_folders(projects) if each not in rendered]
    missing = [each for each in folders if not view.tree.is_path_taken(f"{each}/{INDEX_MD}")]
    for index in view.indexes.iter_plans(sorted({*folders} - {*missing}), ignore_cache=True):
        if isinstance(index, Finding):
            yield index
        elif index.write:
            yield from _report_index(view, index.path, "is out of date")
    for folder in missing:
        yield from _report_index(view, f"{folder}/{INDEX_MD}", "is missing")


def _report_index(view: View, path: str, problem: str) -> Iterator[Finding]:
    yield Finding(path, "index-stale", f"the index {problem}")
    if not view.tree.is_folder_writable(folder := path.rpartition("/")[0]):
        yield Finding(folder, "not-writable", "the folder is read-only")


def fix_tree(
    session: Session,
    projects: Sequence[str] | None,
    sources: CitedFileSource | None = None,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> Outcome:
    """Fix problems that have one right answer, add checksums of cited lines, render the indexes.

    A file with uncommitted changes of the user is fixed too, but left out of the commit.
    """
    planned, outcome = session.execute(
        lambda view: PlanOnlyResult(plan_fixes(view, projects, sources)),
        mode,
        render=lambda view: view.indexes.list_folders(projects),
        ingest=NeededContents.FINDINGS,
    )
    return outcome or Outcome(planned.plan, Plan(""))


def plan_fixes(
    view: View, projects: Sequence[str] | None, sources: CitedFileSource | None = None
) -> Plan:
    """Return the plan of the fixes."""
    findings, atoms = collect_findings(view, projects).findings, view.stored_atoms
    paths = {finding.path for finding in findings if finding.code in FIXABLE_CODES}
    paths.update(
        atom.path
        for atom in atoms
        if sources
        and sources.make_line_reader(atom.project)
        and (projects is None or atom.project in projects)
    )
    known = FixContext.from_atoms(atoms, view.tree.list_projects(), view.kinds, paths)
    fixes = (_plan_atom_fix(view, path, known, sources) for path in sorted(paths))
    logs = {f.path for f in findings if f.code == "conflict-marker" and is_access_log(f.path)}
    log_merges = (_plan_log_merge(view, path) for path in sorted(logs))
    writes = [write for write in (*fixes, *log_merges) if write]
    user_changes = view.repository.find_user_changes([write.path for write in writes])
    missing = plan_missing_cortex_md(view)
    derived = [*missing, *plan_stale_files(view, projects, (*writes, *missing))]
    kept, unknown = drop_user_changes(view, derived)
    return Plan(
        "check: fix what is safe",
        (*writes, *kept),
        uncommitted_paths=user_changes.changed | user_changes.untracked | unknown,
    )


def predict_fixed_findings(
    session: Session, projects: Sequence[str] | None, sources: CitedFileSource | None = None
) -> CheckResult:
    """Return the findings that the fixes would leave, without making them."""
    with session.read(NeededContents.FINDINGS) as view:
        atoms, found = view.stored_atoms, collect_findings(view, projects, sources).findings
        texts = {write.path: write.text for write in plan_fixes(view, projects, sources).writes}
        fixed = FixedAtoms.from_atoms(atoms, list(_parse_fixed(view, texts)))
        before = view.store_findings(find_atom_findings(atoms, view.kinds))
        left = (each for each in found if each not in before)
        after = find_atom_findings(fixed, view.kinds)
        wanted = "" if projects is None else tuple(f"projects/{name}/" for name in projects)
        every = chain(left, (each for each in after if each.path.startswith(wanted)))
        kept = view.store_findings(each for each in every if not _is_rendered(each, texts))
    return _count_errors(kept)


def _parse_fixed(view: View, texts: Mapping[str, str]) -> Iterator[Atom]:
    """Yield the atoms of fixed texts."""
    for path, text in texts.items():
        if where := parse_atom_path(path, view.kinds):
            yield parse_atom(path, where, text)


def _is_rendered(finding: Finding, texts: Mapping[str, str]) -> bool:
    """Return whether a finding is about a file that the fixes render or rewrite."""
    if finding.path in texts and (is_access_log(finding.path) or finding.code == "overview-stale"):
        return True
    return finding.code in {"index-stale", "listing-stale"}


def _plan_log_merge(view: TreeFilesAndGit, path: str) -> Write | None:
    """Return a log with merge markers, with the events of both sides merged."""
    source = view.tree.read_text_or_flaw(path)
    return None if isinstance(source, Flaw) else Write(path, unite_log(source.text), source.text)


def _plan_atom_fix(
    view: TreeFilesAndGit, path: str, known: FixContext, sources: CitedFileSource | None
) -> Write | None:
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        return None
    try:
        text = fix_atom(path, source.text, known)
    except CortexError:  # it cannot be edited safely: left to its author
        return None
    text = add_citation_checksums(text, path, sources)
    return Write(path, text, expected_text=source.text) if text != source.text else None
