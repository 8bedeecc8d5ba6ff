"""Create, list, show and archive projects."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.create_atom import plan_missing_files
from cortexfs.core.atoms.fill_sections import append_to_lead
from cortexfs.core.atoms.tree_paths import (
    CORTEX_MD,
    OVERVIEW_MD,
    access_log_path,
    kind_folder,
)
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, attach_outcome
from cortexfs.core.governance.edit_overview import (
    is_archived,
    mark_archived,
    update_activity_days,
)
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.governance_file import (
    change_governance_file,
    read_present,
)
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_project, require_valid_project_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.changes.plan import Write
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


class ProjectSummary(NamedTuple):
    """Figures of a project: atoms by kind, reads, and the date of the latest atom.

    `archived` means that OVERVIEW.md lists it as archived.
    """

    name: str
    atoms: dict[str, int]
    reads: int
    latest_date: str
    archived: bool = False


def new_project(
    session: Session, name: str, goal: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> PlanOnlyResult:
    """Create a project with its governance files, and list it in OVERVIEW.md."""

    def decide(view: View) -> PlanOnlyResult:
        return PlanOnlyResult(plan_project(view, name, goal))

    return attach_outcome(session.execute(decide, mode))


def plan_project(
    view: View, name: str, goal: str, origin: str = "", other_writes: Sequence[Write] = ()
) -> Plan:
    """Return the plan of a new project; its CORTEX.md is written last, when the rest is complete.

    CORTEX.md names the `origin`, if there is one. `other_writes` are added to the plan.
    """
    require_valid_project_name(name)
    folder = f"projects/{name}"
    if view.tree.is_file(f"{folder}/{CORTEX_MD}"):
        raise Refused(f"project `{name}` already exists", hint=f"`cortexfs project show {name}`")
    # a comment could hide the text below it
    goal_text = to_one_line(goal).replace("<!--", "&lt;!--")
    placeholders = {"project": name, "goal": goal_text, "date": view.clock().date().isoformat()}
    texts = {access_log_path(name): "", **_render_starting_texts(view, folder, origin)}
    present = {path: "" if view.tree.is_path_taken(path) else None for path in texts}
    writes = [*plan_missing_files(texts, present, placeholders), *other_writes]
    indexes = [kind_folder(name, kind) for kind in view.kinds if _is_created_with_project(kind)]
    writes += [index.write for index in view.indexes.plan(indexes)[0] if index.write]
    return Plan(
        f"new project {name}: {to_one_line(goal)}",
        _put_marker_last(add_derived_writes(view, writes), folder),
    )


def _render_starting_texts(view: TreeFilesAndGit, folder: str, origin: str) -> dict[str, str]:
    """Return the initial texts of a project's files."""
    texts = view.tree.read_templates("project")
    if origin:
        texts |= {CORTEX_MD: append_to_lead(texts[CORTEX_MD], origin)}
    return {f"{folder}/{path}": text for path, text in texts.items()}


def summarize_projects(session: Session) -> list[ProjectSummary]:
    """Return the figures of every project, by name."""
    with session.read(drain=True) as view:
        overview = read_text_or_empty(view, OVERVIEW_MD)
        summaries = {
            name: ProjectSummary(name, {}, 0, "", is_archived(overview, name))
            for name in view.tree.list_projects()
        }
        for cell in view.entries.count_cells():
            if project := summaries.get(cell.project):
                day = date.fromordinal(cell.latest).isoformat() if cell.latest else ""
                atoms = project.atoms.get(cell.kind, 0) + cell.atoms
                summaries[project.name] = project._replace(
                    atoms={**project.atoms, cell.kind: atoms},
                    reads=project.reads + cell.reads,
                    latest_date=max(project.latest_date, day),
                )
        return list(summaries.values())


def archive_project(
    session: Session, name: str, reason: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """List a project as archived in OVERVIEW.md; its files stay where they are.

    Refs to its atoms stay valid, and setting a phase in its status makes it active again.
    """
    require_project(session, name)
    day = session.clock().date().isoformat()

    def archive(text: str) -> tuple[str, str]:
        new_text = mark_archived(update_activity_days(text, {name: day}), name, reason)
        if not is_archived(new_text, name):
            raise Refused(
                f"{OVERVIEW_MD} has no table with the columns Project and Status",
                hint="add such a table by hand",
            )
        return new_text, f"archive {name}{f': {to_one_line(reason)}' if reason else ''}"

    return change_governance_file(session, OVERVIEW_MD, archive, mode=mode)


def show_project(session: Session, name: str) -> tuple[ProjectSummary, str]:
    """Return the figures of one project, and its STATUS.md."""
    require_project(session, name)
    summary = next(project for project in summarize_projects(session) if project.name == name)
    return summary, read_present(session, f"projects/{name}/STATUS.md") or ""


def _is_created_with_project(kind: Kind) -> bool:
    """Return whether a new project has a kind's folder; others are created on first use."""
    is_first = kind.indexed and not kind.is_from_story
    return is_first and "project" in kind.scopes and not kind.has_tree_wide_ids


def _put_marker_last(writes: list[Write], folder: str) -> tuple[Write, ...]:
    marker = f"{folder}/{CORTEX_MD}"
    return tuple(sorted(writes, key=lambda write: write.path == marker))
