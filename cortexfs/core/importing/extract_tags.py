"""The tags of a foreign note: those in its frontmatter, and `#tags` in its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.importing.strip_markup import blank_all_code
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TAG_KEYS = ("tags", "tag", "keywords")
MAX_TAGS = 256
"""Maximum number of tags of a note; further ones only stay in its text."""
_MAX_TAG_CHARS = 100
_TAG = re.compile(r"(?:^|(?<=[\s(,;]))#([\w/-]{1,100})(?![\w/#-])", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t].*)?$", re.MULTILINE)
_HEX_COLOUR = re.compile(r"(?=[a-f]*\d)(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_SEPARATORS = re.compile(r"[^\w./+-]+")
_LETTER = re.compile(r"[^\W\d_]")


def extract_tags(values: Mapping[str, object], body: str) -> tuple[str, ...]:
    """Return the normalized tags in the order of their occurrence, without duplicates."""
    tags = (*_list_field_tags(values), *_find_hashtags(body))
    return tuple(dict.fromkeys(filter(None, map(_normalize_tag, tags))))[:MAX_TAGS]


def _list_field_tags(values: Mapping[str, object]) -> Iterator[str]:
    for key in TAG_KEYS:
        value = values.get(key)
        if isinstance(value, str):
            # `a, b` has tags of several words, `a b` has none
            yield from value.split("," if "," in value else None)
        elif isinstance(value, list | tuple):
            yield from (str(item) for item in value if isinstance(item, str | int | float))


def _find_hashtags(body: str) -> Iterator[str]:
    if "#" not in body:
        return
    for found in _TAG.finditer(_HEADING.sub("", blank_all_code(body))):
        if _LETTER.search(found[1]) and not _HEX_COLOUR.fullmatch(found[1]):
            yield found[1]


def _normalize_tag(tag: str) -> str:
    """Return a tag in lower case, words joined by `-`; empty if it has no letter or digit."""
    tag = _SEPARATORS.sub("-", to_one_line(tag).lstrip("#").lower()).strip("-/.")
    return tag[:_MAX_TAG_CHARS].strip("-/.")
