"""Make atoms of a folder of foreign notes, in one commit; a second time only what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import folder_of, is_project_name, place
from cortexfs.core.changes.plan import Mode, Plan, with_outcome
from cortexfs.core.importing.fields import DIGESTS
from cortexfs.core.importing.links import Target
from cortexfs.core.importing.loose import ORIGIN
from cortexfs.core.importing.plan import Known, Request, plan_import
from cortexfs.core.text.plural import counted
from cortexfs.errors import Refused
from cortexfs.operations.project import plan_project
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.shared.resolve_names import one_project, project_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Outcome, Write
    from cortexfs.core.importing.report import Report
    from cortexfs.core.importing.source import NoteFolder
    from cortexfs.session.reader import Progress
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


class Imported(NamedTuple):
    """What became of each note, and what came of the plan (None: it was a dry run).

    `begun` tells that the project is made along with its atoms.
    """

    report: Report
    begun: bool
    plan: Plan
    outcome: Outcome | None = None


def import_notes(
    session: Session,
    folder: NoteFolder,
    project: str,
    kind: Kind | None = None,
    *,
    progress: Progress | None = None,
    mode: Mode = Mode.COMMIT,
) -> Imported:
    """Make an atom of each note that has none yet; all are one plan, and one commit.

    A note that has changed since is imported again where nobody has edited its atom.
    """
    _refuse_kind(kind)

    def decide(view: View) -> Imported:
        return _decide(view, folder, project, kind, progress)

    return with_outcome(session.execute(decide, mode))


def project_for(view: FileView, folder: NoteFolder, name: str | None, cwd: str) -> str:
    """Give the project that notes go to: the named one, the one around, or the only one.

    Where there is none yet it is called as the folder is. One that is named and is not there
    will be made.
    """
    if name:
        return name if is_project_name(name) else project_named(view, name)
    if view.tree.projects():
        return one_project(view, None, cwd)
    letters = "".join(each if each.isascii() and each.isalnum() else "-" for each in folder.name)
    called = "-".join(filter(None, letters.lower().split("-")))[:64].strip("-")
    return called if is_project_name(called) else "notes"


def _refuse_kind(kind: Kind | None) -> None:
    if kind and "source-experiments" in kind.required:
        raise Refused(
            f"a note cannot be imported as {kind.name}: it must name its experiments",
            hint="import it as knowledge, then `cortexfs new pattern`",
        )


def _decide(
    view: View, folder: NoteFolder, project: str, kind: Kind | None, progress: Progress | None
) -> Imported:
    known = dict(_known(view, folder.name))
    request = Request(
        project=project,
        kinds=view.kinds,
        known=known,
        next_number=lambda row: _next_number(view, row, project),
        refs=frozenset(ref for ref, _ in view.facts.refs()),
        kind=kind,
        progress=progress,
    )
    report = plan_import(folder, request)
    begun = project not in view.tree.projects() and any(
        write.path.startswith(f"projects/{project}/") for write in report.writes
    )
    return Imported(report, begun, _plan(view, report, begun=begun))


def _plan(view: View, report: Report, *, begun: bool) -> Plan:
    """Put the atoms, and what follows from them, into one plan."""
    writes: list[Write] = list(report.writes)
    message = f"import {report.source}: {counted(len(writes), 'note')}"
    if begun:
        goal = f"Notes imported from {report.source}"
        whole = plan_project(view, report.project, goal, beside=writes)
        return whole._replace(summary=message)
    return Plan(message, tuple(with_listings(view, writes)) if writes else ())


def _known(view: View, source: str) -> Iterator[tuple[str, Known]]:
    """Give the atoms that were imported from a source, by their origin."""
    prefix = f"{source}/"
    for atom in view.facts.atoms():
        origin, where = atom.text(ORIGIN), place(atom.path, view.kinds)
        if not (origin.startswith(prefix) and atom.text(DIGESTS) and where):
            continue
        read = view.tree.read(atom.path)
        if not isinstance(read, Flaw):
            ident = atom.ref.rpartition("/")[2]
            target = Target(ident, atom.project, atom.path)
            yield origin, Known(target, where.kind, read.text)


def _next_number(view: FileView, kind: Kind, project: str) -> int:
    """Give the number of the next id of a kind."""
    within = project if "project" in kind.scopes else ""
    homes = [*view.tree.projects(), project] if kind.tree_wide else [within]
    names = [name for home in homes for name in view.tree.names(folder_of(home, kind))]
    last = kind.next_id(name.removesuffix(".md") for name in names)
    return int(last.rpartition("-")[2])
