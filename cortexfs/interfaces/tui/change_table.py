"""All changes that the panel can make: each calls one operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import STATUS_TRANSITIONS
from cortexfs.interfaces.tui.change import (
    Answers,
    Change,
    ChangeResult,
    Field,
    describe_plan,
    format_file_change,
)
from cortexfs.interfaces.tui.shown_content import Cell, Subject, Tone
from cortexfs.interfaces.tui.shown_text import line

if TYPE_CHECKING:
    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.interfaces.tui.page import PanelContext
    from cortexfs.operations.tasks.locked_change import TaskCaller


def _mark(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.mark import MarkRequest, mark

    status, cause, reason = map(answers.get, ("status", "by", "reason"))
    request = MarkRequest(answers.key, status, cause, reason, context.cwd)
    done = mark(context.session, request, mode=mode)
    return describe_plan(done.plan, done.outcome)


def _archive(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.memory.archive_memory import archive_memory

    done = archive_memory(context.session, answers.key, mode=mode)
    return describe_plan(done.plan, done.outcome)


def _remove(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.rm import rm

    done = rm(context.session, answers.key, context.cwd, mode=mode)
    return describe_plan(done.plan, done.outcome)


def _accept(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    return _settle(context, answers, mode, "accepted")


def _reject(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    return _settle(context, answers, mode, "rejected")


def _settle(
    context: PanelContext, answers: Answers, mode: ExecutionMode, verdict: str
) -> ChangeResult:
    from cortexfs.operations.decision import settle_decision

    reason = answers.get("reason")
    done = settle_decision(
        context.session, answers.key, verdict, context.cwd, reason=reason, mode=mode
    )
    return describe_plan(done.plan, done.outcome)


def _accept_merge(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.accept_merge_proposal import accept_merge_proposal

    done = accept_merge_proposal(context.session, answers.key, answers.get("keep"), mode=mode)
    return describe_plan(done.plan, done.outcome)


def _reject_merge(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.reject_merge_proposal import reject_merge_proposal

    done = reject_merge_proposal(context.session, answers.key, mode=mode)
    return describe_plan(done.plan, done.outcome)


def _finish(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.tasks.transitions import finish

    caller = _make_caller(context, mode)
    done = finish(context.session, answers.key, answers.get("note"), caller)
    return describe_plan(done.plan, done.outcome)


def _claim(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.tasks.transitions import claim

    done = claim(context.session, answers.key, _make_caller(context, mode))
    return describe_plan(done.plan, done.outcome)


def _make_caller(context: PanelContext, mode: ExecutionMode) -> TaskCaller:
    from cortexfs.operations.tasks.locked_change import TaskCaller

    return TaskCaller(context.owner, context.cwd, None, mode)


def _fix(context: PanelContext, _: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.check import fix_tree

    outcome = fix_tree(context.session, None, mode=mode)
    planned = describe_plan(outcome.plan, None if mode.is_dry_run else outcome)
    rendered = line(Cell("indexes that are out of date are rendered too", Tone.MUTED))
    return planned._replace(is_change=True, lines=(*planned.lines, rendered))


def _connect(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    return _set_up(context, answers, mode, remove=False)


def _disconnect(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    return _set_up(context, answers, mode, remove=True)


def _set_up(
    context: PanelContext, answers: Answers, mode: ExecutionMode, *, remove: bool
) -> ChangeResult:
    from cortexfs.operations.setup import install_setup, plan_setup

    plan = plan_setup(context.session, context.environ, answers.key, remove=remove)
    if not mode.is_dry_run:
        install_setup(context.session, context.environ, plan)
    changed = (each for each in plan.changes if each.before != each.after)
    lines = (one for c in changed for one in format_file_change(c.path, c.before, c.after))
    message = f"{'disconnect' if remove else 'connect'} {answers.key}"
    return ChangeResult(message, tuple(lines), plan.is_change, note=plan.next_step)


def _undo(context: PanelContext, answers: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.undo import undo

    done = undo(context.session, answers.key, mode=mode)
    return describe_plan(done.plan, done.outcome)


def _redo(context: PanelContext, _: Answers, mode: ExecutionMode) -> ChangeResult:
    from cortexfs.operations.undo import redo

    done = redo(context.session, mode=mode)
    return describe_plan(done.plan, done.outcome)


_REASON = Field("reason", "Reason")
_MARK_FIELDS = (
    Field("status", "Status", is_required=True, choices=tuple(STATUS_TRANSITIONS)),
    Field("by", "Because of"),
    _REASON,
)
_ATOMS = frozenset({Subject.ATOM})
_MEMORIES = frozenset({Subject.MEMORY})
_DECISIONS = frozenset({Subject.DECISION})
_TASKS = frozenset({Subject.TASK})
_CLIENTS = frozenset({Subject.CLIENT})
_MERGES = frozenset({Subject.MERGE})
_HEALTH = frozenset({"health"})

CHANGES = (
    Change("accept", "a", "accept", _accept, _DECISIONS, fields=(_REASON,)),
    Change("reject", "n", "reject", _reject, _DECISIONS, fields=(_REASON,)),
    Change("accept-merge", "a", "merge", _accept_merge, _MERGES, fields=(Field("keep", "Keep"),)),
    Change("reject-merge", "n", "reject", _reject_merge, _MERGES),
    Change("finish", "x", "done", _finish, _TASKS, fields=(Field("note", "Note"),)),
    Change("claim", "c", "claim", _claim, _TASKS),
    Change("connect", "enter", "connect", _connect, _CLIENTS),
    Change("disconnect", "d", "disconnect", _disconnect, _CLIENTS),
    Change("fix", "f", "fix", _fix, pages=_HEALTH),
    Change("mark", "m", "mark", _mark, _ATOMS | _MEMORIES, fields=_MARK_FIELDS),
    Change("archive", "d", "archive", _archive, _MEMORIES),
    Change("remove", "d", "remove", _remove, _ATOMS),
    Change("undo", "u", "undo", _undo),
    Change("redo", "U", "redo", _redo),
)


def list_offered(page: str, subject: Subject) -> tuple[Change, ...]:
    """Return the changes that are offered on a page for a row."""
    return tuple(change for change in CHANGES if change.is_offered(page, subject))
