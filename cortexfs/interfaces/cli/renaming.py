"""How the commands that rename something tell what they did."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.command_context import Run
    from cortexfs.operations.renaming import Renamed


def tell(run: Run, done: Renamed) -> None:
    """Say what got which name, which files named it, and what a person should look at."""
    about = {"from": done.old, "to": done.new, "path": done.path}
    said = {"renamed": about, "changed": done.changed, "unsure": done.unsure, "left": done.left}
    for place in done.unsure:
        run.say.talk(f"{place}: may mean either; look at it")
    for path in done.left:
        run.say.talk(f"{path}: `{done.old}` still stands there in prose")
    if not run.say.done(done.plan, done.outcome, said):
        return
    for path in done.outcome.own_changes if done.outcome else ():
        run.say.talk(f"{path}: your own changes to it come into the commit")
    run.say.data(f"{done.new}\t{done.path}")
    if done.changed:
        run.say.lines(*done.changed)
