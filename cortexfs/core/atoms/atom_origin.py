"""Who wrote an atom: an agent, a person, an import, or whoever made the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import PROMPT_KIND

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom

AGENT, PERSON, IMPORT, FILE = "agent", "person", "import", "file"
ORIGIN_SORTS = (AGENT, PERSON, IMPORT, FILE)
"""An agent's memory, a prompt, an imported note, and a file whose frontmatter names nobody."""


AGENT_FIELDS = ("session", "tool")
"""Fields that only an agent's memory has."""
IMPORT_FIELDS = ("imported-from", "origin")
"""Fields that name the imported note, the preferred one first."""


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
    session, tool = map(atom.text_field, AGENT_FIELDS)
    source = next(filter(None, map(atom.text_field, IMPORT_FIELDS)), "")
    return make_origin(atom.kind, session, tool, source, atom.text_field("created"))


def make_origin(kind: str, session: str, tool: str, source: str, created: str) -> AtomOrigin:
    """Return the origin of an atom with these fields; the first that names somebody decides."""
    if kind == PROMPT_KIND:
        sort = PERSON
    elif session or tool:
        sort = AGENT
    else:
        sort = IMPORT if source else FILE
    return AtomOrigin(sort, session, tool, source, created)
