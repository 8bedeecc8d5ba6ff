"""Decide how an idea becomes a project: what each of the two says of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import Section, Status, read_status
from cortexfs.core.atoms.tree_paths import LISTING
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.splices import append
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.status_change.plan_mark import Party

PROMOTED = "promoted"


def plan_promotion(idea: Party, project: str, date: str) -> Write:
    """Give an idea the status that it has become a project, and a line that leads there.

    Raises `Refused` for one that is a project already, or no longer stands.
    """
    atom, text, _ = idea
    _may_become_project(atom)
    status = str(Status(PROMOTED, project))
    head, body = atom_text.parted(atom_text.edit(text, {"status": status}))
    said = f"It became the project [{project}](../projects/{project}/{LISTING}) on {date}."
    return Write(atom.path, head + append(body, said), text)


def origin(idea: Atom) -> str:
    """Say in a project's CORTEX.md which idea it came from."""
    return f"It began as [{idea.ref}](../../{quote(idea.path)})."


def _may_become_project(atom: Atom) -> None:
    now = read_status(atom.text("status"))
    if now.word == PROMOTED:
        raise Refused(
            f"`{atom.ref}` has become `{now.cause or 'a project'}` already",
            hint=f"`cortexfs project show {now.cause}`" if now.cause else "`cortexfs project list`",
        )
    if now.section is not Section.ACTIVE:
        raise Refused(
            f"`{atom.ref}` is {now.shown}, and becomes no project",
            hint=f"`cortexfs mark {atom.ref} active` takes it up again",
        )
