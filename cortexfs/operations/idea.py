"""Create, list and show ideas, and promote an idea to a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.fill_sections import fill_sections
from cortexfs.core.atoms.idea_to_project import format_origin, plan_promotion
from cortexfs.core.atoms.kinds import IDEA_KIND
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.find.atom_criteria import AtomCriteria
from cortexfs.core.indexes.atom_with_reads import parse_id_number
from cortexfs.core.markdown.edit_text import escape_markdown_line
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.core.text.title_and_rest import split_title_and_rest
from cortexfs.errors import Refused
from cortexfs.operations.list_atoms import list_atoms
from cortexfs.operations.mark import resolve_atom
from cortexfs.operations.new_atom import render_starting_text
from cortexfs.operations.project import plan_project
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.show import build_shown_atom
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.status_change.status_change import LoadedAtom
    from cortexfs.operations.show import ShownAtom
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


MAX_TITLE_LENGTH = 120
"""Maximum characters of a summary that is taken from a text."""


class PromotedIdea(NamedTuple):
    """An idea that became a project, and the outcome of the plan."""

    ref: Ref
    path: str
    project: str
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> bool:
        """Return whether the commit includes the user's own changes to the idea."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def idea_kind(view: TreeFilesAndGit) -> Kind:
    """Return the kind `idea` of the table of kinds."""
    return require_kind(view, IDEA_KIND)


def split_idea_text(first_words: str, summary: str, text: str) -> tuple[str, str]:
    """Return the summary and the text of an idea from its first words."""
    title, rest = split_title_and_rest(first_words, MAX_TITLE_LENGTH)
    if summary:
        return summary, text or to_one_line(first_words)
    return title, text or rest


def render_idea_body(
    view: TreeFilesAndGit, draft: AtomDraft, section_texts: Mapping[str, str]
) -> str:
    """Return the initial text of an idea with the given sections, by their titles."""
    sections = {
        title: escape_markdown_line(words)
        for title, words in section_texts.items()
        if words.strip()
    }
    return fill_sections(render_starting_text(view, draft), sections)


def list_ideas(session: Session, only: AtomFilter) -> list[AtomWithReads]:
    """Return the ideas that match filters, in the order in which they were noted."""
    loaded = list_atoms(session, AtomCriteria(only._replace(kinds=(IDEA_KIND,))))
    return sorted(loaded, key=lambda entry: (parse_id_number(entry.ident), entry.atom.path))


def show_idea(
    session: Session,
    typed: str,
    cwd: str,
    sources: CitedFileSource | None = None,
    *,
    track: bool = True,
) -> ShownAtom:
    """Show an idea as `show` does."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        idea = _resolve_idea(view, typed, cwd)
        return build_shown_atom(view, idea.atom.ref, idea.file, sources, track=track)


def promote_idea(
    session: Session,
    typed: str,
    project: str,
    goal: str,
    cwd: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> PromotedIdea:
    """Create a project from an idea, with links both ways; the default goal is the idea's summary.

    Raises `Refused` for an idea that is a project already, or is no longer current.
    """

    def decide(view: View) -> PromotedIdea:
        return _plan_promotion(view, typed, project, goal, cwd)

    return attach_outcome(session.execute(decide, mode))


def _resolve_idea(view: View, typed: str, cwd: str) -> LoadedAtom:
    """Return an idea; raise `Refused` if the ref names an atom of another kind."""
    loaded = resolve_atom(view, typed, cwd)
    if loaded.kind.name != IDEA_KIND:
        raise Refused(
            f"`{loaded.atom.ref}` is of kind {loaded.kind.name}",
            hint=f"`cortexfs show {loaded.atom.ref}`",
        )
    return loaded


def _plan_promotion(view: View, typed: str, project: str, goal: str, cwd: str) -> PromotedIdea:
    idea = _resolve_idea(view, typed, cwd)
    atom = idea.atom
    write = plan_promotion(idea, project, view.clock().date().isoformat())
    goal_text = to_one_line(goal) or to_one_line(atom.text_field("summary"))
    plan = plan_project(view, project, goal_text, format_origin(atom), [write])
    plan = plan._replace(message=f"promote {atom.ref} to project {project}: {goal_text}")
    return PromotedIdea(atom.ref, atom.path, project, plan)
