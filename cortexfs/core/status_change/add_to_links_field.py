"""Add a ref to the `links` of an atom, and keep the other items as they are written."""

from __future__ import annotations

import re

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text

LINKS_KEY = "links"

_FLOW_LIST = re.compile(r"^(links:[ \t]*\[[^\]\r\n#\"']*[^\]\s,#\"'\[])(?=[ \t]*\])", re.MULTILINE)
_BLOCK_LIST = re.compile(r"^links:[ \t]*\r?\n(?:(?:[ \t]*#.*\n)*[ \t]*- .*\n)+", re.MULTILINE)
_LAST_ITEM = re.compile(r"([ \t]*- )[^\r\n]*(\r?\n)\Z")


def add_link(text: str, ref: str) -> str:
    """Return the text with a ref as the last link, unless it is there.

    For a list on one line, or with one item per line, only the new item is written. Any other form
    is edited by `edit_frontmatter`, which may raise.
    """
    fields = atom_text.parse_frontmatter(text).fields
    present = split_string_list(fields.get(LINKS_KEY, ()))
    if ref in present:
        return text
    wanted = {**fields, LINKS_KEY: (*present, ref)}
    for added in (_add_to_flow_list(text, ref), _add_to_block_list(text, ref)):
        if atom_text.parse_frontmatter(added).fields == wanted:
            return added
    return atom_text.edit_frontmatter(text, {LINKS_KEY: (*present, ref)})


def _add_to_flow_list(text: str, ref: str) -> str:
    return _FLOW_LIST.sub(lambda found: f"{found[0]}, {ref}", text, count=1)


def _add_to_block_list(text: str, ref: str) -> str:
    found = _BLOCK_LIST.search(text)
    last = _LAST_ITEM.search(found[0]) if found else None
    if not (found and last):
        return text
    return f"{text[: found.end()]}{last[1]}{ref}{last[2]}{text[found.end() :]}"
