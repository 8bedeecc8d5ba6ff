"""Sets for measuring search quality: texts, and questions with known answers."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.atom_queries import AtomQueries
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter.atom_text import split_front_and_body, split_frontmatter
from cortexfs.core.memory.memory_text import format_memory_text, format_time, make_session_title
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PROJECT = "set"
ATOM_FOLDER = f"projects/{PROJECT}/knowledge"
"""The folder of the atoms that are made from texts."""
MEMORY_FOLDER = f"projects/{PROJECT}/observations"
"""The folder of the texts that were saved in a session."""
SESSION_FOLDER = f"projects/{PROJECT}/sessions"
MEMORY_TITLE = "Memory"
"""The summary of each observation, which must have one: what all have does not change the order."""
NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)
_HEADING = re.compile(r"\s*# (.*)\n?")
_SUMMARY = re.compile(r"^summary: (.*)$", re.MULTILINE)
_KEY = re.compile(r"^[\w-]+:|^---$", re.MULTILINE)


class Question(NamedTuple):
    """A question, and the names of the texts that answer it."""

    query: str
    gold: tuple[str, ...]


class Document(NamedTuple):
    """A text of a set: its name, and the session it was saved in, if any."""

    name: str
    text: str
    session: str = ""
    created: datetime | None = None


class DocumentTree(NamedTuple):
    """A set as a tree that is not open: the names of its texts by their paths."""

    root: Path
    names: dict[str, str]


class SearchSet(NamedTuple):
    """A set as a tree: the names and the texts of the atoms by their paths."""

    session: Session
    names: dict[str, str]
    texts: dict[str, str]


def read_questions(path: Path) -> list[Question]:
    """Read JSON lines: {"query": …, "gold": […]}."""
    lines = path.read_text(encoding="utf-8").splitlines()
    read = (json.loads(line) for line in lines if line.strip())
    return [Question(one["query"], tuple(one["gold"])) for one in read]


def load_folder(folder: Path, root: Path) -> SearchSet:
    """Make a tree from a folder of Markdown; a tree is copied, and its atoms are named by ref."""
    if not (folder / "CORTEX.md").exists():
        files = {
            path.relative_to(folder).with_suffix("").as_posix(): path
            for path in folder.rglob("*.md")
        }
        return build_set(
            {name: path.read_text(encoding="utf-8") for name, path in files.items()}, root
        )
    shutil.copytree(folder, root, ignore=shutil.ignore_patterns(".git", ".cortexfs"))
    session = open_tree(root)
    names = {path: ref for ref, path in AtomQueries(session.catalog.db).list_refs()}
    return SearchSet(
        session, names, {path: _drop_field_names((root / path).read_text()) for path in names}
    )


def build_set(texts: Mapping[str, str], root: Path, fields: str = "") -> SearchSet:
    """Make a tree from named texts; a heading at the beginning becomes the summary.

    `fields` are further lines of frontmatter.
    """
    (root / ATOM_FOLDER).mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Set\n")
    paths = {
        f"{ATOM_FOLDER}/K-{number:03d}.md": name for number, name in enumerate(sorted(texts), 1)
    }
    for path, name in paths.items():
        (root / path).write_text(
            _format_atom(Path(path).stem, texts[name], fields), encoding="utf-8"
        )
    return SearchSet(open_tree(root), paths, {path: texts[name] for path, name in paths.items()})


def write_documents(documents: Iterable[Document], root: Path) -> DocumentTree:
    """Write a tree of texts, one after another: only their names are kept in memory.

    A text with a session becomes an observation, as an agent would have saved it, and its session
    an atom; any other text becomes knowledge, as in `build_set`.
    """
    for folder in (ATOM_FOLDER, MEMORY_FOLDER, SESSION_FOLDER):
        (root / folder).mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Set\n")
    names: dict[str, str] = {}
    sessions: set[str] = set()
    for number, one in enumerate(documents, start=1):
        if one.session and one.session not in sessions:
            sessions.add(one.session)
            _write_session(root, len(sessions), one)
        path = f"{MEMORY_FOLDER}/OBS" if one.session else f"{ATOM_FOLDER}/K"
        path = f"{path}-{number:03d}.md"
        text = _format_memory(Path(path).stem, one) if one.session else _format_knowledge(path, one)
        (root / path).write_text(text, encoding="utf-8", errors="replace")
        names[path] = one.name
    return DocumentTree(root, names)


def iter_texts(tree: DocumentTree) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each document, without the frontmatter that was added."""
    for path in tree.names:
        front, body = split_front_and_body((tree.root / path).read_text(encoding="utf-8"))
        summary = None if path.startswith(MEMORY_FOLDER) else _SUMMARY.search(front)
        title = json.loads(summary[1]) if summary else ""
        yield path, f"# {title}\n\n{body.lstrip()}" if title else body.lstrip("\n")


def open_tree(root: Path) -> Session:
    """Open a tree, and build its catalog."""
    session = Session.open(str(root), lambda: NOW)
    session.refresh()
    return session


def _write_session(root: Path, number: int, first: Document) -> None:
    """Write the session of its first document, as the client of an agent leaves it."""
    ident = f"SES-{number:03d}"
    fields = {"summary": make_session_title(first.session, ""), "tags": ("session",)}
    head = _make_memory_head(ident, first)
    text = format_memory_text({**head, **fields, "status": "active"}, "")
    (root / SESSION_FOLDER / f"{ident}.md").write_text(text, encoding="utf-8")


def _format_memory(ident: str, one: Document) -> str:
    fields = {"summary": MEMORY_TITLE, "tags": ("manual",), "type": "manual", "scope": "project"}
    head = _make_memory_head(ident, one)
    times = {"revision": "1", "last-seen": str(head["created"])}
    return format_memory_text({**head, **fields, **times}, one.text)


def _make_memory_head(ident: str, one: Document) -> dict[str, str]:
    created = one.created or NOW
    return {
        "id": ident,
        "date": created.date().isoformat(),
        "project": PROJECT,
        "session": one.session,
        "created": format_time(created),
    }


def _format_knowledge(path: str, one: Document) -> str:
    text = _format_atom(Path(path).stem, one.text)
    day = one.created.date().isoformat() if one.created else ""
    return text.replace("\ndate: 2026-01-01\n", f"\ndate: {day}\n", 1) if day else text


def _format_atom(ident: str, text: str, fields: str = "") -> str:
    """Return a text with frontmatter before it."""
    heading = _HEADING.match(text)
    summary = json.dumps(heading[1] if heading else "", ensure_ascii=False)
    body = text[heading.end() :] if heading else text
    return (
        f"---\nid: {ident}\ndate: 2026-01-01\nproject: set\nsummary: {summary}\ntags: []\n"
        f"status: valid\n{fields}---\n\n{body}"
    )


def _drop_field_names(text: str) -> str:
    """Return the text of an atom without the names of its fields."""
    parts = split_frontmatter(text)
    return (
        text
        if isinstance(parts, Flaw)
        else _KEY.sub("", text.removesuffix(parts.tail)) + parts.tail
    )
