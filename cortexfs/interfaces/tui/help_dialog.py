"""All keys, on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from cortexfs.interfaces.tui.change_table import CHANGES
from cortexfs.interfaces.tui.key_line import draw_key
from cortexfs.interfaces.tui.page_table import TABS
from cortexfs.interfaces.tui.shown_content import Cell, Tone
from cortexfs.interfaces.tui.shown_text import heading, line
from cortexfs.interfaces.tui.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from cortexfs.interfaces.tui.shown_content import Line

MOVES = (
    ("j k ↓ ↑", "move down and up; g G go to the first and the last row"),
    ("space b", "one page down and up"),
    ("⏎", "open the row"),
    ("Esc q", "back; on Home q quits"),
    ("/ s", "search"),
    ("t", "timeline of a memory: what was saved before and after it"),
    ("l", "graph of an atom: what it is linked with; ⏎ walks on, o opens"),
    ("o", "open the atom of a row; in lists of atoms the next order"),
    ("y", "copy the ref"),
    ("r", "load again"),
    (": Ctrl+P", "palette: every page, change and theme by name"),
    ("Ctrl+C", "quit"),
)
EXPLANATIONS = {
    "accept": "accept a decision",
    "reject": "reject a decision",
    "accept-merge": "merge two memories, as proposed (Merges)",
    "reject-merge": "leave two memories as they are",
    "finish": "finish a task",
    "claim": "claim a task",
    "connect": "connect a client",
    "disconnect": "disconnect a client",
    "fix": "fix what has one right answer (Health)",
    "mark": "set the status of an atom",
    "archive": "archive a memory",
    "remove": "remove an atom; git keeps it",
    "undo": "undo your last change here, or else the last change of the tree",
    "redo": "redo the last undo",
}


class HelpDialog(ModalScreen[None]):
    """The keys of the panel."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,question_mark", "dismiss", "Close")]

    def compose(self) -> ComposeResult:
        """Yield the keys."""
        with Vertical(classes="dialog", id="help"):
            yield Static("Keys", classes="title")
            yield TextView(id="help-text")

    def on_mount(self) -> None:
        """Fill the view."""
        view = self.query_one("#help-text", TextView)
        view.show_lines(list(list_keys()))
        view.focus()


def list_keys() -> Iterator[Line]:
    """Yield each key with what it does."""
    yield heading("Changes: each shows its plan and asks")
    for change in CHANGES:
        yield _make_line(draw_key(change.key), EXPLANATIONS[change.name])
    yield from (line(""), heading("Moving"))
    yield from (_make_line(*each) for each in MOVES)
    yield from (line(""), heading("Pages"))
    yield from (_make_line(page.key, f"{page.title}: {page.help}") for page in TABS)


def _make_line(keys: str, explanation: str) -> Line:
    return (Cell(f"{keys:<10}", Tone.ACCENT), Cell(explanation))
