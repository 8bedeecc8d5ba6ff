"""The text of a template that nobody has filled in yet: it says nothing about its atom."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

SECTION, TABLE = "## ", "|"
"""The beginnings of the lines around what is to be filled in."""


def list_template_lines(template: str) -> frozenset[str]:
    """Return the lines of a template that an atom has as long as nobody fills them in.

    Those with a `{{placeholder}}` are filled in at once.
    """
    lines = (line.rstrip() for line in template.splitlines())
    return frozenset(line for line in lines if line and "{{" not in line)


def blank_template_lines(body: str, template_lines: Collection[str]) -> str:
    """Return a body without the hints of its template, its empty sections and its empty tables.

    These lines are empty then, so that all others keep their number.
    """
    if not template_lines or not any(map(body.__contains__, template_lines)):
        return body
    lines, is_filled = body.split("\n"), False
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].rstrip()
        is_frame = line.startswith((SECTION, TABLE))
        if line in template_lines and not (is_frame and is_filled):
            lines[at] = ""
        else:
            is_filled |= bool(line)
        if line.startswith(SECTION):
            is_filled = False
    return "\n".join(lines)
