"""The syntax of a wiki link: `[[name]]`, `[[name#section|shown text]]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_WIKI_NAME_CHARS = 300
"""Maximum characters of a wiki link's name; a summary of any valid length can be one."""

_CHAR = r"(?:[^\[\]|#\n\\]|\\(?!\|))"
WIKI_LINK_PATTERN = (
    rf"\[\[(?P<wiki>{_CHAR}{{1,{MAX_WIKI_NAME_CHARS}}})"
    rf"(?P<section>#(?:#|{_CHAR})*)?(?:(?P<bar>\\?\|)(?P<shown>[^\[\]\n]*))?\]\]"
)
r"""The pattern of a wiki link. In a table the bar is escaped, `[[name\|shown]]`: the backslash
belongs to the bar, not to the name.
"""
_WIKI_LINK = re.compile(WIKI_LINK_PATTERN)


def find_wiki_links(text: str) -> Iterator[re.Match[str]]:
    """Yield the wiki links of a text, with the groups `wiki` (its name), `section`, `bar`, `shown`.

    The section begins with `#`; a part that is not written is None.
    """
    return _WIKI_LINK.finditer(text)
