"""Show one atom: its text, who names it, and how it came to be."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atom import Flaw
from cortexfs.errors import HistoryFailed, Unreadable
from cortexfs.verbs.resolve import resolve

if TYPE_CHECKING:
    from cortexfs.core.atom import Ref
    from cortexfs.core.entry import Entry
    from cortexfs.cortex import Cortex
    from cortexfs.history.past import Commit as Past

PAST = 5
"""Commits that are shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An atom to be looked at; `entry` is None where it has no id."""

    ref: Ref
    path: str
    text: str
    entry: Entry | None
    backlinks: tuple[Ref, ...]
    past: tuple[Past, ...]


def show(cortex: Cortex, typed: str, cwd: str, *, track: bool = True) -> Shown:
    """Find an atom by its ref and read it; counts as a look, unless it is not to."""
    cortex.catch_up()
    ref, path = resolve(cortex, typed, cwd)
    source = cortex.tree.read(path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{path}: {source.message}")
    if track:
        _note(cortex, path)
    folder = path.rpartition("/")[0]
    entry = next((e for e in cortex.facts.entries(folder) if e.atom.path == path), None)
    return Shown(ref, path, source.text, entry, _backlinks(cortex, ref), _past(cortex, path))


def _backlinks(cortex: Cortex, ref: Ref) -> tuple[Ref, ...]:
    """Name the atoms that name this one, in frontmatter or body."""
    project, _, short = ref.rpartition("/")
    return tuple(
        atom.ref
        for atom in cortex.facts.atoms()
        if atom.ref != ref
        and any(
            cited == ref or (cited == short and atom.project == project) for cited, _ in atom.cites
        )
    )


def _past(cortex: Cortex, path: str) -> tuple[Past, ...]:
    history = cortex.ledger.history
    try:
        return tuple(history.past(path, PAST)) if history else ()
    except HistoryFailed:  # somebody else's repository: the atom is shown all the same
        return ()


def _note(cortex: Cortex, path: str) -> None:
    """Leave a note as a hook would: the next drain logs it."""
    now = int(cortex.clock().timestamp() * 1_000_000_000)
    payload = {
        "hook_event_name": "PostToolUse",
        "tool_name": "cortexfs",
        "tool_input": {"file_path": os.path.join(cortex.tree.root, path)},
        "cwd": cortex.tree.root,
    }
    try:
        cortex.spool.leave(f"{now}.{os.getpid()}", json.dumps(payload).encode())
    except OSError:  # a read-only tree is read all the same
        return
