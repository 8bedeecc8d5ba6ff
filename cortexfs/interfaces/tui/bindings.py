"""The keys of the panel, and the actions that they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.tui.change_table import CHANGES
from cortexfs.interfaces.tui.page_table import TABS

if TYPE_CHECKING:
    from textual.binding import BindingType

_PAGES = [(page.key, f"go('{page.name}')", page.title) for page in TABS]
_CHANGES = [
    (key, f"change('{key}')", "Change")
    for key in sorted({change.key for change in CHANGES} - {"enter"})
]
BINDINGS: list[BindingType] = [
    *_PAGES,
    *_CHANGES,
    ("slash,s", "go('search')", "Search"),
    ("escape,q", "back", "Back"),
    ("t", "open_about('timeline')", "Timeline"),
    ("l", "open_about('graph')", "Graph"),
    ("o", "open_or_sort", "Open"),
    ("y", "copy_ref", "Copy"),
    ("r", "reload", "Reload"),
    ("question_mark", "show_keys", "Keys"),
    ("colon", "command_palette", "Palette"),
    ("ctrl+c", "quit", "Quit"),
]
LEAVING_KEYS = frozenset(page.key for page in TABS) | {"slash", "s", "escape", "q", "ctrl+c"}
"""The keys that lead away from a page."""
UNBOUND_KEYS = frozenset({"question_mark", "colon", "ctrl+p"})
"""The keys that have the same effect on every page."""
