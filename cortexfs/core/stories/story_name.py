"""The names of stories, and where their records are."""

from __future__ import annotations

import re

DEFAULT_NAME = "chat"
MAX_NAME_CHARS = 64
CHATS_FOLDER = "chats"

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}", re.ASCII)
_RECORD_FILE = re.compile(r"([a-z0-9][a-z0-9-]{0,63})(?:\.([1-9][0-9]{0,5}))?\.jsonl", re.ASCII)


def is_story_name(name: str) -> bool:
    """Return whether a text is the name of a story: lower case, digits and `-`."""
    return bool(_NAME.fullmatch(name))


def make_story_name(title: str) -> str:
    """Return the name of a story with a title; `DEFAULT_NAME` if nothing of it can be one."""
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower())[:MAX_NAME_CHARS].strip("-")
    return slug or DEFAULT_NAME


def chats_folder(project: str) -> str:
    """Return the folder of the records of a project."""
    return f"projects/{project}/{CHATS_FOLDER}"


def record_path(project: str, name: str, part: int = 1) -> str:
    """Return the path of a part of a story's record; the first has no number in its name."""
    number = f".{part}" if part > 1 else ""
    return f"{chats_folder(project)}/{name}{number}.jsonl"


def parse_record_name(file_name: str) -> tuple[str, int] | None:
    """Return the story and the number of the part that a file of `chats/` has; None if none."""
    found = _RECORD_FILE.fullmatch(file_name)
    return (found[1], int(found[2] or 1)) if found else None


def is_record_path(path: str) -> bool:
    """Return whether a path is that of a part of the record of a story."""
    folder, _, name = path.rpartition("/")
    in_chats = folder.startswith("projects/") and folder.count("/") == 2  # noqa: PLR2004 - projects/P/chats
    return in_chats and folder.endswith(f"/{CHATS_FOLDER}") and parse_record_name(name) is not None
