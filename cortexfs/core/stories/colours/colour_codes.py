"""Colours as HTML and CSS write them: `#abc`, `#aabbcc`, `rgb(…)` and names."""

from __future__ import annotations

import re
from types import MappingProxyType

_HEX = re.compile(r"#?([0-9a-f]{3,8})", re.ASCII)
_RGB = re.compile(
    r"rgba?\(\s{0,9}([\d.]{1,9}%?)[\s,]{1,9}([\d.]{1,9}%?)[\s,]{1,9}([\d.]{1,9}%?)[\s,/]{0,9}[\d.%]{0,9}\s{0,9}\)",
    re.ASCII,
)
_SHORT, _SHORT_ALPHA, _LONG, _LONG_ALPHA = 3, 4, 6, 8
_HIGHEST, _PERCENT = 255, 100

_NAMES = """
black 000000 silver c0c0c0 gray 808080 white ffffff maroon 800000 red ff0000 purple 800080
fuchsia ff00ff green 008000 lime 00ff00 olive 808000 yellow ffff00 navy 000080 blue 0000ff
teal 008080 aqua 00ffff

grey 808080 cyan 00ffff magenta ff00ff orange ffa500 pink ffc0cb brown a52a2a gold ffd700
violet ee82ee indigo 4b0082 crimson dc143c coral ff7f50 salmon fa8072 khaki f0e68c plum dda0dd
orchid da70d6 lavender e6e6fa turquoise 40e0d0 tomato ff6347 skyblue 87ceeb lightblue add8e6
lightgreen 90ee90 lightpink ffb6c1 hotpink ff69b4 deeppink ff1493 darkred 8b0000 darkblue 00008b
darkgreen 006400 darkorange ff8c00 royalblue 4169e1 steelblue 4682b4 slateblue 6a5acd
dodgerblue 1e90ff cornflowerblue 6495ed mediumpurple 9370db palegreen 98fb98 seagreen 2e8b57
goldenrod daa520 lightgray d3d3d3 lightgrey d3d3d3 darkgray a9a9a9 darkgrey a9a9a9
"""
COLOUR_NAMES = MappingProxyType(dict(zip(_NAMES.split()[::2], _NAMES.split()[1::2], strict=True)))
"""The sixteen names of HTML, and names of CSS that chats use, with their code."""


def parse_colour(text: str) -> str | None:
    """Return a colour as `#aabbcc`, without its transparency; None if it is none."""
    typed = text.strip().lower()
    if typed in COLOUR_NAMES:
        return f"#{COLOUR_NAMES[typed]}"
    if found := _HEX.fullmatch(typed):
        return _expand(found[1])
    if found := _RGB.fullmatch(typed):
        parts = [_read_part(part) for part in found.groups()]
        return None if None in parts else "#" + "".join(f"{part:02x}" for part in parts)
    return None


def _expand(digits: str) -> str | None:
    if len(digits) in {_SHORT, _SHORT_ALPHA}:
        return "#" + "".join(digit * 2 for digit in digits[:_SHORT])
    return f"#{digits[:_LONG]}" if len(digits) in {_LONG, _LONG_ALPHA} else None


def _read_part(text: str) -> int | None:
    try:
        value = float(text.rstrip("%"))
    except ValueError:
        return None
    scaled = value * _HIGHEST / _PERCENT if text.endswith("%") else value
    return min(_HIGHEST, round(scaled))
