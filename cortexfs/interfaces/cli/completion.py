"""Shell completion; it reads the catalog without a refresh, and never waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer  # noqa: TC002 - typer reads annotations at run time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.session.completion import CompletionNames


def complete_kinds(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete kinds."""
    from cortexfs.core.atoms.kinds import BUILT_IN

    return _match_prefix(
        incomplete, [*(kind.name for kind in BUILT_IN), *_open_names(ctx).list_kinds()]
    )


def complete_projects(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete projects."""
    return _match_prefix(incomplete, _open_names(ctx).list_projects())


def complete_refs(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete ids of the current project, ids that only one project has, and full refs."""
    head, comma, last = incomplete.rpartition(",")
    return [f"{head}{comma}{ref}" for ref in _open_names(ctx).list_refs(last)]


def complete_tags(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete tags."""
    return _match_prefix(incomplete, _open_names(ctx).list_tags())


def complete_statuses(incomplete: str) -> list[str]:
    """Complete statuses."""
    from cortexfs.core.atoms.lifecycle import (
        DECISION_STATUS_SECTIONS,
        ENTITY_STATUS_SECTIONS,
        IDEA_STATUS_SECTIONS,
        SESSION_STATUS_SECTIONS,
        STATUS_SECTIONS,
    )

    of_kinds = (
        DECISION_STATUS_SECTIONS,
        IDEA_STATUS_SECTIONS,
        SESSION_STATUS_SECTIONS,
        ENTITY_STATUS_SECTIONS,
    )
    return _match_prefix(
        incomplete, [*STATUS_SECTIONS, *(word for words in of_kinds for word in words)]
    )


def complete_task_states(incomplete: str) -> list[str]:
    """Complete states of tasks."""
    from cortexfs.core.tasks.task_readiness import TaskState

    return _match_prefix(incomplete, TaskState)


def complete_tasks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete ids of tasks."""
    return _match_prefix(incomplete, _open_names(ctx).list_tasks())


def complete_issues(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete titles of issues."""
    return _match_prefix(incomplete, _open_names(ctx).list_issues())


def _open_names(ctx: typer.Context) -> CompletionNames:
    """Open the tree of `--root`, at any position of the command line, or else the current one."""
    from cortexfs.interfaces.cli import process_context
    from cortexfs.session.completion import CompletionNames

    given, at = ctx.params.get("root"), ctx.parent
    while given is None and at is not None:
        given, at = at.params.get("root"), at.parent
    return CompletionNames(process_context.find_root(given), process_context.working_directory())


def _match_prefix(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names with the typed prefix; in a list with commas, the last item is completed."""
    head, comma, last = incomplete.rpartition(",")
    return sorted({f"{head}{comma}{name}" for name in names if name.startswith(last)})
