"""Begin a project, and show what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.clean import one_line
from cortexfs.core.create import add_row, plan_missing
from cortexfs.core.places import LISTING, folder_of, is_project_name, log_of
from cortexfs.core.plan import Plan, Write
from cortexfs.errors import OutsideTree, Refused
from cortexfs.verbs.listings import with_listings
from cortexfs.verbs.resolve import project_named

if TYPE_CHECKING:
    from cortexfs.core.kinds import Kind
    from cortexfs.cortex import Cortex, Outcome

OVERVIEW = "OVERVIEW.md"


class Project(NamedTuple):
    """A project in figures: atoms by kind, looks at them, and the date of the latest atom."""

    name: str
    atoms: dict[str, int]
    refs: int
    latest: str


def new_project(
    cortex: Cortex, name: str, goal: str, *, dry_run: bool = False, commit: bool = True
) -> tuple[Plan, Outcome | None]:
    """Make a project with its governance files, and list it above."""
    if not is_project_name(name):
        raise OutsideTree(
            f"`{name!a}` cannot be a project's name",
            hint="a-z, 0-9, `.`, `_` and `-`, up to 64, beginning with a letter or digit",
        )
    if dry_run:
        return plan_project(cortex, name, goal), None
    outcome = cortex.carry_out(lambda view: plan_project(view, name, goal), commit=commit)
    return outcome.plan, outcome


def plan_project(cortex: Cortex, name: str, goal: str) -> Plan:
    """Decide what a new project is made of; its CORTEX.md, written last, says it is whole."""
    above = f"projects/{name}"
    if cortex.tree.is_file(f"{above}/{LISTING}"):
        raise Refused(f"project `{name}` exists", hint=f"`cortexfs project show {name}`")
    said = {"project": name, "goal": one_line(goal), "date": cortex.clock().date().isoformat()}
    texts = {f"{above}/{path}": text for path, text in cortex.tree.templates("project").items()}
    marker = texts.pop(f"{above}/{LISTING}")
    texts |= {log_of(name): "", f"{above}/{LISTING}": marker}
    writes = plan_missing(texts, {path: cortex.tree.text(path) for path in texts}, said)
    indexes = [folder_of(name, kind) for kind in cortex.kinds if _has_from_the_start(kind)]
    writes += [index.write for index in cortex.plan_indexes(indexes)[0] if index.write]
    overview = cortex.tree.text(OVERVIEW)
    if overview and OVERVIEW not in cortex.ledger.theirs([OVERVIEW]).changed:
        listed = add_row(overview, name, said["date"])
        writes.insert(0, Write(OVERVIEW, listed, overview))
    return Plan(
        f"new project {name}: {said['goal']}", _marker_last(with_listings(cortex, writes), above)
    )


def projects(cortex: Cortex) -> list[Project]:
    """Give every project in figures, by name."""
    cortex.catch_up()
    found = {name: Project(name, {}, 0, "") for name in cortex.tree.projects()}
    for entry in cortex.facts.all_entries():
        if project := found.get(entry.atom.project):
            kind = entry.atom.kind
            found[project.name] = Project(
                project.name,
                {**project.atoms, kind: project.atoms.get(kind, 0) + 1},
                project.refs + entry.total.refs,
                max(project.latest, entry.atom.text("date")),
            )
    return list(found.values())


def show_project(cortex: Cortex, name: str) -> tuple[Project, str]:
    """Give one project in figures, and its STATUS.md."""
    project_named(cortex, name)
    figures = next(project for project in projects(cortex) if project.name == name)
    return figures, cortex.tree.text(f"projects/{name}/STATUS.md") or ""


def _has_from_the_start(kind: Kind) -> bool:
    """Tell whether a new project has a kind's folder; others are made on first use."""
    return kind.indexed and "project" in kind.scopes and not kind.tree_wide


def _marker_last(writes: list[Write], above: str) -> tuple[Write, ...]:
    marker = f"{above}/{LISTING}"
    return tuple(sorted(writes, key=lambda write: write.path == marker))
