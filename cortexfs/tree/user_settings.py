"""The user's own settings, `~/.config/cortexfs/config.yaml`: some are not allowed in a tree."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.language_model.model_settings import InvalidModelSettings, ModelSettings

MAX_SETTINGS_CHARS = 1 << 20
"""Maximum length of the file that is read."""


def user_settings_path(environ: Mapping[str, str]) -> str:
    """Return the path of the user's settings."""
    above = environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(above, "cortexfs", "config.yaml")


def list_commit_repositories(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the repositories above a tree in which the user lets cortexfs commit.

    They are the real paths under `commit-in:`; empty if the file is missing or unreadable.
    """
    paths = split_string_list(_read_settings(environ).get("commit-in", ""))
    return tuple(os.path.realpath(os.path.expanduser(path)) for path in paths)


def list_source_folders(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the folder with the cited files of each project: the paths under `sources:`."""
    sources = _read_settings(environ).get("sources", "")
    return {
        project: os.path.realpath(os.path.expanduser(path))
        for project, path in (sources.items() if isinstance(sources, Mapping) else ())
        if isinstance(path, str) and path
    }


def read_stop_command(environ: Mapping[str, str]) -> tuple[str, ...] | str:
    """Return the words of `stop-command:`, which stops a process of an agent; empty without one.

    It names a program: of a file that other users may write, why it is not used.
    """
    text, problem = _read_file(environ)
    words = _parse_settings(text).get("stop-command", "")
    if words and problem:
        return problem
    return (words,) if isinstance(words, str) and words else split_string_list(words)


def read_model_settings(
    environ: Mapping[str, str],
) -> ModelSettings | InvalidModelSettings | None:
    """Return the language model under `model:`, or None if the user has configured none.

    It can name a program, so a file that other users may write is not used.
    """
    text, problem = _read_file(environ)
    if not re.search(r"^model[ \t]*:", text, re.MULTILINE):
        return None
    from cortexfs.core.language_model import model_settings  # noqa: PLC0415 - few have a model

    if problem:
        return model_settings.InvalidModelSettings(problem)
    parsed = atom_text.parse_frontmatter(f"---\n{text}\n---\n")
    if "model" not in parsed.fields:
        flaw = parsed.flaws[0].message if parsed.flaws else "`model` is not a setting in it"
        path = user_settings_path(environ)
        return model_settings.InvalidModelSettings(f"{path} is not valid: {flaw}")
    return model_settings.parse_model_settings(parsed.fields["model"])


def _read_settings(environ: Mapping[str, str]) -> Mapping[str, FrontmatterValue]:
    """Return the settings; empty if the file is missing or unreadable."""
    return _parse_settings(_read_file(environ)[0])


def _parse_settings(text: str) -> Mapping[str, FrontmatterValue]:
    return atom_text.parse_frontmatter(f"---\n{text}\n---\n").fields if text else {}


def _read_file(environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the text of the settings, empty if it cannot be read, and why it may name no program.

    The latter is empty if only the user, or the system, can write the file.
    """
    path = user_settings_path(environ)
    try:
        with open(path, encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            text = file.read(MAX_SETTINGS_CHARS)
    except (OSError, UnicodeDecodeError):
        return "", ""
    is_shared = status.st_mode & stat.S_IWOTH or status.st_uid not in {os.geteuid(), 0}
    return text, f"other users can write {path}" if is_shared else ""
