"""Tell what is installed, what is wired, what is wrong, and the command that mends it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import claude_code, claude_facts, files
from cortexfs.clients.claude_code import Hooked
from cortexfs.errors import CortexError
from cortexfs.verbs.setup import RECORD, SCRIPT, wiring

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.cortex import Cortex

MANY_NOTES = 1000


class Fact(NamedTuple):
    """One thing looked at: whether it is well, what was found, and what mends it."""

    about: str
    well: bool
    found: str
    mend: str = ""


def doctor(cortex: Cortex, environ: Mapping[str, str]) -> list[Fact]:
    """Look at everything, and change nothing."""
    return [
        Fact("tree", True, cortex.tree.root),
        Fact("python", True, f"{sys.version.split()[0]} at {sys.executable}"),
        *_writable(cortex),
        *_history(cortex),
        *_spool(cortex),
        *_claude_code(cortex, environ),
        *_indexes(cortex),
    ]


def _writable(cortex: Cortex) -> Iterator[Fact]:
    if not os.access(cortex.tree.own, os.W_OK):
        yield Fact("tree", False, "it cannot be written", f"chmod u+w {cortex.tree.root}")
    mode = os.stat(cortex.tree.root).st_mode
    if mode & 0o002:
        yield Fact("tree", False, "everybody may write to it", f"chmod o-w {cortex.tree.root}")


def _history(cortex: Cortex) -> Iterator[Fact]:
    history = cortex.history
    if history is None:
        yield Fact("git", False, "no repository: nothing has a past", "cortexfs init")
        return
    if not cortex.commits:
        mend = f"add `commit-in: [{history.top}]` to ~/.config/cortexfs/config.yaml"
        yield Fact("git", False, f"the repository begins higher up, at {history.top}", mend)
        return
    busy = history.quiet()
    yield Fact("git", not busy, busy or history.top, "finish or abort it" if busy else "")


def _spool(cortex: Cortex) -> Iterator[Fact]:
    waiting = cortex.spool.count()
    well = waiting < MANY_NOTES
    yield Fact("spool", well, f"{waiting} notes wait", "" if well else "cortexfs hook drain")


def _claude_code(cortex: Cortex, environ: Mapping[str, str]) -> Iterator[Fact]:
    about, mend = "claude-code", "cortexfs setup claude-code"
    path = claude_facts.settings_path(os.path.expanduser("~"), environ)
    try:
        wanted = wiring(cortex, environ)
        found = claude_code.status(files.read(path), wanted)
    except CortexError as error:
        yield Fact(about, False, f"{path}: {error}", "mend the file by hand")
        return
    if found.disabled:
        yield Fact(about, False, f"{path} switches every hook off", "drop `disableAllHooks`")
    if found.hook is Hooked.PRESENT:
        yield from _installed(cortex, environ)
    else:
        said = {Hooked.ABSENT: "not wired", Hooked.DIFFERENT: "wired by another install"}
        yield Fact(about, False, said[found.hook], mend)
    if found.hook is not Hooked.ABSENT and not found.rule:
        yield Fact(about, False, f"{path} does not allow {wanted.rule}", mend)


def _installed(cortex: Cortex, environ: Mapping[str, str]) -> Iterator[Fact]:
    """Look whether the copy of the hook is there, and is this version's."""
    home = cortex.tree.home(environ)
    copy = files.read(os.path.join(home, SCRIPT))
    same = copy is not None and copy == files.read(cortex.tree.packaged(SCRIPT))
    said = "the hook is wired" if same else "the copy of the hook is missing or of another version"
    yield Fact("claude-code", same, said, "" if same else "cortexfs setup claude-code")
    if files.read(os.path.join(home, RECORD)) is None:
        yield Fact("claude-code", False, "the record for its removal is lost", "set it up again")


def _indexes(cortex: Cortex) -> Iterator[Fact]:
    cortex.refresh()
    stale = sum(plan.write is not None for plan in cortex.plan_indexes(cortex.folders())[0])
    mend = "cortexfs index regen --all" if stale else ""
    yield Fact("indexes", not stale, f"{stale} out of date" if stale else "all true", mend)
