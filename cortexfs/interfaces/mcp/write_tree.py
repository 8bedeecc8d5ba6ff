"""Run the tools that create atoms and change their status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.untrusted_text import clean_line
from cortexfs.errors import Usage
from cortexfs.interfaces.mcp.tool import CHANGE_MODE, ToolResult

if TYPE_CHECKING:
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool import ToolContext


def create_atom(context: ToolContext, given: Arguments) -> ToolResult:
    """Create one atom."""
    from cortexfs.operations.new_atom import new_atom

    draft = _make_draft(context, given)
    created = new_atom(context.session, draft, context.sources, mode=CHANGE_MODE)
    lines = [f"Created {created.ref} ({created.path})"]
    lines += [f"near-duplicate: {near.ref}" for near in created.near_duplicates]
    return ToolResult("\n".join(map(clean_line, lines)))


def mark_atom(context: ToolContext, given: Arguments) -> ToolResult:
    """Change the status of one atom."""
    from cortexfs.operations.mark import MarkRequest, mark

    request = MarkRequest(
        given.text("ref"),
        given.text("status"),
        given.text("by"),
        given.text("reason"),
        context.cwd,
    )
    done = mark(context.session, request, mode=CHANGE_MODE)
    if not done.changes.file_changes:
        return ToolResult(f"{done.ref} is already {clean_line(done.status)}")
    lines = [f"{touched.ref}: {touched.summary}" for touched in done.changes.file_changes]
    lines += [f"skipped: {path}: {why}" for path, why in done.changes.left_out.items()]
    return ToolResult("\n".join(map(clean_line, lines)))


def _make_draft(context: ToolContext, given: Arguments) -> AtomDraft:
    """Return the draft of a new atom; the project is the given one, or that of the server."""
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.operations.shared.resolve_names import require_kind, resolve_atom_project

    session = context.session
    kind = require_kind(session, given.text("kind"))
    known = session.tree.list_projects()
    default = context.project if context.project in known else ""
    project = given.text("project") or default or None
    fields: dict[str, str | tuple[str, ...]] = dict(map(_parse_field, given.texts("fields")))
    if evidence := given.texts("evidence"):
        fields["evidence"] = evidence
    return AtomDraft(
        kind=kind,
        project=resolve_atom_project(session, kind, project, context.cwd),
        summary=given.text("summary"),
        tags=given.texts("tags"),
        fields=fields,
        body=given.text("body") or None,
    )


def _parse_field(text: str) -> tuple[str, str | tuple[str, ...]]:
    """Return the name and value of `KEY=VALUE`; the value of a field with refs is a list."""
    from cortexfs.operations.new_atom import REF_FIELDS

    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key:
        raise Usage("fields: an item is not KEY=VALUE", hint='fields=["links=EXP-001"]')
    refs = tuple(ref for each in value.split(",") if (ref := each.strip()))
    return key, (refs if key in REF_FIELDS else value)
