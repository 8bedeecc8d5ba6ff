"""What could go from a file that is over its cap: its longest parts, and its oldest entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.checks.size_limits import may_stand, size
from cortexfs.core.markdown.lists import bullets
from cortexfs.core.markdown.sections import sections
from cortexfs.core.text.plural import counted
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import OverCap

if TYPE_CHECKING:
    from cortexfs.core.checks.size_limits import Cap

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
WIDTH = 40
"""Characters of a part that are quoted."""


def hold_to(cap: Cap | None, name: str, before: str | None, after: str) -> None:
    """Refuse an edit that goes over a cap; one that shrinks what is over it may be made.

    Raises `OverCap`, with what could go as its hint.
    """
    if cap is None or may_stand(before, after, cap):
        return
    has = size(after)
    said = [counted(has.lines, "line")] if cap.lines else []
    said += [counted(has.bytes, "byte")] if cap.bytes else []
    raise OverCap(name, " and ".join(said), str(cap), spare(after))


def spare(text: str) -> list[str]:
    """Name what could go first: the oldest entry, the longest section, the longest bullet."""
    found, points = sections(text), bullets(text)
    starts = [*(section.start for section in found[1:]), len(text)]
    inner = [s for s, following in zip(found, starts, strict=False) if following >= s.end]
    titles = [*(s.title for s in inner), *(b.words for b in points)]
    dated = [(day[0], title) for title in titles if (day := _DAY.search(title))]
    said = [f"the oldest entry `{_short(min(dated)[1])}`"] if dated else []
    if parts := [(text[s.body : s.end].strip(), s.title) for s in inner if s.level > 1]:
        body, title = max(parts, key=lambda part: len(part[0]))
        said.append(f"the longest section `{_short(title)}` ({counted(size(body).lines, 'line')})")
    if points:
        longest = max(points, key=lambda bullet: bullet.end - bullet.start)
        said.append(f"the longest bullet `{_short(longest.words)}`")
    return said


def _short(words: str) -> str:
    line = one_line(words)
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1].rstrip()}…"
