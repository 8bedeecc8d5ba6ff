"""Normalize what failed and what was edited: the program of a command, the path in its project."""

from __future__ import annotations

import re
from typing import Final

MAX_COMMAND_WORDS: Final = 3
_MAX_PATH_STEPS = 4
_LOOKUP_PROGRAMS = """
    [ awk cat cd cmp diff echo egrep false fgrep find grep head jq ls pgrep ps rg sed sleep stat
    tail test which
"""
_LOOKUPS = frozenset(_LOOKUP_PROGRAMS.split())
"""Programs whose exit code is an answer: that they find nothing is no failure."""
_SETUP = re.compile(r"(?:cd|source|export|set|pushd)\b[^&;|]*(?:&&|;)\s*|\.\s[^&;|]*(?:&&|;)\s*")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_WORD = re.compile(r"[A-Za-z][\w.:-]{0,39}")
_WRAPPERS = frozenset({"sudo", "env", "time", "nice", "timeout", "command", "exec"})


def normalize_command(text: str) -> str:
    """Return the program of a shell command, with the subcommands before its first argument.

    `cd src && UV=1 uv run pytest tests/a.py -x` is `uv run pytest`. Empty for a program that only
    looks something up.
    """
    text = text.strip()
    while setup := _SETUP.match(text):
        text = text[setup.end() :]
    kept: list[str] = []
    for word in re.split(r"\s+", text)[:20]:
        if not kept and (word in _WRAPPERS or _ASSIGNMENT.fullmatch(word) or word[:1].isdigit()):
            continue
        name = word.rpartition("/")[2] if not kept else word
        if not _WORD.fullmatch(name) or len(kept) == MAX_COMMAND_WORDS or (kept and "." in name):
            break
        kept.append(name)
    return "" if not kept or kept[0] in _LOOKUPS else " ".join(kept)


def normalize_path(text: str, project: str) -> str:
    """Return an edited path below its project; else its last steps, without the home above."""
    steps = [step for step in text.replace("\\", "/").split("/") if step not in {"", ".", "~"}]
    if not text.startswith(("/", "~")) and not re.match(r"[A-Za-z]:", text):
        return "/".join(steps)
    if project and project in steps[:-1]:
        return "/".join(steps[steps.index(project) + 1 :])
    return "/".join(steps[-_MAX_PATH_STEPS:])
