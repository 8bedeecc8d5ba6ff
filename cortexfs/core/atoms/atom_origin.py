"""Who wrote an atom: an agent, a person, an import, or whoever made the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import PROMPT_KIND

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom

AGENT, PERSON, IMPORT, FILE = "agent", "person", "import", "file"
ORIGIN_SORTS = (AGENT, PERSON, IMPORT, FILE)
"""An agent's memory, a prompt, an imported note, and a file whose frontmatter names nobody."""


class AtomOrigin(NamedTuple):
    """Where an atom comes from, by its frontmatter; what it does not say is empty.

    `session` is the client's id, `tool` what the agent saved it with, `source` the imported note,
    `created` a time in UTC.
    """

    sort: str
    session: str = ""
    tool: str = ""
    source: str = ""
    created: str = ""


def parse_origin(atom: Atom) -> AtomOrigin:
    """Return the origin that the frontmatter of an atom names."""
    session, tool = atom.text_field("session"), atom.text_field("tool")
    source = atom.text_field("imported-from") or atom.text_field("origin")
    return AtomOrigin(
        _choose_sort(atom, session or tool, source),
        session,
        tool,
        source,
        atom.text_field("created"),
    )


def _choose_sort(atom: Atom, agent: str, source: str) -> str:
    if atom.kind == PROMPT_KIND:
        return PERSON
    if agent:
        return AGENT
    return IMPORT if source else FILE
