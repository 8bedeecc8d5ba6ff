"""Make a tree, or add to one what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import ATTRIBUTES, IGNORED, plan_missing, with_lines
from cortexfs.core.changes.plan import Mode, Plan, Planned, Write, with_outcome
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.session.session import Session
from cortexfs.session.view import nothing

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.view import FileView

MESSAGE = "init: cortexfs tree"


def init(
    root: str, clock: Callable[[], datetime], *, mode: Mode = Mode.COMMIT
) -> tuple[Plan, Outcome | None]:
    """Make the tree and its repository; what is there already stays as it is."""
    if mode.is_dry_run:
        return plan_init(Session.bare(root, clock)), None
    session = Session.create(root, clock)
    return with_outcome(
        session.execute(lambda view: Planned(plan_init(view)), mode, render=nothing)
    )


def plan_init(view: FileView) -> Plan:
    """Decide which of the starting texts are missing; git's settings get the lines they lack."""
    texts = view.tree.templates("tree")
    present = {path: "" if view.tree.is_taken(path) else None for path in texts}
    writes = plan_missing(texts, present, {})
    theirs = view.repository.theirs([".gitignore", ".gitattributes"]).changed
    for path, lines in ((".gitignore", IGNORED), (".gitattributes", ATTRIBUTES)):
        old = view.tree.read(path) if view.tree.is_taken(path) else None
        if path in theirs or isinstance(old, Flaw):
            continue
        replacing = old.text if old else None
        if (text := with_lines(replacing or "", lines)) != replacing:
            writes.append(Write(path, text, replacing))
    return Plan(MESSAGE, tuple(with_listings(view, writes)))
