"""The tools that change something; each is planned first, and run once the plan is confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.title_and_rest import split_title_and_rest
from cortexfs.errors import Refused
from cortexfs.operations.accept_merge_proposal import accept_merge_proposal
from cortexfs.operations.chat.chat_tool import ToolOutput
from cortexfs.operations.check import fix_tree
from cortexfs.operations.decision import settle_decision
from cortexfs.operations.mark import MarkRequest, mark
from cortexfs.operations.memory.delete_memory import delete_memory
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.reject_merge_proposal import reject_merge_proposal
from cortexfs.operations.restore import restore
from cortexfs.operations.run_maintenance import run_maintenance
from cortexfs.operations.shared.memory_types import MemoryDraft, SaveAction
from cortexfs.operations.shared.resolve_names import find_current_project, resolve_project
from cortexfs.operations.undo import redo, undo

if TYPE_CHECKING:
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.operations.chat.chat_tool import ChatContext

TITLE_CHARS = 80
"""Maximum characters of a title that is made from the content of a memory."""


def save(context: ChatContext, given: Arguments) -> ToolOutput:
    """Save a memory."""
    session, content = context.session, given.text("content")
    project = _choose_project(context, given.text("project"))
    title = given.text("title").strip() or split_title_and_rest(content, TITLE_CHARS)[0]
    draft = MemoryDraft(title, content, given.text("type"), project, tool="cortexfs chat")
    saved = save_memory(session, draft, mode=context.mode)
    ref = saved.record.ref
    if saved.action in {SaveAction.DUPLICATE, SaveAction.KNOWN}:
        return ToolOutput(f"{ref} says that already", (ref,))
    return ToolOutput(f"saved as {ref}", (ref,))


def _choose_project(context: ChatContext, named: str) -> str:
    """Return the project of a new memory; raises `Refused` with the words that name one."""
    known = context.session.tree.list_projects()
    current = find_current_project(context.session, context.cwd)
    if not named and not current and len(known) > 1:
        hint = f"`save this in {known[0]}: …`; projects are {', '.join(known)}"
        raise Refused("it is not clear which project this is about", hint=hint)
    return resolve_project(context.session, named or None, context.cwd)


def delete(context: ChatContext, given: Arguments) -> ToolOutput:
    """Delete a memory softly: its file stays."""
    typed = given.text("ref")
    kind = context.session.kinds.find_by_id(typed.rpartition("/")[2])
    if kind and kind.name != OBSERVATION_KIND:
        hint = f"only memories can be forgotten; `invalidate {typed} because …`"
        raise Refused(f"`{typed}` is no memory", hint=hint)
    if not kind and not typed.removeprefix("#").isdecimal():
        raise Refused(f"`{typed}` is no memory", hint="`forget OBS-117`, or `invalidate REF`")
    record = delete_memory(context.session, typed, mode=context.mode)
    return ToolOutput(f"{record.ref} is forgotten; `undo that` brings it back", (record.ref,))


def undo_change(context: ChatContext, given: Arguments) -> ToolOutput:
    """Undo a commit; without an id the last change of the thread, or else of the tree."""
    named = given.text("id") or context.last_commit
    done = undo(context.session, named, mode=context.mode)
    return ToolOutput(f"undone: {done.commit.subject} ({done.commit.commit[:10]})")


def redo_change(context: ChatContext, _: Arguments) -> ToolOutput:
    """Redo the last undo."""
    return ToolOutput(f"done: {redo(context.session, mode=context.mode).subject}")


def restore_atom(context: ChatContext, given: Arguments) -> ToolOutput:
    """Bring back a tombstone or a removed atom."""
    done = restore(context.session, given.text("ref"), at=None, cwd=context.cwd, mode=context.mode)
    return ToolOutput(f"{done.ref} is restored ({done.status})", (done.ref,))


def mark_atom(context: ChatContext, given: Arguments) -> ToolOutput:
    """Change the status of an atom, and of those that depend on it."""
    ref, status, by, reason = map(given.text, ("ref", "status", "by", "reason"))
    request = MarkRequest(ref, status, by, reason, context.cwd)
    done = mark(context.session, request, mode=context.mode)
    lines = [f"{each.ref}: {each.summary}" for each in done.changes.file_changes]
    return ToolOutput("\n".join(lines) or f"{done.ref} is already {done.status}", (done.ref,))


def decide(context: ChatContext, given: Arguments) -> ToolOutput:
    """Accept or reject a decision."""
    done = settle_decision(
        context.session,
        given.text("ref"),
        given.text("verdict"),
        context.cwd,
        reason=given.text("reason"),
        mode=context.mode,
    )
    return ToolOutput(f"{done.ref} is {done.status}", (done.ref,))


def decide_proposal(context: ChatContext, given: Arguments) -> ToolOutput:
    """Merge the memories of a proposal, or keep both."""
    ident, session = given.text("id"), context.session
    if given.text("decision") == "reject":
        return ToolOutput(reject_merge_proposal(session, ident, mode=context.mode).plan.message)
    return ToolOutput(accept_merge_proposal(session, ident, mode=context.mode).plan.message)


def maintain_now(context: ChatContext, given: Arguments) -> ToolOutput:
    """Make the changes of maintenance."""
    project = given.text("project")
    projects = [resolve_project(context.session, project, context.cwd)] if project else None
    done = run_maintenance(context.session, context.mode, projects)
    merged = sum(len(each.merged) for each in done.merges)
    counts = f"{format_count(len(done.marks), 'atom')} marked, {merged} merged"
    return ToolOutput(counts, tuple(each.ref for each in done.marks))


def fix(context: ChatContext, given: Arguments) -> ToolOutput:
    """Fix what has one right answer."""
    project = given.text("project")
    projects = [resolve_project(context.session, project, context.cwd)] if project else None
    done = fix_tree(context.session, projects, context.sources, mode=context.mode)
    return ToolOutput(f"fixed: {format_count(len(done.plan.writes), 'file')}")
