"""What was found, on a terminal: the words that were sought stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from cortexfs.core.find.explain import named
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.find.snippet import Snippet
    from cortexfs.operations.find import Hit


def show(hits: Sequence[Hit], reasons: Sequence[str]) -> None:
    """Print each atom with the part that answers; text is never markup."""
    console = Console(highlight=False)
    for number, hit in enumerate(hits):
        if number:
            console.print()
        style = "bold strike" if hit.found.past else "bold"
        head = Text.assemble(
            (one_line(named(hit.found)), style), "  ", one_line(hit.found.known.summary)
        )
        console.print(head)
        if hit.snippet.text:
            console.print(Padding(_marked(hit.snippet), (0, 0, 0, 4)))
        if reasons:
            console.print(Padding(Text(reasons[number], style="dim"), (0, 0, 0, 4)))


def _marked(part: Snippet) -> Text:
    text = Text(part.text, style="dim")
    for begin, end in part.marks:
        text.stylize("not dim bold yellow", begin, end)
    section = Text(f"{part.section}: ", style="italic") if part.section else Text()
    return section + text
