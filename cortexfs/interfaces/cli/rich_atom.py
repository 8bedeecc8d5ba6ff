"""One atom on a terminal, its Markdown rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.text.sanitize import strip_unprintable, to_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence


def render_atom(text: str, lines: Sequence[str] = ()) -> str:
    """Return an atom for the terminal: its frontmatter, its body rendered, and lines below it."""
    body = atom_text.parse_frontmatter(text).body
    console = Console(highlight=False)
    with console.capture() as captured:
        console.print(Text(strip_unprintable(text[: len(text) - len(body)]), style="dim"), end="")
        # no hyperlinks: where a link of untrusted text leads must be seen
        console.print(Markdown(strip_unprintable(body), hyperlinks=False))
        if lines:
            console.rule(style="dim")
        for line in lines:
            console.print(Text(to_one_line(line), style="dim"))
    return captured.get()
