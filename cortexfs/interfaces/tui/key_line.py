"""Lines of keys and tabs that can be clicked. Their texts are our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from cortexfs.interfaces.tui.change_table import list_offered
from cortexfs.interfaces.tui.page_table import TABS
from cortexfs.interfaces.tui.shown_content import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.interfaces.tui.page import Page
    from cortexfs.interfaces.tui.visit import Selection, Visit

MARGIN = 2
"""Columns beside the tabs."""
WIDE = 124
"""Columns from which a tab shows its key."""
GAP = "   "
_OTHER_COMMANDS = (
    ("theme", "Choose other colours", "change_theme"),
    ("keys", "Show all keys", "show_keys"),
    ("quit", "Leave the panel", "quit"),
)
ALWAYS_SHOWN = 2
"""Keys at the end of the line that are shown on narrow terminals too."""


def make_line(name: str) -> Static:
    """Return the widget of a line, which keeps the colours of its text."""
    line = Static(id=name, markup=False)
    line.auto_links = False
    return line


def draw_lines(
    tabs: Static, keys: Static, visits: Sequence[Visit], selection: Selection, width: int
) -> None:
    """Draw the tabs and the keys of the page that is shown."""
    tabs.update(make_tab_line(TABS, visits[0].page.name, width), layout=False)
    shown = list_keys(visits[-1].page, selection, is_first=len(visits) == 1)
    keys.update(make_key_line(shown, width), layout=False)


def list_keys(page: Page, selection: Selection, *, is_first: bool) -> list[tuple[str, str, str]]:
    """Return the keys of a page: each with a label, and the action of a click."""
    row, keys = selection.row, list[tuple[str, str, str]]()
    if row and row.target:
        label = "walk" if row.target.page == "graph" else "open"
        keys.append(("enter", label, "app.simulate_key('enter')"))
    offered = list_offered(page.name, selection.subject)
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


def list_palette(visit: Visit, selection: Selection) -> Iterator[tuple[str, str, str]]:
    """Yield what the palette offers: each a title, an explanation and an action."""
    yield from ((page.title, page.help, f"go('{page.name}')") for page in TABS)
    for change in list_offered(visit.page.name, selection.subject):
        about = f"{change.name} {selection.key}" if change.subjects else change.name
        yield change.label, about, f"change('{change.key}')"
    yield from _OTHER_COMMANDS


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
    """Return the tabs; that of the current page stands out. The last ones may have no room."""
    gap, parts = "  " if width >= WIDE else " ", list[Content | str]()
    for page in _choose_tabs(list(tabs), current, width):
        is_current = page.name == current
        name = (page.title, "bold $primary underline" if is_current else "$foreground 80%")
        key = (f"{page.key} ", "$foreground 55%") if width >= WIDE else ""
        shown = Content.assemble(key, name)
        parts += [shown.stylize(Style.from_meta({"@click": f"app.go('{page.name}')"})), gap]
    return Content.assemble(*parts[:-1])


def _choose_tabs(tabs: list[Page], current: str, width: int) -> list[Page]:
    """Return the tabs that have room on a narrow terminal; that of the current page always has."""
    others = [page for page in tabs if page.name != current]
    while (
        width < WIDE and sum(len(page.title) + 1 for page in tabs) - 1 > width - MARGIN and others
    ):
        tabs.remove(others.pop())
    return tabs


def draw_key(key: str) -> str:
    """Return a key as it is printed on keyboards."""
    return {"enter": "⏎", "escape": "Esc", "question_mark": "?"}.get(key, key)
