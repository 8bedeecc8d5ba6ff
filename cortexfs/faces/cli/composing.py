"""What the commands share that make an atom section by section: its body, how it ends, a list."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.clean import one_line
from cortexfs.errors import Refused, Usage
from cortexfs.faces.cli import complete, voice
from cortexfs.faces.cli.governing import kept, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.create import Draft
    from cortexfs.core.entry import Entry
    from cortexfs.faces.cli.voice import Voice
    from cortexfs.verbs.new import Created
    from cortexfs.verbs.show import Shown

Words = list[str] | None
Summary = Annotated[str, typer.Option("--summary", "-s", help="One line, up to 300.")]
Tags = Annotated[Words, typer.Option("--tag", "-t", help="A tag; may be repeated.")]
Evidence = Annotated[Words, typer.Option(help="Refs that it rests on.")]
Links = Annotated[
    Words,
    typer.Option("--link", help="A related ref; may be repeated.", autocompletion=complete.refs),
]
BodyFile = Annotated[
    str | None, typer.Option("--body-file", metavar="FILE", help="The body; `-` is stdin.")
]
Edit = Annotated[bool, typer.Option("--edit", help="Write the body in $EDITOR.")]


def split(words: Sequence[str] | None) -> tuple[str, ...]:
    """Read `-t a -t b,c` as three words."""
    return tuple(word for part in words or () for each in part.split(",") if (word := each.strip()))


def with_body(draft: Draft, composed: str, body_file: str | None, *, said: bool) -> Draft:
    """Give a draft its body: that of a file, or what was composed of the options."""
    if body_file is None:
        return replace(draft, body=composed, open_words=True)
    if said:
        raise Usage("--body-file holds all sections", hint="leave out the options that hold one")
    return replace(draft, body=read(body_file))


@contextmanager
def edited(draft: Draft) -> Iterator[Draft]:
    """Have the body written in an editor; what is refused then is kept in a file."""
    from cortexfs.faces.cli.editor import edited as written

    body = written(draft.body or "")
    if not body.strip():
        raise Refused("nothing was written in the editor", hint="nothing was made")
    with kept(body):
        yield replace(draft, body=body)


def tell(say: Voice, created: Created) -> None:
    """Say what was made, and what says nearly the same."""
    from cortexfs.faces.documents import created as document

    for near in created.near:
        alike = f"{near.similarity:.0%} alike"
        say.talk(f"nearly the same is said by {near.ref} ({alike}): {near.summary}")
    if created.outcome is None:
        say.plan(created.plan)
        return
    say.outcome(created.outcome)
    say.document(created=document(created), commit=voice.last_commit(created.outcome))
    say.data(f"{created.ref}\t{created.path}")


def table(say: Voice, found: Sequence[Entry]) -> None:
    """List atoms: ref, date, status, summary; ends with 1 where there is none."""
    heads = ("Ref", "Date", "Status", "Summary")
    atoms = ((entry.atom, entry.status.shown) for entry in found)
    rows = ((a.ref, a.text("date"), status, a.text("summary")) for a, status in atoms)
    say.table(heads, rows)
    if not found:
        say.talk("none is like that")
        raise typer.Exit(1)


def show(say: Voice, found: Shown, around: Sequence[str]) -> None:
    """Show an atom's text; below it what stands around it, who names it, and its past."""
    lines = [*around]
    if found.backlinks:
        lines.append(f"named by {', '.join(found.backlinks)}")
    lines += [f"line {flaw.line}: {flaw.message}" for flaw in found.changed]
    lines += [f"{past.commit[:10]} {past.when[:10]} {past.subject}" for past in found.past]
    say.data("\n".join([found.text.rstrip("\n"), "", *map(one_line, lines)]))
