"""The user's own settings, `~/.config/cortexfs/config.yaml`: they may what a tree may not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core import codec
from cortexfs.core.atom import words

if TYPE_CHECKING:
    from collections.abc import Mapping


def path_of(environ: Mapping[str, str]) -> str:
    """Give the path of the user's settings."""
    above = environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(above, "cortexfs", "config.yaml")


def commit_in(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Name the repositories above a tree in which the user lets cortexfs commit.

    They are the real paths under `commit-in:`; none where the file is missing or unreadable.
    """
    try:
        with open(path_of(environ), encoding="utf-8") as file:
            parsed = codec.parse(f"---\n{file.read()}\n---\n")
    except (OSError, UnicodeDecodeError):
        return ()
    named = words(parsed.fields.get("commit-in", ""))
    return tuple(os.path.realpath(os.path.expanduser(path)) for path in named)
