"""Note ideas, look at them, and make a project of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.fill_sections import composed
from cortexfs.core.atoms.promote_idea import origin, plan_promotion
from cortexfs.core.changes.plan import Mode, with_outcome
from cortexfs.core.indexes.index_entry import number_of
from cortexfs.core.markdown.splices import paragraph
from cortexfs.core.text.sanitize import one_line
from cortexfs.core.text.titles import split_title
from cortexfs.errors import Refused
from cortexfs.operations.list_atoms import Choice, list_atoms
from cortexfs.operations.mark import party
from cortexfs.operations.new_atom import starting_text
from cortexfs.operations.project import plan_project
from cortexfs.operations.shared.resolve_names import kind_named
from cortexfs.operations.show import shown
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.core.checks.citations import Sources
    from cortexfs.core.find.filters import Only
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.status_change.plan_mark import Party
    from cortexfs.operations.show import Shown
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

KIND = "idea"


TITLE = 120
"""Characters of a summary that is taken from a text."""


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


def kind_of_ideas(view: FileView) -> Kind:
    """Give the row of ideas in the table of kinds."""
    return kind_named(view, KIND)


def begun(words: str, summary: str, text: str) -> tuple[str, str]:
    """Give the summary and the text of an idea that begins with a few words."""
    title, rest = split_title(words, TITLE)
    if summary:
        return summary, text or one_line(words)
    return title, text or rest


def body_of(view: FileView, draft: Draft, said: Mapping[str, str]) -> str:
    """Put what is said, by the titles of the sections, into the text that an idea begins with."""
    sections = {title: paragraph(words) for title, words in said.items() if words.strip()}
    return composed(starting_text(view, draft), sections)


def list_ideas(session: Session, only: Only) -> list[Entry]:
    """Give the ideas that match filters, in the order in which they were noted."""
    found = list_atoms(session, Choice(only._replace(kinds=(KIND,))))
    return sorted(found, key=lambda entry: (number_of(entry.ident), entry.atom.path))


def show_idea(
    session: Session, typed: str, cwd: str, sources: Sources | None = None, *, track: bool = True
) -> Shown:
    """Show an idea as `show` does."""
    with session.read(Intake.TEXTS, drain=True) as view:
        idea = _idea(view, typed, cwd)
        return shown(view, idea.atom.ref, idea.source, sources, track=track)


def promote(
    session: Session,
    typed: str,
    project: str,
    goal: str,
    cwd: str,
    *,
    mode: Mode = Mode.COMMIT,
) -> Promoted:
    """Make a project of an idea, with links both ways; its goal is the idea's summary by default.

    Raises `Refused` for an idea that is a project already, or no longer stands.
    """

    def decide(view: View) -> Promoted:
        return _decide(view, typed, project, goal, cwd)

    return with_outcome(session.execute(decide, mode))


def _idea(view: View, typed: str, cwd: str) -> Party:
    """Find an idea; raises `Refused` where the ref names an atom of another kind."""
    found = party(view, typed, cwd)
    if found.kind.name != KIND:
        raise Refused(
            f"`{found.atom.ref}` is of kind {found.kind.name}",
            hint=f"`cortexfs show {found.atom.ref}`",
        )
    return found


def _decide(view: View, typed: str, project: str, goal: str, cwd: str) -> Promoted:
    idea = _idea(view, typed, cwd)
    atom = idea.atom
    write = plan_promotion(idea, project, view.clock().date().isoformat())
    said = one_line(goal) or one_line(atom.text("summary"))
    plan = plan_project(view, project, said, origin(atom), [write])
    plan = plan._replace(summary=f"promote {atom.ref} to project {project}: {said}")
    return Promoted(atom.ref, atom.path, project, plan)
