"""The text of a message of a chat as HTML: all of it is text, but font colours and emphasis."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from cortexfs.core.text.sanitize import strip_unprintable

_TAG = re.compile(
    r"<(?:font|span)\s+(?:color=|style=[\"']?color:\s*)[\"']?(#[0-9a-fA-F]{6})[\"']?;?[\"']?\s*>"
    r"|</(?:font|span)>"
)
_EMPHASIS = re.compile(r"(?<![*\w])\*(?![\s*])([^*\n]{1,2000}?)(?<![\s*])\*(?![*\w])")
_NEEDLE_LIMIT = 200
"""Maximum number of marked places in a message."""


def mark_message(text: str, needle: str = "") -> Markup:
    """Return a message: a font colour is a swatch before its text, `*an action*` is emphasized.

    With `needle` its occurrences are marked instead of the emphasis.
    """
    parts, at = [], 0
    shown = strip_unprintable(text)
    for found in _TAG.finditer(shown):
        parts.append(_mark_text(shown[at : found.start()], needle))
        if found[1]:
            parts.append(draw_swatch(found[1]))
        at = found.end()
    parts.append(_mark_text(shown[at:], needle))
    return Markup("").join(parts)


def draw_swatch(colour: str) -> Markup:
    """Return a small disk of a colour (`#aabbcc`); an attribute of SVG, as styles are forbidden."""
    return Markup(
        '<svg class="ink" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">'
        '<circle cx="6" cy="6" r="5" fill="{}"/></svg>'
    ).format(colour)


def _mark_text(text: str, needle: str) -> Markup:
    if needle:
        return _mark_needle(text, needle)
    parts, at = [], 0
    for found in _EMPHASIS.finditer(text):
        parts += [escape(text[at : found.start()]), Markup("<em>{}</em>").format(found[1])]
        at = found.end()
    return Markup("").join([*parts, escape(text[at:])])


def _mark_needle(text: str, needle: str) -> Markup:
    parts, at = [], 0
    for found in re.finditer(re.escape(needle), text, re.IGNORECASE):
        parts += [escape(text[at : found.start()]), Markup("<mark>{}</mark>").format(found[0])]
        at = found.end()
        if len(parts) >= 2 * _NEEDLE_LIMIT:
            break
    return Markup("").join([*parts, escape(text[at:])])
