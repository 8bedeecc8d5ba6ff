"""Tell prose from code: what stands between fences is quoted, and says nothing of its own."""

from __future__ import annotations

import re

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")


def without_code(text: str) -> str:
    """Empty the lines of fenced code; every other line keeps its number.

    As in CommonMark a fence that is never closed encloses the rest; unlike there it may stand
    at any depth, because in a list it does. One pass over the lines.
    """
    if "```" not in text and "~~~" not in text:
        return text
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
        else:
            kept.append(line)
            continue
        kept.append("")
    return "\n".join(kept)


def blanked(text: str) -> str:
    """Fill the lines of fenced code with spaces: every character keeps its place."""
    both = zip(text.split("\n"), without_code(text).split("\n"), strict=True)
    return "\n".join(kept or " " * len(line) for line, kept in both)
