"""`cortexfs find`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.explain_score import explain_score, format_ref
from cortexfs.core.find.search_notes import format_notes
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Usage
from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import Limit, StringList

if TYPE_CHECKING:
    from cortexfs.core.find.snippet import Snippet
    from cortexfs.operations.find import FindResult, PageHit, SearchHit

app = typer.Typer(rich_markup_mode=None, add_completion=False)

DEFAULT_LIMIT = 10
"""Number of results without --limit."""


@app.command()
@filter_command()
def find(
    run: CommandContext,
    query: Annotated[
        StringList,
        typer.Argument(metavar="QUERY...", help="Words, phrases and filters, as above."),
    ] = None,
    entity: Annotated[
        StringList,
        typer.Option("--entity", metavar="NAME", help="Only atoms that mention this entity."),
    ] = None,
    without: Annotated[
        StringList, typer.Option("--without", metavar="WORD", help="Exclude atoms with this word.")
    ] = None,
    limit: Limit = DEFAULT_LIMIT,
    explain: Annotated[bool, typer.Option("--explain", help="Explain each rank.")] = False,
    words: Annotated[
        bool, typer.Option("--words", help="Search by words only, without embeddings.")
    ] = False,
    atoms: Annotated[bool, typer.Option("--atoms", help="Search atoms only, no pages.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Print the text of the best match.")] = False,
) -> None:
    """Search atoms, best match first, then other pages of the tree.

    Pages are Markdown files that are not atoms, such as STATUS.md. At most three are listed,
    after the line `pages:`. Of the filters, only project: applies to pages; any other excludes
    all pages.

    A query may contain "a phrase", a beginning*, -word, and the filters tag:, kind:, status:,
    project:, entity:, since: and until:. A minus before a filter excludes what matches it. Put
    single quotes around a query with double quotes or a minus. A text that has the word with
    its minus, such as an option (`gcc -Wall`), is found, not excluded. A word that no text has is
    corrected or completed, and a message says so.

    Example: cortexfs find sensor drift kind:experiment --explain
    """
    from cortexfs.operations.find import find, read_best_match

    if not query and not entity:
        raise Usage("there is no query", hint="write what to search for, or --entity NAME")
    session, only = run.open_filtered()
    only = only.combine(AtomFilter(entities=tuple(entity or ())))
    unwanted = (word.replace('"', " ") for word in without or ())
    # the query comes last, because a quote in it may be open
    typed = " ".join([*(f'-"{word}"' for word in unwanted), *(query or ())])
    answer = find(session, typed, only, limit, full_text_only=words, with_pages=not atoms)
    text = read_best_match(session, answer) if full else None
    if run.output.as_json:
        _print_json(run, answer, text, explain=explain, with_pages=not atoms)
    for line in format_notes(answer.notes):
        run.output.print_message(line)
    run.output.print_unreadable_count(answer.unreadable)
    if not answer.hits and not answer.pages:
        run.output.exit_empty("no matches")
    _print_result(run, answer, text, explain=explain)
    if text is None:
        run.output.print_limit_note(len(answer.hits), limit, DEFAULT_LIMIT)


def _print_json(
    run: CommandContext, answer: FindResult, text: str | None, *, explain: bool, with_pages: bool
) -> None:
    """Print the results as one JSON document."""
    from cortexfs.interfaces.json.atoms import (
        to_found_atom_json,
        to_found_page_json,
        to_search_notes_json,
    )

    run.output.print_document(
        found=[to_found_atom_json(hit, explain=explain) for hit in answer.hits],
        pages=[to_found_page_json(page) for page in answer.pages] if with_pages else None,
        **{"matched-by": answer.method},
        content=text,
        unreadable=answer.unreadable or None,
        **to_search_notes_json(answer.notes),
    )


def _print_result(
    run: CommandContext, answer: FindResult, text: str | None, *, explain: bool
) -> None:
    """Print the results: rendered on a terminal, as plain lines elsewhere."""
    if sys.stdout.isatty() and not run.output.as_json:
        run.output.page_text(_render_result(answer, text, explain=explain))
    elif text is not None:
        run.output.print_text(text)
    else:
        atoms = [_format_hit(hit, explain=explain) for hit in answer.hits]
        pages = ["pages:", *map(_format_page, answer.pages)] if answer.pages else []
        run.output.print_text("\n".join([*atoms, *pages]))
    if explain or answer.method != "words":
        run.output.print_message(f"found by {answer.method}")


def _render_result(answer: FindResult, text: str | None, *, explain: bool) -> str:
    """Return the results for a terminal, or the text of the best one."""
    if text is not None:
        from cortexfs.interfaces.cli import rich_atom

        return rich_atom.render_atom(text)
    from cortexfs.interfaces.cli import rich_results

    reasons = [explain_score(hit.match) for hit in answer.hits] if explain else []
    return rich_results.render_results(answer.hits, reasons, answer.pages)


def _format_hit(hit: SearchHit, *, explain: bool) -> str:
    """Return lines that describe an atom and its best snippet."""
    lines = [f"{to_one_line(format_ref(hit.match))}  {to_one_line(hit.match.atom.summary)}"]
    if hit.snippet.text:
        lines.append(f"    {_format_snippet(hit.snippet)}")
    if explain:
        lines.append(f"    {explain_score(hit.match)}")
    return "\n".join(lines)


def _format_page(hit: PageHit) -> str:
    return f"{to_one_line(hit.match.path)}  {_format_snippet(hit.snippet)}"


def _format_snippet(part: Snippet) -> str:
    """Return a snippet with its section, without marks: `grep` marks nothing in a pipe either."""
    section = f"{part.section}: " if part.section else ""
    return to_one_line(f"{section}{part.text}")
