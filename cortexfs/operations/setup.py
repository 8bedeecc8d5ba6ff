"""Set up other programs to work with a tree, and undo the setup."""

from __future__ import annotations

import os
import re
import subprocess
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import claude_code_facts, settings_files
from cortexfs.clients.client_files import JsonFile, OwnTexts, keep_known_events
from cortexfs.clients.client_table import CLIENTS
from cortexfs.clients.edit_client_file import install_into_file, load_record, remove_from_file
from cortexfs.clients.hook_command import GUARD, INJECT, NOTE
from cortexfs.errors import Refused, SettingsChanged, Unreadable
from cortexfs.operations.drain_command import DRAIN_SCRIPT
from cortexfs.operations.own_commands import make_own_commands, own_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from cortexfs.clients.client_files import Client, ClientFile, ExtraPermission
    from cortexfs.session.view import TreeFilesAndGit

HOOK_MODULES = (
    "hook_files",
    "event_json",
    "spool_note",
    "context_block",
    "shown_record",
    "working_folder",
    "session_context",
    "prompt_tokens",
    "prompt_matches",
    "cortex_md_chain",
    "inject_event",
)
"""The modules that the scripts of hooks import; Python keeps them compiled beside them."""
HOOK_SCRIPTS = (
    *(f"hooks/{name}.py" for name in HOOK_MODULES),
    NOTE,
    GUARD,
    INJECT,
    DRAIN_SCRIPT,
)
RECORDS_FOLDER = "hooks"
"""The folder of our records, one for each settings file, named after the client."""
PLUGIN_TEXT = "hooks/opencode_plugin.js"
SKILL = "plugins/claude-code/cortexfs/skills/cortex/SKILL.md"
VERSION_TIMEOUT_S = 10
"""Seconds that the client may take to print its version."""


class ClientChoices(NamedTuple):
    """A client that can be set up, and the permissions and options that can be chosen for it."""

    name: str
    title: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One settings file: its present text, its new text and the new record (None: no file)."""

    path: str
    before: str | None
    after: str | None
    record: str | None


@dataclass(frozen=True, slots=True)
class SetupPlan:
    """The planned changes of a client's files.

    `missing_permissions` are those that agents would not have; `next_step` is what the user has to
    do in the client.
    """

    client: str
    changes: tuple[FileChange, ...]
    missing_permissions: tuple[ExtraPermission, ...] = ()
    next_step: str = ""

    @property
    def is_change(self) -> bool:
        """Whether any file would differ."""
        return any(change.before != change.after for change in self.changes)


def list_clients() -> list[ClientChoices]:
    """Return the clients that can be set up."""
    return [
        ClientChoices(each.name, each.title, (*map(str, each.permissions), *map(str, each.options)))
        for each in CLIENTS.values()
    ]


def plan_setup(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    name: str,
    *,
    remove: bool,
    chosen: Collection[str] = (),
) -> SetupPlan:
    """Return the planned changes of a client's settings.

    `chosen` names permissions and options; what was chosen earlier stays.
    """
    client = CLIENTS[name]
    changes: list[FileChange] = []
    missing: list[ExtraPermission] = []
    for file in list_client_files(view, environ, client):
        path = choose_path(file)
        before = settings_files.read_settings_file(path)
        settings_files.refuse_hard_links(path)
        kept = settings_files.read_settings_file(record_path(view, environ, name, path))
        prior = load_record(kept)
        with _name_file(path):
            if remove:
                after = remove_from_file(file, before, prior)
                if kept is not None or after != before or not changes:
                    changes.append(FileChange(path, before, after, None))
                continue
            done = install_into_file(file, before, prior, chosen)
        missing += done.missing
        if done.record:
            changes.append(FileChange(path, before, done.text, done.record.to_json()))
    next_step = "" if remove else client.next_step
    return SetupPlan(name, tuple(changes), tuple(missing), next_step)


def install_setup(view: TreeFilesAndGit, environ: Mapping[str, str], plan: SetupPlan) -> None:
    """Copy the hooks, save the records, and write the settings last, because they enable the hooks.

    Raises `SettingsChanged` if the settings have changed since the plan.
    """
    for change in plan.changes:
        settings_files.remove_stale_drafts(change.path)
        if settings_files.read_settings_file(change.path) != change.before:
            raise SettingsChanged(change.path)
    if any(change.record and NOTE in (change.after or "") for change in plan.changes):
        for name in HOOK_SCRIPTS:
            script = settings_files.read_settings_file(view.tree.package_path(name))
            settings_files.write_file(own_path(view, environ, name), script, mode=0o600)
    for change in plan.changes:
        record = record_path(view, environ, plan.client, change.path)
        if change.record is not None:
            settings_files.write_file(record, change.record, mode=0o600)
        if change.after != change.before:
            settings_files.write_file(change.path, change.after, expected=change.before)
        if change.record is None:
            settings_files.write_file(record, None)
    _remove_unused_scripts(view, environ)


def list_client_files(
    view: TreeFilesAndGit, environ: Mapping[str, str], client: Client, *, is_newest: bool = False
) -> tuple[ClientFile, ...]:
    """Return the files of a client's setup with our entries for this tree.

    Only hooks for events that the installed version knows are among them, unless `is_newest`.
    """
    texts = OwnTexts(
        instructions=_read_instructions(view),
        plugin=settings_files.read_settings_file(view.tree.package_path(PLUGIN_TEXT)) or "",
    )
    files = client.list_files(make_own_commands(view, environ), texts, environ)
    if client.list_known_events is None or is_newest:
        return files
    known = client.list_known_events(read_client_version(client.program))
    return tuple(keep_known_events(file, known) for file in files)


def choose_path(file: ClientFile) -> str:
    """Return the path of a file that a client may have at two places."""
    preferred = file.preferred_path if isinstance(file, JsonFile) else ""
    return preferred if preferred and os.path.lexists(preferred) else file.path


def record_path(
    view: TreeFilesAndGit, environ: Mapping[str, str], client: str, settings: str
) -> str:
    """Return the path of the record of our entries in one settings file."""
    name = f"{client}.{zlib.crc32(settings.encode(errors='surrogateescape')):08x}.json"
    return own_path(view, environ, f"{RECORDS_FOLDER}/{name}")


def has_records(view: TreeFilesAndGit, environ: Mapping[str, str], client: str) -> bool:
    """Return whether a client was set up, and the setup not removed."""
    folder = own_path(view, environ, RECORDS_FOLDER)
    return bool(settings_files.list_names_with_prefix(folder, f"{client}."))


@contextmanager
def _name_file(path: str) -> Iterator[None]:
    """Name the file in a refusal of its text."""
    try:
        yield
    except (Refused, Unreadable) as error:
        if path in str(error):
            raise
        raise type(error)(f"{path}: {error}", hint=error.hint) from None


def _read_instructions(view: TreeFilesAndGit) -> str:
    """Return the text of the skill without its frontmatter."""
    text = settings_files.read_settings_file(view.tree.package_path(SKILL)) or ""
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def _remove_unused_scripts(view: TreeFilesAndGit, environ: Mapping[str, str]) -> None:
    """Remove the hook scripts if no setup is left that may run them."""
    if not any(has_records(view, environ, name) for name in CLIENTS):
        for name in HOOK_SCRIPTS:
            settings_files.write_file(own_path(view, environ, name), None)
        settings_files.remove_compiled_modules(
            own_path(view, environ, f"{RECORDS_FOLDER}/__pycache__"), HOOK_MODULES
        )


@cache
def read_client_version(program: str) -> tuple[int, ...] | None:
    """Return the version of an installed client; None if it is not installed."""
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return claude_code_facts.parse_version(done.stdout)
