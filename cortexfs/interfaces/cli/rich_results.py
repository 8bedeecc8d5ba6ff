"""Search results on a terminal, with the matching words in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from cortexfs.core.find.explain_score import format_ref
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.find.snippet import Snippet
    from cortexfs.operations.find import PageHit, SearchHit


def render_results(
    hits: Sequence[SearchHit], reasons: Sequence[str], pages: Sequence[PageHit] = ()
) -> str:
    """Return each atom with its snippet, styled for the terminal; text is never markup."""
    console = Console(highlight=False)
    with console.capture() as captured:
        for number, hit in enumerate(hits):
            if number:
                console.print()
            _print_hit(console, hit, reasons[number] if reasons else "")
        if pages:
            console.print("\npages:" if hits else "pages:")
        for page in pages:
            console.print(
                Text.assemble(
                    (to_one_line(page.match.path), "bold"), "  ", _style_snippet(page.snippet)
                )
            )
    return captured.get()


def _print_hit(console: Console, hit: SearchHit, reason: str) -> None:
    style = "bold strike" if hit.match.is_outdated else "bold"
    name, summary = to_one_line(format_ref(hit.match)), to_one_line(hit.match.atom.summary)
    console.print(Text.assemble((name, style), "  ", summary))
    for line in (
        _style_snippet(hit.snippet) if hit.snippet.text else None,
        Text(reason, style="dim"),
    ):
        if line:
            console.print(Padding(line, (0, 0, 0, 4), expand=False))


def _style_snippet(part: Snippet) -> Text:
    text = Text(part.text, style="dim")
    for begin, end in part.marks:
        text.stylize("not dim bold", begin, end)
    return Text.assemble((f"{part.section}: ", "italic"), text) if part.section else text
