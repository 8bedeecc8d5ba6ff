"""Report the installation: versions, hooks, problems, and the commands that fix them."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import claude_code_facts, edit_json_settings, settings_files
from cortexfs.clients.claude_code_facts import format_permission_rules
from cortexfs.clients.client_files import AgentPermission, JsonFile
from cortexfs.clients.client_table import CLIENTS
from cortexfs.clients.edit_json_settings import HookState
from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.core.text.plural import format_count
from cortexfs.errors import CortexError, HistoryFailed
from cortexfs.operations.check import check
from cortexfs.operations.embed import INSTALL_HINT, open_embeddings
from cortexfs.operations.setup import HOOK_SCRIPTS, list_client_files, record_path
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.session.annotation_types import History
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

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

    subject: str
    result: str
    passed: bool = True
    fix: str = ""


def failed_check(subject: str, result: str, fix: str) -> DoctorCheck:
    """Return a failed check with its fix."""
    return DoctorCheck(subject, result, passed=False, fix=fix)


def doctor(session: Session, environ: Mapping[str, str]) -> list[DoctorCheck]:
    """Run all checks, and change nothing."""
    return [
        DoctorCheck("tree", session.tree.root),
        DoctorCheck("python", f"{sys.version.split()[0]} at {sys.executable}"),
        *_check_access(session),
        *_check_repository(session),
        *_check_spool(session),
        *_check_claude_code(session, environ),
        *_check_atoms(session),
        *_check_catalog(session),
    ]


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
    if history and _is_private_folder_tracked(history):
        untrack = f"git -C {shlex.quote(view.tree.root)} rm -r --cached {LOCAL_FOLDER}"
        yield failed_check(
            "git", f"it tracks {LOCAL_FOLDER}, which is local to each machine", untrack
        )


def _is_private_folder_tracked(history: History) -> bool:
    try:
        return history.is_tracked(LOCAL_FOLDER)
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


def _check_atoms(session: Session) -> Iterator[DoctorCheck]:
    errors = check(session, None).errors
    if errors:
        yield failed_check("atoms", format_count(errors, "error"), "cortexfs check")
    else:
        yield DoctorCheck("atoms", "no errors")


def _check_spool(view: TreeFilesAndGit) -> Iterator[DoctorCheck]:
    waiting = view.tree.spool.count_waiting()
    if waiting < MANY_NOTES:
        yield DoctorCheck("spool", f"waiting: {format_count(waiting, 'note')}")
    else:
        yield failed_check(
            "spool", f"waiting: {format_count(waiting, 'note')}", "cortexfs hook drain"
        )


def _check_claude_code(view: TreeFilesAndGit, environ: Mapping[str, str]) -> Iterator[DoctorCheck]:
    path = claude_code_facts.user_settings_path(os.path.expanduser("~"), environ)
    try:
        files = list_client_files(view, environ, CLIENTS[CLIENT])
        wanted, server = (file for file in files if isinstance(file, JsonFile))
        settings = settings_files.read_settings_file(path)
        status = edit_json_settings.check_installation(settings, wanted.entries)
    except CortexError as error:
        yield failed_check(CLIENT, f"{path}: {error}", "fix the file by hand")
        return
    if status.hooks_disabled:
        yield failed_check(CLIENT, f"{path} disables all hooks", "remove `disableAllHooks`")
    if status.hook_state is HookState.PRESENT:
        yield _check_installed_hooks(view, environ, path)
    else:
        other = "installed for another tree, or by another installation"
        result = "not installed" if status.hook_state is HookState.ABSENT else other
        yield failed_check(CLIENT, result, SETUP_COMMAND)
    if status.hook_state is not HookState.ABSENT and status.missing_rules:
        yield failed_check(
            CLIENT, f"{path} does not allow {status.missing_rules[0]}", SETUP_COMMAND
        )
    if status.hook_state is not HookState.ABSENT:
        yield from _check_server(server)
        yield from _check_permissions(view, settings)


def _check_server(file: JsonFile) -> Iterator[DoctorCheck]:
    """Report an MCP server that is missing, or that runs another installation."""
    try:
        text = settings_files.read_settings_file(file.path)
        status = edit_json_settings.check_installation(text, file.entries, file.form)
    except CortexError as error:
        yield failed_check(CLIENT, f"{file.path}: {error}", "fix the file by hand")
        return
    if status.missing_values:
        missing = f"{file.path} lacks {status.missing_values[0]}, or it is of another tree"
        yield failed_check(CLIENT, missing, SETUP_COMMAND)


def _check_permissions(view: TreeFilesAndGit, settings: str | None) -> Iterator[DoctorCheck]:
    """Report what agents may not do without asking; the user decides, so this is no problem."""
    allowed = edit_json_settings.list_allowed_rules(settings)
    for permission, (action, tool, option) in PERMISSIONS.items():
        rule = format_permission_rules(permission, view.tree.root, os.path.expanduser("~"))[0]
        if rule not in allowed and tool not in allowed:
            message = f"agents may not {action} without asking: the settings lack {rule}"
            yield DoctorCheck(CLIENT, message, fix=f"{SETUP_COMMAND} {option}")


def _check_installed_hooks(
    view: TreeFilesAndGit, environ: Mapping[str, str], settings: str
) -> DoctorCheck:
    """Check that the installed hooks exist and match this version."""
    home = view.tree.cortex_home(environ)
    for name in HOOK_SCRIPTS:
        copy = settings_files.read_settings_file(os.path.join(home, name))
        if copy is None or copy != settings_files.read_settings_file(view.tree.package_path(name)):
            return failed_check(
                CLIENT, "a hook script is missing, or of another version", SETUP_COMMAND
            )
    if settings_files.read_settings_file(record_path(view, environ, CLIENT, settings)) is None:
        return failed_check(
            CLIENT, "the record needed to remove the hooks is missing", SETUP_COMMAND
        )
    return DoctorCheck(CLIENT, "the hooks are installed")


def _check_catalog(session: Session) -> list[DoctorCheck]:
    with session.read(NeededContents.TEXTS) as view:
        return [_check_indexes(view), _check_embeddings(view), *_check_full_text(view)]


def _check_indexes(view: View) -> DoctorCheck:
    stale = sum(
        plan.write is not None for plan in view.plan_indexes(view.list_index_folders()).planned
    )
    if stale:
        return failed_check("indexes", f"{stale} out of date", "cortexfs index regen --all")
    return DoctorCheck("indexes", "all up to date")


def _check_full_text(view: View) -> Iterator[DoctorCheck]:
    """Yield the check of a large tree's full-text backend; other trees have no choice."""
    name = view.text_queries().describe_large_backend()
    if name == "SQLite":
        result = "SQLite's full-text search is slow for a tree of this size"
        yield failed_check("find", result, "pip install 'cortexfs[large]'")
    elif name:
        yield DoctorCheck("find", f"uses {name}, because the tree is large")


def _check_embeddings(view: View) -> DoctorCheck:
    """Report whether `find` uses embeddings; their absence is not a problem."""
    if not view.settings.use_embeddings:
        return DoctorCheck("vectors", "switched off in cortexfs.yaml")
    if not view.find_model():
        return DoctorCheck("vectors", f"none: {INSTALL_HINT}")
    embeddings = open_embeddings(view, view.text_queries())
    result = str(embeddings.count_embedded()) if embeddings else "none: the tree is read-only"
    return DoctorCheck("vectors", result)
