"""Create atoms from a folder of external notes, in one commit; a second import adds new notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import is_project_name, kind_folder, parse_atom_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.importing.draft_notes import ImportedAtom, ImportRequest
from cortexfs.core.importing.imported_hash import CHECKSUM_KEY
from cortexfs.core.importing.loose_notes import ORIGIN_KEY
from cortexfs.core.importing.plan_import import plan_import
from cortexfs.core.importing.rewrite_links import ImportTarget
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.core.text.plural import format_count
from cortexfs.errors import Refused
from cortexfs.operations.project import plan_project
from cortexfs.operations.removed_imports import find_removed_imports
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.resolve_names import require_project, resolve_project

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.changes.plan import Outcome, Write
    from cortexfs.core.importing.import_report import ImportReport
    from cortexfs.core.importing.note_folder import NoteFolder
    from cortexfs.session.session import Session
    from cortexfs.session.snapshot_reader import Progress
    from cortexfs.session.view import TreeFilesAndGit, View


class ImportOutcome(NamedTuple):
    """What became of each note, and the outcome of the plan (None: it was a dry run).

    `is_new_project` means that the project is created along with its atoms.
    """

    report: ImportReport
    is_new_project: bool
    plan: Plan
    outcome: Outcome | None = None


def import_notes(
    session: Session,
    folder: NoteFolder,
    project: str,
    kind: Kind | None = None,
    *,
    progress: Progress | None = None,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> ImportOutcome:
    """Create an atom for each note that has none yet; all are one plan, and one commit.

    A note that has changed since is imported again if nobody has edited its atom. A note whose
    atom was removed is skipped until it changes, unless it alone is named.
    """
    _refuse_kind(kind)

    def decide(view: View) -> ImportOutcome:
        return _decide(view, folder, project, kind, progress)

    return attach_outcome(session.execute(decide, mode))


def choose_project(view: TreeFilesAndGit, folder: NoteFolder, name: str | None, cwd: str) -> str:
    """Return the project of the notes: the named one, the current one, or the only one.

    If there is none, the project is named after the folder. A named project that does not exist
    will be created, unless its name is close to that of another: raises `NoSuchProject`.
    """
    if name:
        projects = view.tree.list_projects()
        is_new = is_project_name(name) and not nearest_names(name, projects)
        return name if is_new else require_project(view, name)
    if view.tree.list_projects():
        return resolve_project(view, None, cwd)
    words = re.findall(r"[a-z0-9]+", folder.name.lower(), re.ASCII)
    project = "-".join(words)[:64].strip("-")
    return project if is_project_name(project) else "notes"


def _refuse_kind(kind: Kind | None) -> None:
    if kind and kind.needs_experiments:
        raise Refused(
            f"a note cannot become a {kind.name}, which must name its experiments",
            hint="import it as knowledge, then `cortexfs new pattern`",
        )


def _decide(
    view: View, folder: NoteFolder, project: str, kind: Kind | None, progress: Progress | None
) -> ImportOutcome:
    known = dict(_iter_imported_atoms(view, folder.name))
    request = ImportRequest(
        project=project,
        kinds=view.kinds,
        imported_atoms=known,
        next_number=lambda row: _find_next_number(view, row, project),
        existing_refs=frozenset(ref for ref, _ in view.queries.list_refs()),
        today=view.clock().date().isoformat(),
        removed_notes=_find_removed_notes(view, folder, known),
        kind=kind,
        progress=progress,
    )
    report = plan_import(folder, request)
    is_new_project = project not in view.tree.list_projects() and any(
        write.path.startswith(f"projects/{project}/") for write in report.writes
    )
    return ImportOutcome(
        report, is_new_project, _plan_atoms(view, report, is_new_project=is_new_project)
    )


def _plan_atoms(view: View, report: ImportReport, *, is_new_project: bool) -> Plan:
    """Return one plan with the atoms, and the files derived from them."""
    writes: list[Write] = list(report.writes)
    message = f"import {report.source}: {format_count(len(writes), 'note')}"
    if is_new_project:
        goal = f"Notes imported from {report.source}"
        plan = plan_project(view, report.project, goal, other_writes=writes)
        return plan._replace(message=message)
    return Plan(message, tuple(add_derived_writes(view, writes)) if writes else ())


def _iter_imported_atoms(view: View, source: str) -> Iterator[tuple[str, ImportedAtom]]:
    """Yield the atoms that were imported from a source, by their origin."""
    prefix = f"{source}/"
    for atom in view.stored_atoms:
        origin, where = atom.text_field(ORIGIN_KEY), parse_atom_path(atom.path, view.kinds)
        if not (origin.startswith(prefix) and atom.text_field(CHECKSUM_KEY) and where):
            continue
        file = view.tree.read_text_or_flaw(atom.path)
        if not isinstance(file, Flaw):
            ident = atom.ref.rpartition("/")[2]
            target = ImportTarget(ident, atom.project, atom.path)
            yield origin, ImportedAtom(target, where.kind, file.text)


def _find_removed_notes(
    view: View, folder: NoteFolder, known: Mapping[str, ImportedAtom]
) -> Mapping[str, str]:
    """Return the notes whose atoms were removed; none if a note is named, or all have an atom."""
    has_new = any(f"{folder.name}/{file.path}" not in known for file in folder.files)
    return find_removed_imports(view, folder.name) if has_new and not folder.is_single_file else {}


def _find_next_number(view: TreeFilesAndGit, kind: Kind, project: str) -> int:
    """Return the number of the next id of a kind."""
    own = project if "project" in kind.scopes else ""
    projects = [*view.tree.list_projects(), project] if kind.has_tree_wide_ids else [own]
    names = [name for each in projects for name in view.tree.list_names(kind_folder(each, kind))]
    last = kind.next_id(name.removesuffix(".md") for name in names)
    return int(last.rpartition("-")[2])
