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

    from cortexfs.operations.show import Shown


def show(found: Shown, around: Sequence[str]) -> None:
    """Print an atom, and what stands around it."""
    console = show_text(found.text)
    console.rule(style="dim")
    for line in around:
        console.print(Text(one_line(line), style="dim"))


def show_text(text: str) -> Console:
    """Print frontmatter as it stands and the body rendered; give the console for more."""
    body = atom_text.parse(text).body
    console = Console(highlight=False)
    console.print(Text(printable(text[: len(text) - len(body)]), style="dim"), end="")
    # no hyperlinks: where a link of untrusted text leads must be seen
    console.print(Markdown(printable(body), hyperlinks=False))
    return console
