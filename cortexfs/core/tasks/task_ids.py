"""Ids of tasks: four hexadecimal digits, unique in the tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.frontmatter.yaml_scalar import NON_TEXT_SCALAR
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_TASK_ID = re.compile(r"[0-9a-f]{4}")
_TASK_ID_IN_TEXT = re.compile(r"\b[0-9a-f]{4}\b")
_MAX_TRIES = 1 << 20


def is_task_id(typed: str) -> bool:
    """Return whether a text has the form of an id."""
    return bool(_TASK_ID.fullmatch(typed))


def find_taken_ids(texts: Iterable[str]) -> set[str]:
    """Return every word that could be an id, also in unreadable files and in archives."""
    return {word for text in texts for word in _TASK_ID_IN_TEXT.findall(text)}


def generate_task_id(seed: str, taken_ids: Collection[str]) -> str:
    """Return the first free id for a seed, never one that YAML reads as a number, like `51e0`.

    Raises `Refused` if no id is free.
    """
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL: only for a new task

    for number in range(_MAX_TRIES):
        digest = sha256(f"{number} {seed}".encode(errors="replace")).hexdigest()[:4]
        if digest not in taken_ids and not NON_TEXT_SCALAR.fullmatch(digest):
            return digest
    raise Refused("every id is taken", hint="delete old tasks from a tasks-archive.md")
