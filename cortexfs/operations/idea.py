"""Note ideas, look at them, and make a project of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.fill_sections import composed
from cortexfs.core.atoms.promote_idea import origin, plan_promotion
from cortexfs.core.indexes.index_entry import number_of
from cortexfs.core.markdown.splices import paragraph
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Refused
from cortexfs.operations.list_atoms import Choice, list_atoms
from cortexfs.operations.mark import party
from cortexfs.operations.new_atom import starting_text
from cortexfs.operations.project import plan_project
from cortexfs.operations.shared.resolve_names import kind_named
from cortexfs.operations.shared.run_plan import carried_out
from cortexfs.operations.show import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.status_change.plan_mark import Party
    from cortexfs.cortex import Cortex
    from cortexfs.operations.show import Shown
    from cortexfs.tree.cited_files import Sources

KIND = "idea"


class Promoted(NamedTuple):
    """An idea that has become a project, and what came of the plan."""

    ref: Ref
    path: str
    project: str
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> bool:
        """Tell whether the user's own changes to the idea came along."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def kind_of_ideas(cortex: Cortex) -> Kind:
    """Give the row of ideas in the table of kinds."""
    return kind_named(cortex, KIND)


def body_of(cortex: Cortex, draft: Draft, said: Mapping[str, str]) -> str:
    """Put what is said, by the titles of the sections, into the text that an idea begins with."""
    sections = {title: paragraph(words) for title, words in said.items() if words.strip()}
    return composed(starting_text(cortex, draft), sections)


def list_ideas(cortex: Cortex, status: str | None) -> list[Entry]:
    """Give ideas in the order in which they were noted."""
    found = list_atoms(cortex, Choice(kind=KIND, status=status))
    return sorted(found, key=lambda entry: (number_of(entry.ident), entry.atom.path))


def show_idea(
    cortex: Cortex, typed: str, cwd: str, sources: Sources | None = None, *, track: bool = True
) -> Shown:
    """Show an idea as `show` does."""
    cortex.catch_up()
    idea = _idea(cortex, typed, cwd)
    return shown(cortex, idea.atom.ref, idea.source, sources, track=track)


def promote(
    cortex: Cortex,
    typed: str,
    project: str,
    goal: str,
    cwd: str,
    *,
    dry_run: bool = False,
    commit: bool = True,
) -> Promoted:
    """Make a project of an idea, with links both ways; its goal is the idea's summary by default.

    Raises `Refused` for an idea that is a project already, or no longer stands.
    """

    def decide(view: Cortex) -> Promoted:
        return _decide(view, typed, project, goal, cwd)

    return carried_out(cortex, decide, dry_run=dry_run, commit=commit)


def _idea(cortex: Cortex, typed: str, cwd: str) -> Party:
    """Find an idea; raises `Refused` where the ref names an atom of another kind."""
    found = party(cortex, typed, cwd)
    if found.kind.name != KIND:
        raise Refused(
            f"`{found.atom.ref}` is of kind {found.kind.name}",
            hint=f"`cortexfs show {found.atom.ref}`",
        )
    return found


def _decide(cortex: Cortex, typed: str, project: str, goal: str, cwd: str) -> Promoted:
    idea = _idea(cortex, typed, cwd)
    atom = idea.atom
    write = plan_promotion(idea, project, cortex.clock().date().isoformat())
    said = one_line(goal) or one_line(atom.text("summary"))
    plan = plan_project(cortex, project, said, origin(atom), [write])
    plan = plan._replace(summary=f"promote {atom.ref} to project {project}: {said}")
    return Promoted(atom.ref, atom.path, project, plan)
