"""Hints for trimming a file over its size limit: its oldest entry and its longest parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.checks.size_limits import is_edit_allowed, measure_text
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import parse_sections
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.errors import OverCap

if TYPE_CHECKING:
    from cortexfs.core.checks.size_limits import Cap

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
MAX_QUOTE_LENGTH = 40
"""Maximum number of characters of a quoted part."""


def require_within_cap(cap: Cap | None, name: str, before: str | None, after: str) -> None:
    """Refuse an edit that exceeds a size limit, unless it makes an oversized file smaller.

    Raises `OverCap`, with the trim hints in its hint.
    """
    if cap is None or is_edit_allowed(before, after, cap):
        return
    size = measure_text(after)
    sizes = [format_count(size.lines, "line")] if cap.lines else []
    sizes += [format_count(size.bytes, "byte")] if cap.bytes else []
    raise OverCap(name, " and ".join(sizes), str(cap), list_trim_hints(after))


def list_trim_hints(text: str) -> list[str]:
    """Return what to remove first: the oldest entry, the longest section, the longest bullet."""
    found, points = parse_sections(text), find_list_items(text)
    starts = [*(section.start for section in found[1:]), len(text)]
    inner = [s for s, following in zip(found, starts, strict=False) if following >= s.end]
    titles = [*(s.title for s in inner), *(b.text for b in points)]
    dated = [(day[0], title) for title in titles if (day := _DAY.search(title))]
    said = [f"the oldest entry `{truncate_line(min(dated)[1], MAX_QUOTE_LENGTH)}`"] if dated else []
    if parts := [(text[s.body_start : s.end].strip(), s.title) for s in inner if s.level > 1]:
        body, title = max(parts, key=lambda part: len(part[0]))
        lines = format_count(measure_text(body).lines, "line")
        said.append(f"the longest section `{truncate_line(title, MAX_QUOTE_LENGTH)}` ({lines})")
    if points:
        longest = max(points, key=lambda bullet: bullet.end - bullet.start)
        said.append(f"the longest bullet `{truncate_line(longest.text, MAX_QUOTE_LENGTH)}`")
    return said
