"""Plan how an idea becomes a project, and how the two link to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import IndexMdSection, ParsedStatus, parse_atom_status
from cortexfs.core.atoms.tree_paths import CORTEX_MD
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.edit_text import append_block
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.status_change.status_change import LoadedAtom

PROMOTED = "promoted"


def plan_promotion(idea: LoadedAtom, project: str, date: str) -> Write:
    """Return the write that sets an idea's status to promoted and links to the project.

    Raises `Refused` for an idea that is already promoted or not active.
    """
    atom, text, _ = idea
    _require_promotable(atom)
    status = str(ParsedStatus(PROMOTED, project))
    head, body = atom_text.split_front_and_body(
        atom_text.edit_frontmatter(text, {"status": status})
    )
    sentence = f"It became the project [{project}](../projects/{project}/{CORTEX_MD}) on {date}."
    return Write(atom.path, head + append_block(body, sentence), text)


def format_origin(idea: Atom) -> str:
    """Return the line of a project's CORTEX.md that links to its idea."""
    return f"It began as [{idea.ref}](../../{quote(idea.path)})."


def _require_promotable(atom: Atom) -> None:
    now = parse_atom_status(atom.text_field("status"))
    if now.word == PROMOTED:
        raise Refused(
            f"`{atom.ref}` was already promoted to `{now.cause or 'a project'}`",
            hint=f"`cortexfs project show {now.cause}`" if now.cause else "`cortexfs project list`",
        )
    if now.section is not IndexMdSection.ACTIVE:
        raise Refused(
            f"`{atom.ref}` is {now.display_text}; only an active idea can be promoted",
            hint=f"`cortexfs mark {atom.ref} active` reactivates it",
        )
