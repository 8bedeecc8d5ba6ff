"""List, show and settle decisions: accept, reject, supersede; render the text of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.fill_sections import (
    fill_sections,
    format_bullet_list,
    format_numbered_list,
)
from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.core.decisions.accept_reject_supersede import (
    make_superseded_status,
    plan_supersede,
    plan_verdict,
)
from cortexfs.core.decisions.alternatives import find_alternatives
from cortexfs.core.find.atom_criteria import AtomCriteria
from cortexfs.core.indexes.atom_with_reads import parse_id_number
from cortexfs.core.markdown.edit_text import escape_markdown_line
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused
from cortexfs.operations.list_atoms import list_atoms
from cortexfs.operations.mark import resolve_atom
from cortexfs.operations.new_atom import render_starting_text
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.edited_decisions import find_acceptances
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_new_errors
from cortexfs.operations.shared.resolve_names import (
    find_current_project,
    require_kind,
    require_project,
)
from cortexfs.operations.show import build_shown_atom
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.status_change.status_change import FileChange, LoadedAtom
    from cortexfs.operations.shared.edited_decisions import Acceptance
    from cortexfs.operations.show import ShownAtom
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


class SettledDecision(NamedTuple):
    """The new status of a decision, all changes, and the outcome of the plan."""

    ref: Ref
    path: str
    status: str
    file_changes: tuple[FileChange, ...]
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> tuple[str, ...]:
        """Return the files whose uncommitted changes came into the commit."""
        return self.outcome.own_changes if self.outcome else ()


class ShownDecision(NamedTuple):
    """A decision to show: its alternatives, and whether it still matches the accepted text."""

    shown: ShownAtom
    alternatives: tuple[str, ...]
    acceptance: Acceptance | None


def decision_kind(view: TreeFilesAndGit) -> Kind:
    """Return the kind `decision` of the table of kinds."""
    return require_kind(view, DECISION_KIND)


def resolve_decision_project(
    view: TreeFilesAndGit, project: str | None, cwd: str, *, system: bool
) -> str:
    """Return the project of a decision; empty if it applies to the whole tree.

    The named project, else the current one; without either it is the whole tree.
    """
    if system:
        return ""
    return require_project(view, project) if project else find_current_project(view, cwd) or ""


def render_decision_body(
    view: TreeFilesAndGit,
    draft: AtomDraft,
    context_and_decision: tuple[str, str],
    alternative_texts: Sequence[str],
    consequences: Sequence[str],
) -> str:
    """Return the initial text with context and decision, alternatives and consequences."""
    context, decision = (
        escape_markdown_line(words) if words.strip() else "" for words in context_and_decision
    )
    sections = {
        "Context": context,
        "Alternatives": format_numbered_list(alternative_texts),
        "Decision": decision,
        "Consequences": format_bullet_list(consequences),
    }
    return fill_sections(render_starting_text(view, draft), sections)


def list_decisions(session: Session, only: AtomFilter, *, system: bool) -> list[AtomWithReads]:
    """Return the decisions that match filters, by id, those of the whole tree first."""
    loaded = list_atoms(session, AtomCriteria(only._replace(kinds=(DECISION_KIND,))))
    chosen = (entry for entry in loaded if not (system and entry.atom.project))
    return sorted(chosen, key=lambda e: (e.atom.project, parse_id_number(e.ident), e.atom.path))


def show_decision(
    session: Session,
    typed: str,
    cwd: str,
    sources: CitedFileSource | None = None,
    *,
    track: bool = True,
) -> ShownDecision:
    """Show a decision as `show` does, with its alternatives and its acceptance."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        decision = _resolve_decision(view, typed, cwd)
        loaded = build_shown_atom(view, decision.atom.ref, decision.file, sources, track=track)
        acceptance = find_acceptances(view, [loaded.path]).get(loaded.path)
        return ShownDecision(
            loaded, find_alternatives(loaded.text, _read_template(view, decision)), acceptance
        )


def settle_decision(
    session: Session,
    typed: str,
    verdict: str,
    cwd: str,
    *,
    reason: str = "",
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SettledDecision:
    """Accept or reject a decision; raise `Refused` if its status does not allow it."""

    def decide(view: View) -> SettledDecision:
        return plan_decision_verdict(view, typed, verdict, cwd, reason)

    return attach_outcome(session.execute(decide, mode))


def plan_decision_verdict(
    view: View, typed: str, verdict: str, cwd: str, reason: str
) -> SettledDecision:
    """Return the plan that accepts or rejects a decision; raises as `settle_decision` does."""
    decision = _resolve_decision(view, typed, cwd)
    changes = plan_verdict(decision, verdict, _read_template(view, decision))
    message = _append_reason(f"{DECISION_KIND} {decision.atom.ref} {verdict}", reason)
    return _plan_settlement(view, decision, verdict, changes, message)


def supersede_decision(
    session: Session,
    typed: str,
    by: str,
    cwd: str,
    *,
    reason: str = "",
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SettledDecision:
    """Replace an old decision by a later one, which is accepted; link both ways."""

    def decide(view: View) -> SettledDecision:
        return plan_decision_successor(view, typed, by, cwd, reason)

    return attach_outcome(session.execute(decide, mode))


def plan_decision_successor(
    view: View, typed: str, by: str, cwd: str, reason: str
) -> SettledDecision:
    """Return the plan that replaces a decision; raises as `supersede_decision` does."""
    old, later = _resolve_decision(view, typed, cwd), _resolve_decision(view, by, cwd)
    _refuse_ambiguous_ref(view, old.atom, later.atom)
    changes = plan_supersede(old, later, _read_template(view, later))
    message = _append_reason(
        f"{DECISION_KIND} {old.atom.ref} superseded by {later.atom.ref}", reason
    )
    return _plan_settlement(view, old, str(make_superseded_status(old, later)), changes, message)


def _plan_settlement(
    view: View, decision: LoadedAtom, status: str, changes: tuple[FileChange, ...], message: str
) -> SettledDecision:
    writes = [touch.write for touch in changes]
    refuse_new_errors(view, writes, "write refs in full: `driftwood/DR-0001`")
    plan = Plan(message, tuple(add_derived_writes(view, writes)) if writes else ())
    return SettledDecision(decision.atom.ref, decision.atom.path, status, changes, plan)


def _resolve_decision(view: View, typed: str, cwd: str) -> LoadedAtom:
    """Return a decision; raise `Refused` if the ref names an atom of another kind."""
    loaded = resolve_atom(view, typed, cwd)
    if not loaded.kind.is_decision:
        raise Refused(
            f"`{loaded.atom.ref}` is of kind {loaded.kind.name}",
            hint=f"`cortexfs show {loaded.atom.ref}`; `cortexfs mark` changes its status",
        )
    return loaded


def _refuse_ambiguous_ref(view: View, old: Atom, later: Atom) -> None:
    """Refuse a decision of the whole tree whose ref also names one in a project."""
    for citing, cited in ((old, later), (later, old)):
        project_ref = f"{citing.project}/{cited.ref}"
        if citing.project and not cited.project and view.queries.find_ref(project_ref):
            raise Refused(
                f"in {citing.project} `{cited.ref}` means `{project_ref}`",
                hint="supersede it by a decision of the project",
            )


def _read_template(view: TreeFilesAndGit, decision: LoadedAtom) -> str:
    return view.tree.read_template(f"{decision.kind.name}.md") or ""


def _append_reason(message: str, reason: str) -> str:
    return f"{message}: {to_one_line(reason)}" if reason.strip() else message
