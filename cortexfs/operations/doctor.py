"""Tell what is installed, what is wired, what is wrong, and the command that mends it."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import claude_code, claude_code_versions, settings_files
from cortexfs.clients.claude_code import Hooked
from cortexfs.core.atoms.tree_paths import OWN
from cortexfs.core.text.plural import counted
from cortexfs.errors import CortexError, HistoryFailed
from cortexfs.operations.check import check
from cortexfs.operations.embed import INSTALL, meaning_of
from cortexfs.operations.setup import SCRIPTS, record_path, wiring
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.history.repository import History
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

"""The folder that is this machine's alone, and that git should not see."""
MANY_NOTES = 1000
CLIENT = "claude-code"
SET_UP = "cortexfs setup claude-code"


class Fact(NamedTuple):
    """One thing looked at: what was found; whether that is well, and what mends it."""

    about: str
    found: str
    well: bool = True
    mend: str = ""


def wrong(about: str, found: str, mend: str) -> Fact:
    """Give a fact that wants mending."""
    return Fact(about, found, well=False, mend=mend)


def doctor(session: Session, environ: Mapping[str, str]) -> list[Fact]:
    """Look at everything, and change nothing."""
    return [
        Fact("tree", session.tree.root),
        Fact("python", f"{sys.version.split()[0]} at {sys.executable}"),
        *_writable(session),
        *_history(session),
        *_spool(session),
        *_claude_code(session, environ),
        *_atoms(session),
        *_catalog(session),
    ]


def _writable(view: FileView) -> Iterator[Fact]:
    if not view.tree.is_writable():
        yield wrong("tree", "it cannot be written", f"chmod u+w {view.tree.root}")
    if view.tree.is_open_to_all():
        yield wrong("tree", "everybody may write to it", f"chmod o-w {view.tree.root}")
    if not view.tree.has_hard_links():
        found = "the file system has no hard links: new files are renamed into place"
        yield Fact("tree", found)


def _history(view: FileView) -> Iterator[Fact]:
    history = view.repository.history
    if history is None:
        yield _without_history(view)
    elif not view.repository.commits:
        mend = f"add `commit-in: [{history.top}]` to ~/.config/cortexfs/config.yaml"
        yield wrong("git", f"the repository begins higher up, at {history.top}", mend)
    elif busy := history.quiet():
        yield wrong("git", busy, "finish or abort it; until then nothing is committed")
    elif problem := history.problem():
        yield wrong("git", problem.found, problem.command)
    else:
        yield Fact("git", history.top)
    if history and _is_own_tracked(history):
        untrack = f"git -C {shlex.quote(view.tree.root)} rm -r --cached {OWN}"
        yield wrong("git", f"it tracks {OWN}, which another machine's would replace", untrack)


def _is_own_tracked(history: History) -> bool:
    try:
        return history.is_tracked(OWN)
    except HistoryFailed:  # a damaged repository has a fact of its own
        return False


def _without_history(view: FileView) -> Fact:
    if problem := view.repository.problem:
        return wrong("git", problem, "move `.git` away, or make it lead to this tree's repository")
    if view.repository.has_git:
        return wrong("git", "no repository: changes are not recorded", "cortexfs init")
    return wrong("git", "it is not installed, or not on PATH", "install git")


def _atoms(session: Session) -> Iterator[Fact]:
    errors = check(session, None).errors
    if errors:
        yield wrong("atoms", counted(errors, "error"), "cortexfs check")
    else:
        yield Fact("atoms", "no errors")


def _spool(view: FileView) -> Iterator[Fact]:
    waiting = view.tree.spool.waiting_count()
    if waiting < MANY_NOTES:
        yield Fact("spool", f"waiting: {counted(waiting, 'note')}")
    else:
        yield wrong("spool", f"waiting: {counted(waiting, 'note')}", "cortexfs hook drain")


def _claude_code(view: FileView, environ: Mapping[str, str]) -> Iterator[Fact]:
    path = claude_code_versions.settings_path(os.path.expanduser("~"), environ)
    try:
        wanted = wiring(view, environ)
        found = claude_code.status(settings_files.read(path), wanted)
    except CortexError as error:
        yield wrong(CLIENT, f"{path}: {error}", "mend the file by hand")
        return
    if found.disabled:
        yield wrong(CLIENT, f"{path} switches every hook off", "drop `disableAllHooks`")
    if found.hook is Hooked.PRESENT:
        yield _installed(view, environ, path)
    else:
        other = "wired for another tree, or by another install"
        said = "not wired" if found.hook is Hooked.ABSENT else other
        yield wrong(CLIENT, said, SET_UP)
    if found.hook is not Hooked.ABSENT and found.missing:
        yield wrong(CLIENT, f"{path} does not allow {found.missing[0]}", SET_UP)


def _installed(view: FileView, environ: Mapping[str, str], settings: str) -> Fact:
    """Look whether the copies of the hooks are there, and are this version's."""
    home = view.tree.home(environ)
    for name in SCRIPTS:
        copy = settings_files.read(os.path.join(home, name))
        if copy is None or copy != settings_files.read(view.tree.packaged(name)):
            return wrong(CLIENT, "the copy of a hook is missing or of another version", SET_UP)
    if settings_files.read(record_path(view, environ, settings)) is None:
        return wrong(CLIENT, "the record for its removal is lost", SET_UP)
    return Fact(CLIENT, "the hooks are wired")


def _catalog(session: Session) -> list[Fact]:
    with session.read(Intake.TEXTS) as view:
        return [_indexes(view), _vectors(view), *_words(view)]


def _indexes(view: View) -> Fact:
    stale = sum(plan.write is not None for plan in view.plan_indexes(view.folders()).planned)
    if stale:
        return wrong("indexes", f"{stale} out of date", "cortexfs index regen --all")
    return Fact("indexes", "all up to date")


def _words(view: View) -> Iterator[Fact]:
    """Say which full text a large tree has; others have no choice."""
    name = view.facts.large_by()
    if name == "SQLite":
        found = "so many atoms are more than SQLite's full text finds fast"
        yield wrong("find", found, "pip install 'cortexfs[large]'")
    elif name:
        yield Fact("find", f"by {name}, as there are so many atoms")


def _vectors(view: View) -> Fact:
    """Tell whether `find` goes by meaning; that it does not is nothing wrong."""
    if not view.settings.vectors:
        return Fact("vectors", "switched off in cortexfs.yaml")
    if not (view.model or view.facts.model()):
        return Fact("vectors", f"none: {INSTALL}")
    meaning = meaning_of(view, view.within())
    found = str(meaning.embedded()) if meaning else "none: the tree cannot be written to"
    return Fact("vectors", found)
