"""How the commands that rename something tell what they did."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.operations.renaming import Renamed


def tell(run: CommandContext, done: Renamed) -> None:
    """Say what got which name, which files named it, and what a person should look at."""
    about = {"from": done.old, "to": done.new, "path": done.path}
    said = {"renamed": about, "changed": done.changed, "unsure": done.unsure, "left": done.left}
    for place in done.unsure:
        run.output.print_message(f"{place}: may mean either; look at it")
    for path in done.left:
        run.output.print_message(f"{path}: `{done.old}` still stands there in prose")
    if not run.output.print_result(done.plan, done.outcome, said):
        return
    for path in done.outcome.own_changes if done.outcome else ():
        run.output.print_message(f"{path}: your own changes to it come into the commit")
    run.output.print_text(f"{done.new}\t{done.path}")
    if done.changed:
        run.output.print_lines(*done.changed)
