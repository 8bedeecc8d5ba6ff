"""Report which clients are set up for the tree, and what is wrong with their settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.clients import claude_code_facts, edit_json_settings, settings_files
from cortexfs.clients.claude_code_facts import format_extra_permission_rules
from cortexfs.clients.client_files import ExtraPermission, JsonFile
from cortexfs.clients.client_table import CLIENTS
from cortexfs.clients.edit_json_settings import InstallStatus, OwnHooksState
from cortexfs.errors import CortexError
from cortexfs.operations.setup import (
    HOOK_SCRIPTS,
    has_records,
    list_client_files,
    plan_setup,
    read_client_version,
    record_path,
)
from cortexfs.operations.shared.doctor_check import DoctorCheck, failed_check

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.session.view import TreeFilesAndGit

CLIENT = "claude-code"
SETUP_COMMAND = "cortexfs setup claude-code"
PERMISSIONS = {
    ExtraPermission.WRITE: ("write to the tree", "Edit", "--allow-write"),
    ExtraPermission.COMMANDS: ("run cortexfs", "Bash", "--allow-commands"),
}
"""What each permission allows, the rule that allows more, and the option of `setup`."""


def check_clients(view: TreeFilesAndGit, environ: Mapping[str, str]) -> Iterator[DoctorCheck]:
    """Yield the checks of Claude Code, and of each other client that was set up."""
    yield from _check_claude_code(view, environ)
    yield from _check_other_clients(view, environ)


def _check_claude_code(view: TreeFilesAndGit, environ: Mapping[str, str]) -> Iterator[DoctorCheck]:
    path = claude_code_facts.user_settings_path(os.path.expanduser("~"), environ)
    try:
        settings = settings_files.read_settings_file(path)
        status, server = _read_installation(view, environ, settings)
    except CortexError as error:
        yield failed_check(CLIENT, f"{path}: {error}", "fix the file by hand")
        return
    if status.hooks_disabled:
        yield failed_check(CLIENT, f"{path} disables all hooks", "remove `disableAllHooks`")
    if status.hook_state is OwnHooksState.PRESENT:
        yield _check_installed_hooks(view, environ, path)
    else:
        yield _describe_other_hooks(status.hook_state, has_settings=settings is not None)
    if status.hook_state is OwnHooksState.ABSENT:
        return
    if status.missing_rules:
        yield failed_check(
            CLIENT, f"{path} does not allow {status.missing_rules[0]}", SETUP_COMMAND
        )
    yield from _check_server(server)
    yield from _check_permissions(view, settings)


def _read_installation(
    view: TreeFilesAndGit, environ: Mapping[str, str], settings: str | None
) -> tuple[InstallStatus, JsonFile]:
    """Return what settings have of our entries, and the file with the MCP server.

    Where the version of the client is not known, entries for the newest one are right too.
    """
    files = list_client_files(view, environ, CLIENTS[CLIENT])
    wanted, server = (file for file in files if isinstance(file, JsonFile))
    status = edit_json_settings.check_installation(settings, wanted.entries)
    if status.hook_state is OwnHooksState.DIFFERENT and not read_client_version("claude"):
        newest = list_client_files(view, environ, CLIENTS[CLIENT], is_newest=True)
        wanted, server = (file for file in newest if isinstance(file, JsonFile))
        status = edit_json_settings.check_installation(settings, wanted.entries)
    return status, server


def _describe_other_hooks(state: OwnHooksState, *, has_settings: bool) -> DoctorCheck:
    """Return the check of a client without hooks for this installation; unused, it is fine."""
    if state is not OwnHooksState.ABSENT:
        what = "of an earlier version, or for another tree, client or installation"
        return failed_check(CLIENT, what, SETUP_COMMAND)
    is_unused = not has_settings and not read_client_version("claude")
    return DoctorCheck(CLIENT, "not connected", is_unused, SETUP_COMMAND)


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


def _check_other_clients(
    view: TreeFilesAndGit, environ: Mapping[str, str]
) -> Iterator[DoctorCheck]:
    """Yield a check of each other client that was set up: whether `setup` would change anything."""
    for name in CLIENTS:
        if name == CLIENT or not has_records(view, environ, name):
            continue
        fix = f"cortexfs setup {name}"
        try:
            plan = plan_setup(view, environ, name, remove=False)
        except CortexError as error:
            yield failed_check(name, str(error), f"{fix} --dry-run")
            continue
        if plan.is_change:
            yield failed_check(name, "set up for another tree or installation, or changed", fix)
        else:
            yield DoctorCheck(name, "set up")


def _check_permissions(view: TreeFilesAndGit, settings: str | None) -> Iterator[DoctorCheck]:
    """Report what agents may not do without asking; the user decides, so this is no problem."""
    allowed = edit_json_settings.list_allowed_rules(settings)
    for permission, (action, tool, option) in PERMISSIONS.items():
        rule = format_extra_permission_rules(permission, view.tree.root, os.path.expanduser("~"))[0]
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
