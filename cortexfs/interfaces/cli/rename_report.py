"""Print the result of the commands that rename something."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.operations.shared.rename_plan import RenameResult


MAX_SHOWN_MENTIONS = 5
"""Number of files with the old name of a project in prose that are printed without --all."""


def print_rename_result(run: CommandContext, done: RenameResult, *, show_all: bool = False) -> None:
    """Print the old and new name, the changed files, and the places to check."""
    from cortexfs.interfaces.json.projects import to_renamed_json

    document = to_renamed_json(done)
    for place in done.ambiguous_places:
        run.output.print_message(f"{place}: may refer to either atom; check it")
    _print_prose_mentions(run, done, show_all=show_all)
    if not run.output.print_result(done.plan, done.outcome, document):
        return
    run.output.print_own_changes(done.outcome.own_changes if done.outcome else ())
    run.output.print_text(f"{done.new}\t{done.path}")
    if done.changed_paths:
        run.output.print_lines(*done.changed_paths)


def _print_prose_mentions(run: CommandContext, done: RenameResult, *, show_all: bool) -> None:
    """Print the files with the old name of a project in prose: the first ones, or all."""
    count = len(done.prose_mentions)
    shown = done.prose_mentions[: count if show_all else MAX_SHOWN_MENTIONS]
    for path in shown:
        run.output.print_message(f"{path}: still mentions `{done.old}`; check it")
    if omitted := count - len(shown):
        run.output.print_message(
            f"{omitted} more of {count} files still mention `{done.old}`; --all shows all"
        )
