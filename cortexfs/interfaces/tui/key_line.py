"""Lines of keys and tabs that can be clicked. Their texts are our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style

from cortexfs.interfaces.tui.shown_content import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.interfaces.tui.change import Change
    from cortexfs.interfaces.tui.page import Page
    from cortexfs.interfaces.tui.visit import Selection

WIDE = 100
"""Columns from which a tab shows its key."""
GAP = "   "
ALWAYS_SHOWN = 2
"""Keys at the end of the line that are shown on narrow terminals too."""


def list_keys(
    page: Page, selection: Selection, offered: Iterable[Change], *, is_first: bool
) -> list[tuple[str, str, str]]:
    """Return the keys of a page: each with a label, and the action of a click."""
    row, keys = selection.row, list[tuple[str, str, str]]()
    if row and row.target:
        keys.append(("enter", "walk" if row.target.page == "graph" else "open", "app.press_enter"))
    own = (each for each in offered if each.subjects or each.pages)
    keys += [(each.key, each.label, f"app.change('{each.key}')") for each in own]
    if selection.subject is Subject.MEMORY:
        keys.append(("t", "timeline", "app.open_about('timeline')"))
    if selection.is_atom:
        keys.append(("l", "graph", "app.open_about('graph')"))
    if page.sorts:
        keys.append(("o", "order", "app.open_or_sort"))
    back = "quit" if is_first and page.name == "home" else "back"
    keys += [("u", "undo", "app.change('u')"), ("/", "search", "app.go('search')")]
    return [*keys, ("?", "keys", "app.show_keys"), ("q", back, "app.back")]


def make_key_line(keys: Sequence[tuple[str, str, str]], width: int) -> Content:
    """Return as many keys as fit, the last two always; each can be clicked."""
    fitting = list(keys)
    while sum(map(_measure_key, fitting)) > width and len(fitting) > ALWAYS_SHOWN:
        del fitting[-ALWAYS_SHOWN - 1]
    parts: list[Content | str] = []
    for key, label, action in fitting:
        shown = Content.assemble((draw_key(key), "bold $primary"), " ", (label, "$foreground 75%"))
        parts += [shown.stylize(Style.from_meta({"@click": action})), GAP]
    return Content.assemble(*parts[:-1])


def _measure_key(key: tuple[str, str, str]) -> int:
    return len(draw_key(key[0])) + len(key[1]) + 1 + len(GAP)


def make_tab_line(tabs: Iterable[Page], current: str, width: int) -> Content:
    """Return the tabs; that of the current page stands out."""
    gap, parts = "  " if width >= WIDE else " ", list[Content | str]()
    for page in tabs:
        is_current = page.name == current
        name = (page.title, "bold $primary underline" if is_current else "$foreground 80%")
        key = (f"{page.key} ", "$foreground 55%") if width >= WIDE else ""
        shown = Content.assemble(key, name)
        parts += [shown.stylize(Style.from_meta({"@click": f"app.go('{page.name}')"})), gap]
    return Content.assemble(*parts[:-1])


def draw_key(key: str) -> str:
    """Return a key as it is printed on keyboards."""
    return {"enter": "⏎", "escape": "Esc", "question_mark": "?"}.get(key, key)
