"""Report the installation: versions, hooks, problems, and the commands that fix them."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import claude_code, claude_code_versions, settings_files
from cortexfs.clients.claude_code import HookState
from cortexfs.clients.claude_code_versions import AgentPermission, format_permission_rule
from cortexfs.core.atoms.tree_paths import OWN
from cortexfs.core.text.plural import format_count
from cortexfs.errors import CortexError, HistoryFailed
from cortexfs.operations.check import check
from cortexfs.operations.embed import INSTALL_HINT, open_embeddings
from cortexfs.operations.setup import HOOK_SCRIPTS, build_hook_settings, record_path
from cortexfs.session.view import IngestContents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.session.annotation_types import History
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View

MANY_NOTES = 1000
"""Number of waiting notes from which the drain seems not to run."""
CLIENT = "claude-code"
SETUP_COMMAND = "cortexfs setup claude-code"
PERMISSIONS = {
    AgentPermission.WRITE: ("write to the tree", "Edit", "--allow-write"),
    AgentPermission.COMMANDS: ("run cortexfs", "Bash", "--allow-commands"),
}
"""What each permission allows, the rule that allows more, and the option of `setup`."""


class DoctorCheck(NamedTuple):
    """One check: its result, whether that is good, and the command that fixes it."""

    about: str
    found: str
    well: bool = True
    fix: str = ""


def failed_check(about: str, found: str, fix: str) -> DoctorCheck:
    """Return a failed check with its fix."""
    return DoctorCheck(about, found, well=False, fix=fix)


def doctor(session: Session, environ: Mapping[str, str]) -> list[DoctorCheck]:
    """Run all checks, and change nothing."""
    return [
        DoctorCheck("tree", session.tree.root),
        DoctorCheck("python", f"{sys.version.split()[0]} at {sys.executable}"),
        *_writable(session),
        *_history(session),
        *_spool(session),
        *_claude_code(session, environ),
        *_atoms(session),
        *_catalog(session),
    ]


def _writable(view: TreeContext) -> Iterator[DoctorCheck]:
    if not view.tree.is_writable():
        yield failed_check("tree", "it cannot be written", f"chmod u+w {view.tree.root}")
    if view.tree.is_world_writable():
        yield failed_check("tree", "everybody may write to it", f"chmod o-w {view.tree.root}")
    if not view.tree.can_hard_link():
        found = "the file system has no hard links: new files are renamed into place"
        yield DoctorCheck("tree", found)


def _history(view: TreeContext) -> Iterator[DoctorCheck]:
    history = view.repository.history
    if history is None:
        yield _without_history(view)
    elif not view.repository.can_commit:
        fix = f"add `commit-in: [{history.top}]` to ~/.config/cortexfs/config.yaml"
        yield failed_check("git", f"the repository begins higher up, at {history.top}", fix)
    elif busy := history.busy_reason():
        yield failed_check("git", busy, "finish or abort it; until then nothing is committed")
    elif problem := history.find_problem():
        yield failed_check("git", problem.message, problem.fix_command)
    else:
        yield DoctorCheck("git", history.top)
    if history and _is_own_tracked(history):
        untrack = f"git -C {shlex.quote(view.tree.root)} rm -r --cached {OWN}"
        yield failed_check(
            "git", f"it tracks {OWN}, which another machine's would replace", untrack
        )


def _is_own_tracked(history: History) -> bool:
    try:
        return history.is_tracked(OWN)
    except HistoryFailed:  # a damaged repository has a fact of its own
        return False


def _without_history(view: TreeContext) -> DoctorCheck:
    if problem := view.repository.problem:
        return failed_check(
            "git", problem, "move `.git` away, or make it lead to this tree's repository"
        )
    if view.repository.has_git:
        return failed_check("git", "no repository: changes are not recorded", "cortexfs init")
    return failed_check("git", "it is not installed, or not on PATH", "install git")


def _atoms(session: Session) -> Iterator[DoctorCheck]:
    errors = check(session, None).errors
    if errors:
        yield failed_check("atoms", format_count(errors, "error"), "cortexfs check")
    else:
        yield DoctorCheck("atoms", "no errors")


def _spool(view: TreeContext) -> Iterator[DoctorCheck]:
    waiting = view.tree.spool.count_waiting()
    if waiting < MANY_NOTES:
        yield DoctorCheck("spool", f"waiting: {format_count(waiting, 'note')}")
    else:
        yield failed_check(
            "spool", f"waiting: {format_count(waiting, 'note')}", "cortexfs hook drain"
        )


def _claude_code(view: TreeContext, environ: Mapping[str, str]) -> Iterator[DoctorCheck]:
    path = claude_code_versions.user_settings_path(os.path.expanduser("~"), environ)
    try:
        wanted = build_hook_settings(view, environ)
        settings = settings_files.read_settings_file(path)
        found = claude_code.check_installation(settings, wanted)
    except CortexError as error:
        yield failed_check(CLIENT, f"{path}: {error}", "fix the file by hand")
        return
    if found.hooks_disabled:
        yield failed_check(CLIENT, f"{path} switches every hook off", "drop `disableAllHooks`")
    if found.hook_state is HookState.PRESENT:
        yield _installed(view, environ, path)
    else:
        other = "wired for another tree, or by another install"
        said = "not wired" if found.hook_state is HookState.ABSENT else other
        yield failed_check(CLIENT, said, SETUP_COMMAND)
    if found.hook_state is not HookState.ABSENT and found.missing_rules:
        yield failed_check(CLIENT, f"{path} does not allow {found.missing_rules[0]}", SETUP_COMMAND)
    if found.hook_state is not HookState.ABSENT:
        yield from _check_permissions(view, settings)


def _check_permissions(view: TreeContext, settings: str | None) -> Iterator[DoctorCheck]:
    """Report what agents may not do without asking; the user decides, so this is no problem."""
    allowed = claude_code.list_allowed_rules(settings)
    for permission, (action, tool, option) in PERMISSIONS.items():
        rule = format_permission_rule(permission, view.tree.root, os.path.expanduser("~"))
        if rule not in allowed and tool not in allowed:
            message = f"agents may not {action} without asking: the settings lack {rule}"
            yield DoctorCheck(CLIENT, message, fix=f"{SETUP_COMMAND} {option}")


def _installed(view: TreeContext, environ: Mapping[str, str], settings: str) -> DoctorCheck:
    """Check that the installed hooks exist and match this version."""
    home = view.tree.cortex_home(environ)
    for name in HOOK_SCRIPTS:
        copy = settings_files.read_settings_file(os.path.join(home, name))
        if copy is None or copy != settings_files.read_settings_file(view.tree.package_path(name)):
            return failed_check(
                CLIENT, "the copy of a hook is missing or of another version", SETUP_COMMAND
            )
    if settings_files.read_settings_file(record_path(view, environ, settings)) is None:
        return failed_check(CLIENT, "the record for its removal is lost", SETUP_COMMAND)
    return DoctorCheck(CLIENT, "the hooks are wired")


def _catalog(session: Session) -> list[DoctorCheck]:
    with session.read(IngestContents.TEXTS) as view:
        return [_indexes(view), _vectors(view), *_words(view)]


def _indexes(view: View) -> DoctorCheck:
    stale = sum(
        plan.write is not None for plan in view.plan_indexes(view.list_index_folders()).planned
    )
    if stale:
        return failed_check("indexes", f"{stale} out of date", "cortexfs index regen --all")
    return DoctorCheck("indexes", "all up to date")


def _words(view: View) -> Iterator[DoctorCheck]:
    """Yield the check of a large tree's full-text backend; other trees have no choice."""
    name = view.queries.describe_large_backend()
    if name == "SQLite":
        found = "so many atoms are more than SQLite's full text finds fast"
        yield failed_check("find", found, "pip install 'cortexfs[large]'")
    elif name:
        yield DoctorCheck("find", f"by {name}, as there are so many atoms")


def _vectors(view: View) -> DoctorCheck:
    """Report whether `find` uses embeddings; their absence is not a problem."""
    if not view.settings.use_embeddings:
        return DoctorCheck("vectors", "switched off in cortexfs.yaml")
    if not (view.model or view.queries.find_installed_model()):
        return DoctorCheck("vectors", f"none: {INSTALL_HINT}")
    meaning = open_embeddings(view, view.text_queries())
    found = str(meaning.count_embedded()) if meaning else "none: the tree cannot be written to"
    return DoctorCheck("vectors", found)
