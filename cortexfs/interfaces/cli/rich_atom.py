"""One atom on a terminal, its Markdown rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.text.sanitize import one_line, printable

if TYPE_CHECKING:
    from collections.abc import Sequence


def render(text: str, lines: Sequence[str] = ()) -> str:
    """Return an atom for the terminal: its frontmatter, its body rendered, and lines below it."""
    body = atom_text.parse(text).body
    console = Console(highlight=False)
    with console.capture() as captured:
        console.print(Text(printable(text[: len(text) - len(body)]), style="dim"), end="")
        # no hyperlinks: where a link of untrusted text leads must be seen
        console.print(Markdown(printable(body), hyperlinks=False))
        if lines:
            console.rule(style="dim")
        for line in lines:
            console.print(Text(one_line(line), style="dim"))
    return captured.get()
