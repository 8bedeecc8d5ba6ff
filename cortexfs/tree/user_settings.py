"""The user's own settings, `~/.config/cortexfs/config.yaml`: some are not allowed in a tree."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue


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


def read_stop_command(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of `stop-command:`, which stops a process of an agent; empty without one."""
    words = _read_settings(environ).get("stop-command", "")
    return (words,) if isinstance(words, str) and words else split_string_list(words)


def _read_settings(environ: Mapping[str, str]) -> Mapping[str, FrontmatterValue]:
    """Return the settings; empty if the file is missing or unreadable."""
    try:
        with open(user_settings_path(environ), encoding="utf-8") as file:
            return atom_text.parse_frontmatter(f"---\n{file.read()}\n---\n").fields
    except (OSError, UnicodeDecodeError):
        return {}
