"""The places and forms of clients' own memories, and the memories in them."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bridge.digest_block import strip_digest
from cortexfs.core.frontmatter.atom_text import parse_frontmatter, split_front_and_body
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import (
    find_section_in_text,
    find_title_end,
    normalize_title,
    parse_sections,
)
from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.memory_record import PERSONAL_SCOPE, PROJECT_SCOPE
from cortexfs.core.memory.memory_text import parse_project_name
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.stores.memory_title import make_title
from cortexfs.core.stores.stored_values import StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class MemoryClient(StrEnum):
    """A client that keeps memories of its own."""

    CLAUDE_CODE = "claude-code"
    """`~/.claude/projects/<folder>/memory/*.md`, for each project."""
    CODEX = "codex"
    """`~/.codex/memories/*.md`, for all projects."""
    GEMINI = "gemini"
    """The section Added Memories of `~/.gemini/GEMINI.md`, for all projects."""


class ClientMemoryFile(NamedTuple):
    """One memory file of a client.

    `place` is its path as people write it (`~/.claude/…`), `folder` the name of the client's folder
    for the project (empty: the file is about all projects).
    """

    client: MemoryClient
    place: str
    text: str
    folder: str = ""


INDEX_NAME = "MEMORY.md"
"""The file that Claude Code loads at its start, and that Codex keeps its memories in."""
CODEX_DERIVED_NAMES = frozenset({"raw_memories.md", "memory_summary.md"})
"""Files in which Codex repeats what is in MEMORY.md."""
_ADDED_MEMORIES = ("Gemini Added Memories", "Added Memories")
_DEEPEST = 2
"""The level of the headings that divide a MEMORY.md; deeper ones are text."""
_LINK_LINE = re.compile(r"\s*[-*+]\s+\[[^\]]*\]\([^)]*\).*")


def parse_client_file(file: ClientMemoryFile, project: str) -> list[StoredMemory]:
    """Return the memories of a file; without a project, those about all projects are personal.

    Nothing is learned again that we, or a client, emitted.
    """
    text = strip_digest(strip_emitted_text(redact_private(file.text)))  # before it is divided
    if file.client is MemoryClient.GEMINI:
        found = list(_parse_added_memories(text))
    elif file.place.endswith(f"/{INDEX_NAME}"):
        found = list(_parse_sections(text))
    else:
        found = list(_parse_topic(text, file.place))
    return [
        each._replace(
            origin=f"{file.client}:{file.place}{each.origin}",
            project=project,
            scope=PROJECT_SCOPE if project else PERSONAL_SCOPE,
            tool=file.client.value,
        )
        for each in found
        if each.content.strip()
    ]


def choose_project(folder: str, home: str, projects: Sequence[str]) -> str:
    """Return the project of a client's folder, `-home-ada-src-flywheel`: a known one, or a new one.

    The longest name of a project at its end counts. Without one, what is below the home folder.
    """
    name = folder.lower()
    ends = [each for each in projects if name.endswith(f"-{encode_folder(each)}")]
    if ends:
        return max(ends, key=len)
    return parse_project_name(folder.removeprefix(encode_folder(home)).strip("-"))


def encode_folder(path: str) -> str:
    """Return the name that Claude Code gives to its folder for a path."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def _parse_added_memories(text: str) -> Iterator[StoredMemory]:
    """Yield each item of the section; its text names it, for there is no other name."""
    section = find_section_in_text(text, _ADDED_MEMORIES)
    if section is None:
        return
    for item in find_list_items(text, section.body_start, section.end):
        content = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", text[item.start : item.end]).strip()
        digest = sha256(" ".join(content.lower().split()).encode(errors="replace")).hexdigest()
        yield StoredMemory(f":{digest[:12]}", make_title(content), content)


def _parse_sections(text: str) -> Iterator[StoredMemory]:
    """Yield each section of a MEMORY.md, and the text above them; lists of files are left out.

    The title of a section names it; of several with the same title the later ones have a number.
    """
    body = split_front_and_body(text)[1]
    start = find_title_end(body) or 0
    tops = [each for each in parse_sections(body) if each.level <= _DEEPEST and each.start >= start]
    lead = _drop_file_list(body[start : tops[0].start if tops else len(body)])
    yield StoredMemory("", make_title(lead), lead)
    ends = [*(each.start for each in tops[1:]), len(body)]
    counts: Counter[str] = Counter()
    for section, end in zip(tops, ends, strict=False):
        content = _drop_file_list(body[section.body_start : end])
        slug = "-".join(normalize_title(section.title).split())
        counts[slug] += 1
        number = f":{counts[slug]}" if counts[slug] > 1 else ""
        yield StoredMemory(f":{slug}{number}", section.title or make_title(content), content)


def _parse_topic(text: str, place: str) -> Iterator[StoredMemory]:
    """Yield the one memory of a file."""
    fields = parse_frontmatter(text).fields
    body = split_front_and_body(text)[1].strip()
    name = place.rpartition("/")[2].removesuffix(".md").replace("_", " ").replace("-", " ")
    given = next((v for key in ("description", "title", "name") if (v := fields.get(key))), "")
    title = given if isinstance(given, str) and given.strip() else ""
    heading = next((section.title for section in parse_sections(body)[:1]), "")
    kind = fields.get("type", "")
    yield StoredMemory(
        "",
        title or heading or name,
        body,
        type=kind if isinstance(kind, str) else "",
    )


def _drop_file_list(text: str) -> str:
    """Return a text without the lines that only name another file."""
    return "\n".join(line for line in text.splitlines() if not _LINK_LINE.fullmatch(line)).strip()
