"""One atom, or a page that is no atom: its origin, its text, what links to it, and its history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.interfaces.tui.atom_rows import (
    SUBJECTS,
    choose_status_tone,
    describe_origin,
    format_time,
    read_origin,
)
from cortexfs.interfaces.tui.shown_content import Cell, Subject, TextContent, Tone
from cortexfs.interfaces.tui.shown_text import (
    cell,
    clean_line,
    clean_lines,
    heading,
    labelled,
    labelled_lines,
    line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.interfaces.tui.shown_content import Line
    from cortexfs.operations.show import ShownAtom


def load_atom(context: PanelContext, request: Request) -> TextContent:
    """Return an atom; looking at it here does not count as a read."""
    from cortexfs.operations.show import show

    found = show(context.session, request.argument, context.cwd, track=False)
    kind = found.entry.atom.kind if found.entry else ""
    lines = (*_describe(found), line(""), *_format_body(found.text), *_list_surroundings(found))
    return TextContent(lines, found.ref, SUBJECTS.get(kind, Subject.ATOM))


def load_page(context: PanelContext, request: Request) -> TextContent:
    """Return a file that is not an atom, such as STATUS.md, with its last change."""
    from cortexfs.operations.read_page import read_page

    found = read_page(context.session, request.argument)
    commit = found.last_commit
    changed = f"{format_time(commit.when)}  {commit.author}: {commit.subject}" if commit else ""
    about = labelled_lines(("file", found.path), ("changed", changed))
    return TextContent((*about, line(""), *_format_body(found.text)), found.path)


def _describe(found: ShownAtom) -> Iterator[Line]:
    if found.entry is None:
        yield labelled("file", found.path)
        return
    atom, reads = found.entry.atom, found.entry.reads
    yield heading(atom.text_field("summary"))
    yield line("")
    yield labelled("ref", found.ref, Tone.ACCENT)
    yield labelled("status", atom.text_field("status") or "active", _tone_of(found))
    last = format_time(reads.last_read)
    yield from labelled_lines(
        ("origin", describe_origin(read_origin(atom))),
        ("reads", f"{reads.read_count}, the last on {last}" if last else reads.read_count),
        ("tags", ", ".join(atom.list_field("tags"))),
        ("links", ", ".join(atom.list_field("links"))),
        ("evidence", ", ".join(atom.list_field("evidence"))),
        ("file", found.path),
    )


def _tone_of(found: ShownAtom) -> Tone:
    return choose_status_tone(found.entry.status) if found.entry else Tone.PLAIN


def _format_body(text: str) -> Iterator[Line]:
    """Yield the lines below the frontmatter; headings stand out."""
    for each in clean_lines(split_front_and_body(text)[1].strip("\n")):
        yield (Cell(each, Tone.STRONG if each.startswith("#") else Tone.PLAIN),)


def _list_surroundings(found: ShownAtom) -> Iterator[Line]:
    """Yield what links to the atom, what its text mentions, and its last commits."""
    if found.changed_citations:
        yield from (line(""), heading("Changed citations"))
        yield from (line(cell(each.message, Tone.WARNING)) for each in found.changed_citations)
    if found.backlinks:
        yield from (line(""), heading("Linked from"))
        yield from (line(cell(each, Tone.ACCENT)) for each in dict.fromkeys(found.backlinks))
    if found.entities:
        yield from (line(""), heading("Mentions"))
        yield from (labelled(sort, name) for sort, name in found.entities)
    if found.commits:
        yield from (line(""), heading("History"))
        yield from (
            (
                Cell(f"{format_time(each.when)}  ", Tone.MUTED),
                Cell(f"{clean_line(each.author)}  ", Tone.ACCENT),
                cell(each.subject),
            )
            for each in found.commits
        )
