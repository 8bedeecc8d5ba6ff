"""Render the bulletins of a tree into files, so that a session reads one without a query."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import BULLETIN_IGNORE_LINE, add_missing_lines
from cortexfs.core.atoms.tree_paths import BULLETIN_MD, is_project_name
from cortexfs.core.bulletin.measure_text import make_word_budget
from cortexfs.core.changes.plan import IGNORE_BULLETIN_MESSAGE, Plan, PlanOnlyResult, Write
from cortexfs.errors import CortexError
from cortexfs.operations.shared.gather_bulletin import (
    gather_tree_state,
    render_bulletins,
)
from cortexfs.operations.smooth_bulletin import SmoothedBulletin, WordingState, smooth_bulletins
from cortexfs.session.bulletin_files import BulletinFiles
from cortexfs.session.view import render_no_indexes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.bulletin.render_bulletin import Bulletin
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

PAGE_HEAD = (
    "<!-- cortexfs:bulletin: rendered from the tree after each change; not committed, "
    "and edits are overwritten -->\n\n"
)


class BulletinState(StrEnum):
    """The state of the rendered bulletins."""

    CURRENT = "current"
    DEGRADED = "degraded"
    """They are rendered, but a configured language model could not word all lines."""
    OFF = "off"
    """The settings of the tree say `brief: off`."""
    BUSY = "busy"
    """Another process is rendering them."""


class BulletinRefresh(NamedTuple):
    """The paths that changed, the state of the bulletins, and why BULLETIN.md is not written."""

    changed: tuple[str, ...]
    state: BulletinState
    page_problem: str = ""


class _Rendered(NamedTuple):
    """The bulletins by project (empty: the tree), and all refs and paths that they name."""

    texts: dict[str, str]
    sources: frozenset[str]


def refresh_bulletin(
    session: Session, environ: Mapping[str, str], *, may_ask: bool = True
) -> BulletinRefresh:
    """Render all bulletins, and write the files that differ.

    The files are BULLETIN.md and, below `.cortexfs/injection/bulletins/`, one for each project and
    `_tree.md`. An empty file says that there is nothing to show: `brief: off`. Where the user has
    configured a language model, it is asked about new lines after the files are written, unless
    `may_ask` is false, and they are written again with its wording. What changes meanwhile is
    rendered too, once: another process, which found this one at work, has left it. Raises `OSError`
    where the tree cannot be written.
    """
    first = _refresh_once(session, environ)
    if not may_ask:
        first = first._replace(unworded=None)
    is_degraded = first.unworded is not None and _ask_model(first.unworded, environ)
    if first.unworded is None and not session.tree.spool.has_change_mark():
        return first.refresh
    again = _refresh_once(session, environ).refresh
    if is_degraded and again.state is BulletinState.CURRENT:
        again = again._replace(state=BulletinState.DEGRADED)
    return again._replace(changed=tuple(dict.fromkeys((*first.refresh.changed, *again.changed))))


class _Pass(NamedTuple):
    """One pass over the files; `unworded` are the bulletins whose wording a model can improve."""

    refresh: BulletinRefresh
    unworded: _Rendered | None = None


def _refresh_once(session: Session, environ: Mapping[str, str]) -> _Pass:
    """Render and write with the wording that is stored already; nothing waits for a model."""
    files = BulletinFiles(session.tree)
    with files.hold_lock() as is_free:
        if not is_free:
            return _Pass(BulletinRefresh((), BulletinState.BUSY))
        problem = _ignore_page(session)
        session.tree.spool.take_change_mark()
        rendered = _render(session)
        worded = smooth_bulletins(*rendered, environ, may_call=False)
        changed, problem = _write_files(files, worded, problem)
        session.tree.spool.remove_taken_mark()
    refresh = BulletinRefresh(tuple(changed), _find_state(session, worded), problem)
    is_unworded = any(each.reason for each in worded.values())
    return _Pass(refresh, rendered if is_unworded else None)


def _ask_model(rendered: _Rendered, environ: Mapping[str, str]) -> bool:
    """Ask for new wording, which is stored; return whether some line got none that is valid."""
    worded = smooth_bulletins(*rendered, environ).values()
    return any(each.state is WordingState.DEGRADED for each in worded)


def _write_files(
    files: BulletinFiles, worded: Mapping[str, SmoothedBulletin], problem: str
) -> tuple[list[str], str]:
    """Write what differs; return the changed paths, and why BULLETIN.md is not written."""
    texts = {name: each.text for name, each in worded.items()}
    changed = files.replace_texts(texts)
    if problem:
        return changed, problem
    page = texts.get("", "")
    written, is_own = files.write_page(PAGE_HEAD + page if page else "")
    return changed + written, "" if is_own else "BULLETIN.md is not a bulletin, and stays as it is"


def _find_state(session: Session, worded: Mapping[str, SmoothedBulletin]) -> BulletinState:
    if not session.settings.brief.is_on:
        return BulletinState.OFF
    is_degraded = any(each.state is WordingState.DEGRADED for each in worded.values())
    return BulletinState.DEGRADED if is_degraded else BulletinState.CURRENT


def _render(session: Session) -> _Rendered:
    """Return the text of each bulletin; empty for a project without one."""
    with session.read() as view:
        names = filter(is_project_name, view.tree.list_projects())
        texts = dict.fromkeys(("", *names), "")
        made = _render_all(view) if view.settings.brief.is_on else {}
    texts |= {name: each.text for name, each in made.items()}
    return _Rendered(texts, frozenset(chain(*(each.sources for each in made.values()))))


def _render_all(view: View) -> dict[str, Bulletin]:
    state = gather_tree_state(view)
    budget = make_word_budget(view.settings.brief.words)
    return render_bulletins(view, state, ("", *state.projects), budget)


def _ignore_page(session: Session) -> str:
    """Make git ignore BULLETIN.md, in a commit of its own; return why it does not."""
    try:
        history = session.repository.history
        if history is not None and history.is_tracked(BULLETIN_MD):
            command = f"git -C {quote(session.tree.root)} rm --cached {BULLETIN_MD}"
            return f"git tracks {BULLETIN_MD}, which is not written then: `{command}`"
    except CortexError as error:  # a damaged repository
        return f"git does not say whether it tracks {BULLETIN_MD}: {error}"
    if _find_ignore_write(session) is None:
        return ""
    try:
        session.execute(lambda view: PlanOnlyResult(_plan_ignore(view)), render=render_no_indexes)
    except CortexError as error:
        return f"git does not ignore BULLETIN.md: {error}"
    missing = _find_ignore_write(session) is not None
    return "git does not ignore BULLETIN.md: .gitignore has your own changes" if missing else ""


def _plan_ignore(view: TreeFilesAndGit) -> Plan:
    write = _find_ignore_write(view)
    is_edited = bool(view.repository.find_user_changes([".gitignore"]).changed)
    return Plan(IGNORE_BULLETIN_MESSAGE, (write,) if write and not is_edited else ())


def _find_ignore_write(view: TreeFilesAndGit) -> Write | None:
    """Return the write that adds the line to .gitignore; None if it has it, or cannot be read."""
    is_present = view.tree.is_path_taken(".gitignore")
    read = view.tree.read_text_or_flaw(".gitignore") if is_present else None
    if isinstance(read, Flaw):
        return None
    old = read.text if read else None
    text = add_missing_lines(old or "", BULLETIN_IGNORE_LINE)
    return None if text == old else Write(".gitignore", text, old)
