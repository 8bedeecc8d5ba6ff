"""The two themes of the panel, and the style of each tone in whichever theme is chosen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from cortexfs.errors import Usage
from cortexfs.interfaces.tui.shown_content import Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

DARK, LIGHT = "cortexfs-dark", "cortexfs-light"
NAMES = {"dark": DARK, "light": LIGHT}
"""Short names of our themes."""
MUTED_SHARE = 0.68
"""Share of the foreground in muted text: its contrast stays above 4.5 to 1 in both themes."""
FIRST_LIGHT_COLOUR, LIGHT_GREY = 9, 7
"""Numbers in `COLORFGBG`: these backgrounds are light."""

THEMES = (
    Theme(
        name=DARK,
        primary="#7db8f0",
        secondary="#7db8f0",
        accent="#7db8f0",
        foreground="#d7dce3",
        background="#14171c",
        surface="#14171c",
        panel="#20252d",
        success="#86c995",
        warning="#e0b35c",
        error="#f2837b",
        dark=True,
        variables={"footer-background": "#14171c"},
    ),
    Theme(
        name=LIGHT,
        primary="#0b5cad",
        secondary="#0b5cad",
        accent="#0b5cad",
        foreground="#23282f",
        background="#fbfbfa",
        surface="#fbfbfa",
        panel="#e9edf2",
        success="#1c7030",
        warning="#855300",
        error="#b3261e",
        dark=False,
        variables={"footer-background": "#fbfbfa"},
    ),
)


def choose_theme(wanted: str, environ: Mapping[str, str]) -> str:
    """Return the name of the wanted theme; of `auto` the one for the terminal's background.

    Terminals that set `COLORFGBG` tell their background; for the others it is dark. Raises `Usage`
    for an unknown name.
    """
    known = [*NAMES, *(theme.name for theme in THEMES), *BUILTIN_THEMES]
    if wanted != "auto" and wanted not in known:
        raise Usage(f"no theme named `{wanted}`", hint=f"one of: auto, {', '.join(known)}")
    if wanted != "auto":
        return NAMES.get(wanted, wanted)
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    is_light = background.isdecimal() and (
        int(background) == LIGHT_GREY or int(background) >= FIRST_LIGHT_COLOUR
    )
    return LIGHT if is_light else DARK


def make_tone_styles(variables: Mapping[str, str]) -> Mapping[Tone, Style]:
    """Return the style of each tone; `variables` are those of the theme."""
    return _make_styles(*(variables[name] for name in _VARIABLES))


_VARIABLES = ("foreground", "background", "primary", "success", "warning", "error")


@lru_cache(maxsize=8)
def _make_styles(
    foreground: str, background: str, accent: str, good: str, warning: str, bad: str
) -> Mapping[Tone, Style]:
    """Return the styles; cached, because each line on the screen needs them."""
    muted = Color.parse(background).blend(Color.parse(foreground), MUTED_SHARE)
    return {
        Tone.PLAIN: _make_style(foreground),
        Tone.MUTED: Style(color=muted.rich_color),
        Tone.STRONG: _make_style(foreground, bold=True),
        Tone.ACCENT: _make_style(accent),
        Tone.GOOD: _make_style(good),
        Tone.WARNING: _make_style(warning),
        Tone.BAD: _make_style(bad),
    }


def _make_style(color: str, *, bold: bool | None = None) -> Style:
    return Style(color=Color.parse(color).rich_color, bold=bold)
