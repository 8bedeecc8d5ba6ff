"""Report the installation: versions, hooks, problems, and the commands that fix them."""

from __future__ import annotations

import shlex
import sys
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import BULLETIN_MD, LOCAL_FOLDER
from cortexfs.core.text.plural import format_count
from cortexfs.errors import HistoryFailed, format_extra_hint
from cortexfs.operations.daemon_status import check_daemon
from cortexfs.operations.doctor_clients import check_clients
from cortexfs.operations.doctor_model import check_model
from cortexfs.operations.embed import open_embeddings
from cortexfs.operations.list_findings import list_findings
from cortexfs.operations.list_init_warnings import NAME_COMMANDS
from cortexfs.operations.shared.doctor_check import DoctorCheck, failed_check
from cortexfs.operations.shared.extras import EXTRAS, is_extra_installed
from cortexfs.operations.stories.find_outdated_stories import find_outdated_stories
from cortexfs.session.bulletin_files import BulletinFiles
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.session.annotation_types import History
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

MANY_NOTES = 1000
"""Number of waiting notes from which the drain seems not to run."""
MAX_STORIES = 5
"""Maximum number of stories that are named; `check` names all."""


def doctor(session: Session, environ: Mapping[str, str]) -> list[DoctorCheck]:
    """Run all checks, and change nothing."""
    with session.view_without_refresh() as view:
        repository = [*_check_repository(view)]
    return [
        DoctorCheck("tree", session.tree.root),
        DoctorCheck("python", f"{sys.version.split()[0]} at {sys.executable}"),
        *_check_access(session),
        *repository,
        *_check_spool(session),
        *check_daemon(session),
        *check_clients(session, environ),
        *_check_contents(session),
        *_check_catalog(session),
        check_model(environ, session.clock()),
        *_check_extras(),
    ]


def _check_extras() -> Iterator[DoctorCheck]:
    """Yield what is not installed; that is no problem of whoever does not need it."""
    for name, extra in EXTRAS.items():
        if not is_extra_installed(name):
            result = f"{extra.commands} cannot start: {extra.title} is not installed"
            yield DoctorCheck("extras", result, fix=format_extra_hint(name))


def _check_access(view: TreeFilesAndGit) -> Iterator[DoctorCheck]:
    if not view.tree.is_writable():
        yield failed_check("tree", "it is read-only", f"chmod u+w {shlex.quote(view.tree.root)}")
    if view.tree.is_world_writable():
        yield failed_check(
            "tree", "everybody can write to it", f"chmod o-w {shlex.quote(view.tree.root)}"
        )
    if not view.tree.can_hard_link():
        result = "the file system has no hard links: new files are renamed into place"
        yield DoctorCheck("tree", result)


def _check_repository(view: TreeFilesAndGit) -> Iterator[DoctorCheck]:
    history = view.repository.history
    if history is None:
        yield _explain_missing_repository(view)
    elif not view.repository.can_commit:
        fix = f"add `commit-in: [{history.top}]` to ~/.config/cortexfs/config.yaml"
        yield failed_check("git", f"the root of the repository is higher up, at {history.top}", fix)
    elif busy := history.busy_reason():
        yield failed_check("git", busy, "finish or abort it; until then nothing is committed")
    elif problem := history.find_problem():
        yield failed_check("git", problem.message, problem.fix_command)
    else:
        yield DoctorCheck("git", history.top)
        if author := view.repository.unnamed_author:
            result = f"it knows no name of yours: the author of commits is {author}"
            yield DoctorCheck("git", result, fix=NAME_COMMANDS)
    if history and _is_tracked(history, LOCAL_FOLDER):
        untrack = f"git -C {shlex.quote(view.tree.root)} rm -r --cached {LOCAL_FOLDER}"
        yield failed_check(
            "git", f"it tracks {LOCAL_FOLDER}, which is local to each machine", untrack
        )
    if history and BulletinFiles(view.tree).has_page() and _is_tracked(history, BULLETIN_MD):
        untrack = f"git -C {shlex.quote(view.tree.root)} rm --cached {BULLETIN_MD}"
        yield failed_check("git", f"it tracks {BULLETIN_MD}, which is not written then", untrack)


def _is_tracked(history: History, path: str) -> bool:
    try:
        return history.is_tracked(path)
    except HistoryFailed:  # a damaged repository has its own check
        return False


def _explain_missing_repository(view: TreeFilesAndGit) -> DoctorCheck:
    if problem := view.repository.problem:
        return failed_check(
            "git", problem, "move `.git` away, or make it lead to this tree's repository"
        )
    if view.repository.has_git:
        return failed_check("git", "no repository: changes are not recorded", "cortexfs init")
    return failed_check("git", "it is not installed, or not on PATH", "install git")


def _check_contents(session: Session) -> Iterator[DoctorCheck]:
    found = list_findings(session, None, limit=0)
    if found.errors:
        yield failed_check("atoms", format_count(found.errors, "error"), "cortexfs check")
    else:
        yield DoctorCheck("atoms", "no errors")
    if stale := dict(found.counts).get("index-stale"):
        yield failed_check("indexes", f"{stale} out of date", "cortexfs index regen --all")
    else:
        yield DoctorCheck("indexes", "all up to date")


def _check_spool(view: TreeFilesAndGit) -> Iterator[DoctorCheck]:
    waiting = view.tree.spool.count_waiting()
    if waiting < MANY_NOTES:
        yield DoctorCheck("spool", f"waiting: {format_count(waiting, 'note')}")
    else:
        yield failed_check(
            "spool", f"waiting: {format_count(waiting, 'note')}", "cortexfs hook drain"
        )


def _check_catalog(session: Session) -> list[DoctorCheck]:
    with session.read(NeededContents.TEXTS) as view:
        return [_check_embeddings(view), *_check_full_text(view), *_check_stories(view)]


def _check_stories(view: View) -> Iterator[DoctorCheck]:
    """Yield which stories other settings have made; they work as they are."""
    for story in islice(find_outdated_stories(view), MAX_STORIES):
        result = f"{story.name}: {format_count(story.chunks, 'chunk')} made with other settings"
        yield DoctorCheck("stories", result, fix=story.rebuild_command)


def _check_full_text(view: View) -> Iterator[DoctorCheck]:
    """Yield the check of a large tree's full-text backend; other trees have no choice."""
    name = view.text_queries().describe_large_backend()
    if name == "SQLite":
        result = "SQLite's full-text search is slow for a tree of this size"
        yield failed_check("find", result, format_extra_hint("large"))
    elif name:
        yield DoctorCheck("find", f"uses {name}, because the tree is large")


def _check_embeddings(view: View) -> DoctorCheck:
    """Report whether `find` uses embeddings; their absence is not a problem."""
    if not view.settings.use_embeddings:
        return DoctorCheck("vectors", "switched off in cortexfs.yaml")
    if not view.find_model():
        return DoctorCheck("vectors", f"none: {view.describe_missing_model()[1]}")
    embeddings = open_embeddings(view, view.text_queries())
    result = str(embeddings.count_embedded()) if embeddings else "none: the tree is read-only"
    return DoctorCheck("vectors", result)
