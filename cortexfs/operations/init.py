"""Make a tree, or add to one what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import ATTRIBUTES, IGNORED, plan_missing, with_lines
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.cortex import Cortex
from cortexfs.operations.shared.derived_files import with_listings

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cortexfs.core.changes.plan import Outcome

MESSAGE = "init: cortexfs tree"


def init(
    root: str, clock: Callable[[], datetime], *, dry_run: bool = False, commit: bool = True
) -> tuple[Plan, Outcome | None]:
    """Make the tree and its repository; what is there already stays as it is."""
    if dry_run:
        return plan_init(Cortex.bare(root, clock)), None
    cortex = Cortex.begin(root, clock)
    outcome = cortex.carry_out(plan_init, commit=commit, render=tuple)
    return outcome.plan, outcome


def plan_init(cortex: Cortex) -> Plan:
    """Decide which of the starting texts are missing; git's settings get the lines they lack."""
    texts = cortex.tree.templates("tree")
    present = {path: "" if cortex.tree.is_taken(path) else None for path in texts}
    writes = plan_missing(texts, present, {})
    theirs = cortex.ledger.theirs([".gitignore", ".gitattributes"]).changed
    for path, lines in ((".gitignore", IGNORED), (".gitattributes", ATTRIBUTES)):
        old = cortex.tree.read(path) if cortex.tree.is_taken(path) else None
        if path in theirs or isinstance(old, Flaw):
            continue
        replacing = old.text if old else None
        if (text := with_lines(replacing or "", lines)) != replacing:
            writes.append(Write(path, text, replacing))
    return Plan(MESSAGE, tuple(with_listings(cortex, writes)))
