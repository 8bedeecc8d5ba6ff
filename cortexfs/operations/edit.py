"""Change an atom and the files derived from it, in one commit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.edit_atom import (
    AtomEdit,
    apply_atom_edit,
    list_changed_parts,
    parse_field_values,
    require_editable_decision,
)
from cortexfs.core.atoms.lifecycle import EDITABLE_DECISION_STATUSES
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.checks.finding_codes import get_hint
from cortexfs.core.decisions.immutability import find_changed_line, parse_decision_status
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import AtomChanged, Refused, Unreadable
from cortexfs.operations.new_atom import MAX_ATOM_BYTES
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.refuse_loss_and_errors import find_new_errors
from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FileText, Ref
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_NAMED_PARTS = 6
"""Maximum number of changed fields that a commit message names."""


class EditResult(NamedTuple):
    """An edited atom and the outcome; a plan without writes changes nothing."""

    ref: Ref
    path: str
    plan: Plan
    outcome: Outcome | None = None

    @property
    def changed(self) -> bool:
        """Return whether anything changed."""
        return bool(self.plan.writes)

    @property
    def own_changes(self) -> bool:
        """Return whether the commit includes the user's own changes to the atom."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def edit(
    session: Session,
    typed: str,
    cwd: str,
    changes: AtomEdit,
    typed_fields: Mapping[str, str] | None = None,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> EditResult:
    """Change the text of an atom, or its fields; `pairs` are fields as a person types them.

    Raises `Refused` with line and hint if `check` would find a new error, or if the text of an
    accepted decision would change; `AtomChanged` if the file differs from the one its author saw.
    """

    def decide(view: View) -> EditResult:
        return _decide(view, typed, cwd, changes, typed_fields or {})

    return attach_outcome(session.execute(decide, mode))


def read_atom_source(session: Session, typed: str, cwd: str) -> tuple[Ref, FileText]:
    """Return the atom that a person names, and its file for editing."""
    with session.read() as view:
        return _read_source(view, typed, cwd)


def _read_source(view: View, typed: str, cwd: str) -> tuple[Ref, FileText]:
    ref, path = resolve_ref(view, typed, cwd)
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{path}: {source.message}", hint=get_hint(source.code))
    return ref, source


def _decide(
    view: View, typed: str, cwd: str, changes: AtomEdit, pairs: Mapping[str, str]
) -> EditResult:
    ref, (path, before) = _read_source(view, typed, cwd)
    if changes.expected_text not in {None, before}:
        raise AtomChanged(path)
    where = parse_atom_path(path, view.kinds)
    fields = {**parse_field_values(pairs, before), **(changes.fields or {})}
    after = apply_atom_edit(before, replace(changes, fields=fields))
    message = f"edit {ref}: {_describe_changes(before, after)}"
    if after == before or where is None:
        return EditResult(ref, path, Plan(message))
    _refuse_harmful_edit(view, ref, where, Write(path, after, before))
    writes = add_derived_writes(view, [Write(path, after, before)])
    return EditResult(ref, path, Plan(message, tuple(writes)))


def _refuse_harmful_edit(view: View, ref: Ref, where: AtomPath, write: Write) -> None:
    """Refuse a change that would introduce an error."""
    before, after = write.expected_text or "", write.text
    if len(after.encode(errors="replace")) > MAX_ATOM_BYTES:
        raise Refused("an atom has at most 16 MiB", hint="keep one fact in each file")
    if where.kind.is_decision and parse_decision_status(before) not in EDITABLE_DECISION_STATUSES:
        require_editable_decision(where.kind, find_changed_line(before, after), ref)
    for found in find_new_errors(view, [write]):
        raise Refused(
            f"line {found.line}: {found.code}: {found.message}", hint=get_hint(found.code)
        )


def _describe_changes(before: str, after: str) -> str:
    """Return what an edit changed: `summary, tags, body`, in the order of the file."""
    parts = [to_one_line(part) for part in list_changed_parts(before, after)]
    return ", ".join(parts[:MAX_NAMED_PARTS]) + (", …" if len(parts) > MAX_NAMED_PARTS else "")
