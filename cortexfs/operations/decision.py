"""Make decisions, look at them, and settle them: accept, reject, supersede."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.fill_sections import bulleted, composed, numbered
from cortexfs.core.changes.plan import Mode, Plan, with_outcome
from cortexfs.core.decisions.alternatives import alternatives, refuse_unweighed
from cortexfs.core.decisions.settle_decision import plan_supersede, plan_verdict, superseded_by
from cortexfs.core.indexes.index_entry import number_of
from cortexfs.core.markdown.splices import paragraph
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Refused
from cortexfs.operations.list_atoms import Choice, list_atoms
from cortexfs.operations.mark import party
from cortexfs.operations.new_atom import new, starting_text
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.shared.edited_decisions import held_to
from cortexfs.operations.shared.preconditions import refuse_new_errors
from cortexfs.operations.shared.resolve_names import kind_named, project_here, project_named
from cortexfs.operations.show import shown
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.checks.citations import Sources
    from cortexfs.core.find.filters import Only
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.status_change.plan_mark import Party, Touch
    from cortexfs.operations.new_atom import Created
    from cortexfs.operations.shared.edited_decisions import Held
    from cortexfs.operations.show import Shown
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

KIND = "decision"


class Settled(NamedTuple):
    """What became of a decision, all that changed, and what came of the plan."""

    ref: Ref
    path: str
    status: str
    touches: tuple[Touch, ...]
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> tuple[str, ...]:
        """Name the files in which the user's own changes came along."""
        return self.outcome.own_changes if self.outcome else ()


class Told(NamedTuple):
    """A decision to be looked at: what it weighs, and whether it says what was accepted."""

    shown: Shown
    alternatives: tuple[str, ...]
    held: Held | None


def kind_of_decisions(view: FileView) -> Kind:
    """Give the row of decisions in the table of kinds."""
    return kind_named(view, KIND)


def level(view: FileView, project: str | None, cwd: str, *, system: bool) -> str:
    """Give the project that a decision is for; empty where it is for the whole tree.

    The named one, or the one around; without either it is the whole tree.
    """
    if system:
        return ""
    return project_named(view, project) if project else project_here(view, cwd) or ""


def body_of(
    view: FileView,
    draft: Draft,
    said: tuple[str, str],
    weighed: Sequence[str],
    consequences: Sequence[str],
) -> str:
    """Put context and decision, alternatives and consequences into the text it begins with."""
    context, decision = (paragraph(words) if words.strip() else "" for words in said)
    sections = {
        "Context": context,
        "Alternatives": numbered(weighed),
        "Decision": decision,
        "Consequences": bulleted(consequences),
    }
    return composed(starting_text(view, draft), sections)


def new_decision(
    session: Session,
    draft: Draft,
    sources: Sources | None = None,
    *,
    mode: Mode = Mode.COMMIT,
) -> Created:
    """Make a decision, which is proposed; refuses one that weighs fewer than two alternatives."""
    hint = "add --alternative TEXT for each, or write them with --edit"
    refuse_unweighed(draft.body or "", starting_text(session, draft), hint)
    return new(session, draft, sources, mode=mode)


def list_decisions(session: Session, only: Only, *, system: bool) -> list[Entry]:
    """Give the decisions that match filters, by their ids, those of the whole tree first."""
    found = list_atoms(session, Choice(only._replace(kinds=(KIND,))))
    chosen = (entry for entry in found if not (system and entry.atom.project))
    return sorted(chosen, key=lambda e: (e.atom.project, number_of(e.ident), e.atom.path))


def show_decision(
    session: Session, typed: str, cwd: str, sources: Sources | None = None, *, track: bool = True
) -> Told:
    """Show a decision as `show` does, with what it weighs and when it was accepted."""
    with session.read(Intake.TEXTS, drain=True) as view:
        one = _decision(view, typed, cwd)
        found = shown(view, one.atom.ref, one.source, sources, track=track)
        held = held_to(view, [found.path]).get(found.path)
        return Told(found, alternatives(found.text, _template(view, one)), held)


def settle(
    session: Session,
    typed: str,
    word: str,
    cwd: str,
    *,
    reason: str = "",
    mode: Mode = Mode.COMMIT,
) -> Settled:
    """Accept or reject a decision. Raises `Refused` for what may not be."""

    def decide(view: View) -> Settled:
        one = _decision(view, typed, cwd)
        touches = plan_verdict(one, word, _template(view, one))
        return _settled(view, one, word, touches, _saying(f"{KIND} {one.atom.ref} {word}", reason))

    return with_outcome(session.execute(decide, mode))


def supersede(
    session: Session,
    typed: str,
    by: str,
    cwd: str,
    *,
    reason: str = "",
    mode: Mode = Mode.COMMIT,
) -> Settled:
    """Put a later decision in the place of an old one, which accepts it, and link both ways."""

    def decide(view: View) -> Settled:
        old, later = _decision(view, typed, cwd), _decision(view, by, cwd)
        _refuse_ambiguous(view, old.atom, later.atom)
        touches = plan_supersede(old, later, _template(view, later))
        said = _saying(f"{KIND} {old.atom.ref} superseded by {later.atom.ref}", reason)
        return _settled(view, old, str(superseded_by(old, later)), touches, said)

    return with_outcome(session.execute(decide, mode))


def _settled(
    view: View, one: Party, status: str, touches: tuple[Touch, ...], message: str
) -> Settled:
    writes = [touch.write for touch in touches]
    refuse_new_errors(view, view.facts.atoms(), writes, "say refs in full: `driftwood/DR-0001`")
    plan = Plan(message, tuple(with_listings(view, writes)) if writes else ())
    return Settled(one.atom.ref, one.atom.path, status, touches, plan)


def _decision(view: View, typed: str, cwd: str) -> Party:
    """Find a decision; raises `Refused` where the ref names an atom of another kind."""
    found = party(view, typed, cwd)
    if not found.kind.decides:
        raise Refused(
            f"`{found.atom.ref}` is of kind {found.kind.name}",
            hint=f"`cortexfs show {found.atom.ref}`; `cortexfs mark` changes its status",
        )
    return found


def _refuse_ambiguous(view: View, old: Atom, later: Atom) -> None:
    """Refuse a decision of the whole tree whose ref means another one in a project."""
    for one, other in ((old, later), (later, old)):
        meant = f"{one.project}/{other.ref}"
        if one.project and not other.project and view.facts.named(meant):
            raise Refused(
                f"in {one.project} `{other.ref}` means `{meant}`",
                hint="make a decision of the project that says it, and supersede by that",
            )


def _template(view: FileView, one: Party) -> str:
    return view.tree.template(f"{one.kind.name}.md") or ""


def _saying(said: str, reason: str) -> str:
    return f"{said}: {one_line(reason)}" if reason.strip() else said
