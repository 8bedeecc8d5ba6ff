"""Begin a project, and show what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.create_atom import plan_missing
from cortexfs.core.atoms.fill_sections import below_title
from cortexfs.core.atoms.tree_paths import LISTING, OVERVIEW, folder_of, is_project_name, log_of
from cortexfs.core.changes.plan import Mode, Plan, Planned, with_outcome
from cortexfs.core.governance.overview import archived, is_archived, with_days
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.shared.governance_file import govern, shown
from cortexfs.operations.shared.resolve_names import project_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Write
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


class Project(NamedTuple):
    """A project in figures: atoms by kind, looks at them, and the date of the latest atom.

    `archived` tells that OVERVIEW.md says that it rests.
    """

    name: str
    atoms: dict[str, int]
    refs: int
    latest: str
    archived: bool = False


def new_project(session: Session, name: str, goal: str, *, mode: Mode = Mode.COMMIT) -> Planned:
    """Make a project with its governance files, and list it above."""

    def decide(view: View) -> Planned:
        return Planned(plan_project(view, name, goal))

    return with_outcome(session.execute(decide, mode))


def plan_project(
    view: View, name: str, goal: str, origin: str = "", beside: Sequence[Write] = ()
) -> Plan:
    """Decide what a new project is made of; its CORTEX.md, written last, says it is whole.

    That says what it came from, if there is an `origin`. `beside` is written along with it.
    """
    if not is_project_name(name):
        raise OutsideTree(
            f"`{name!a}` cannot be a project's name",
            hint="a-z, 0-9, `.`, `_` and `-`, up to 64, beginning with a letter or digit",
        )
    above = f"projects/{name}"
    if view.tree.is_file(f"{above}/{LISTING}"):
        raise Refused(f"project `{name}` exists", hint=f"`cortexfs project show {name}`")
    shown = one_line(goal).replace("<!--", "&lt;!--")  # a comment could hide or end what follows
    said = {"project": name, "goal": shown, "date": view.clock().date().isoformat()}
    texts = {log_of(name): "", **_starting_texts(view, above, origin)}
    taken = {path: "" if view.tree.is_taken(path) else None for path in texts}
    writes = [*plan_missing(texts, taken, said), *beside]
    indexes = [folder_of(name, kind) for kind in view.kinds if _has_from_the_start(kind)]
    writes += [index.write for index in view.plan_indexes(indexes)[0] if index.write]
    return Plan(
        f"new project {name}: {one_line(goal)}", _marker_last(with_listings(view, writes), above)
    )


def _starting_texts(view: FileView, above: str, origin: str) -> dict[str, str]:
    """Give what the files of a project begin with."""
    texts = view.tree.templates("project")
    if origin:
        texts |= {LISTING: below_title(texts[LISTING], origin)}
    return {f"{above}/{path}": text for path, text in texts.items()}


def projects(session: Session) -> list[Project]:
    """Give every project in figures, by name."""
    with session.read(drain=True) as view:
        resting = shown(view, OVERVIEW)
        found = {
            name: Project(name, {}, 0, "", is_archived(resting, name))
            for name in view.tree.projects()
        }
        for entry in view.facts.all_entries():
            if project := found.get(entry.atom.project):
                kind = entry.atom.kind
                found[project.name] = project._replace(
                    atoms={**project.atoms, kind: project.atoms.get(kind, 0) + 1},
                    refs=project.refs + entry.total.refs,
                    latest=max(project.latest, entry.atom.text("date")),
                )
        return list(found.values())


def archive_project(session: Session, name: str, why: str, *, mode: Mode = Mode.COMMIT) -> Governed:
    """Say in OVERVIEW.md that a project rests; its files stay where they are.

    Refs to its atoms hold, and the next phase that is set in its status takes it up again.
    """
    project_named(session, name)
    day = session.clock().date().isoformat()

    def resting(text: str) -> tuple[str, str]:
        after = archived(with_days(text, {name: day}), name, why)
        if not is_archived(after, name):
            raise Refused(
                f"{OVERVIEW} has no place to say so",
                hint="it needs a table with the columns Project and Status",
            )
        return after, f"archive {name}{f': {one_line(why)}' if why else ''}"

    return govern(session, OVERVIEW, resting, mode=mode)


def show_project(session: Session, name: str) -> tuple[Project, str]:
    """Give one project in figures, and its STATUS.md."""
    project_named(session, name)
    figures = next(project for project in projects(session) if project.name == name)
    return figures, session.tree.text(f"projects/{name}/STATUS.md") or ""


def _has_from_the_start(kind: Kind) -> bool:
    """Tell whether a new project has a kind's folder; others are made on first use."""
    return kind.indexed and "project" in kind.scopes and not kind.tree_wide


def _marker_last(writes: list[Write], above: str) -> tuple[Write, ...]:
    marker = f"{above}/{LISTING}"
    return tuple(sorted(writes, key=lambda write: write.path == marker))
