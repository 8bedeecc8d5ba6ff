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
from cortexfs.core.frontmatter.atom_text import split_frontmatter
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

ATOM_FOLDER = "projects/set/knowledge"
"""The folder of the atoms that are made from texts."""
NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)
_HEADING = re.compile(r"\s*# (.*)\n?")
_KEY = re.compile(r"^[\w-]+:|^---$", re.MULTILINE)


class Question(NamedTuple):
    """A question, and the names of the texts that answer it."""

    query: str
    gold: tuple[str, ...]


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


def build_set(texts: Mapping[str, str], root: Path) -> SearchSet:
    """Make a tree from named texts; a heading at the beginning becomes the summary."""
    (root / ATOM_FOLDER).mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Set\n")
    paths = {
        f"{ATOM_FOLDER}/K-{number:03d}.md": name for number, name in enumerate(sorted(texts), 1)
    }
    for path, name in paths.items():
        (root / path).write_text(_format_atom(Path(path).stem, texts[name]), encoding="utf-8")
    return SearchSet(open_tree(root), paths, {path: texts[name] for path, name in paths.items()})


def open_tree(root: Path) -> Session:
    """Open a tree, and build its catalog."""
    session = Session.open(str(root), lambda: NOW)
    session.refresh()
    return session


def _format_atom(ident: str, text: str) -> str:
    """Return a text with frontmatter before it."""
    heading = _HEADING.match(text)
    summary = json.dumps(heading[1] if heading else "", ensure_ascii=False)
    body = text[heading.end() :] if heading else text
    return (
        f"---\nid: {ident}\ndate: 2026-01-01\nproject: set\nsummary: {summary}\ntags: []\n"
        f"status: valid\n---\n\n{body}"
    )


def _drop_field_names(text: str) -> str:
    """Return the text of an atom without the names of its fields."""
    parts = split_frontmatter(text)
    return (
        text
        if isinstance(parts, Flaw)
        else _KEY.sub("", text.removesuffix(parts.tail)) + parts.tail
    )
