"""`cortexfs new`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, KindName, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.core.create import Draft
    from cortexfs.cortex import Cortex

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Words = list[str] | None


@app.command()
def new(
    kind: KindName,
    project: Project = None,
    summary: Annotated[str, typer.Option("--summary", "-s", help="One line, up to 300.")] = "",
    tag: Annotated[Words, typer.Option("--tag", "-t", help="A tag; may be repeated.")] = None,
    evidence: Annotated[Words, typer.Option(help="Refs that it rests on.")] = None,
    source_experiments: Annotated[Words, typer.Option(help="Refs a pattern came from.")] = None,
    link: Annotated[Words, typer.Option(help="A related ref; may be repeated.")] = None,
    put: Annotated[Words, typer.Option("--set", metavar="KEY=VALUE", help="A field.")] = None,
    body_file: Annotated[str | None, typer.Option(help="The body; `-` is stdin.")] = None,
    edit: Annotated[bool, typer.Option("--edit", help="Write the body in $EDITOR.")] = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Make a new atom.

    It gets the next id, the text of its kind's template, its line in the index, and a commit.
    Prints the ref and the path. What is required and not given is asked for on a terminal.

    Example: cortexfs new experiment -p driftwood -s "Delta of deltas on the noisy set" -t codec
    """
    from cortexfs.core.create import Draft
    from cortexfs.faces.documents import created as document
    from cortexfs.verbs.new import new as make
    from cortexfs.verbs.resolve import kind_named, one_project

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    row = kind_named(cortex, kind)
    within = ""
    if project or "root" not in row.scopes:
        within = one_project(cortex, project, voice.cwd())
    given = {"evidence": evidence, "source-experiments": source_experiments, "links": link}
    refs = {key: split for key, words in given.items() if (split := _split(words or []))}
    draft = Draft(
        kind=row,
        project=within,
        summary=summary,
        tags=_split(tag or []),
        fields={**refs, **_pairs(put or [])},
        body=_body(body_file),
    )
    if voice.at_a_terminal():
        draft = _asked(cortex, draft)
    if edit:
        make(cortex, draft, dry_run=True)  # what is refused is so before anything is written
        draft = _edited(cortex, draft)
    sources = voice.sources(cortex)
    created = make(cortex, draft, sources, dry_run=dry_run, commit=not no_commit)
    for near in created.near:
        alike = f"{near.similarity:.0%} alike"
        say.talk(f"nearly the same is said by {near.ref} ({alike}): {near.summary}")
    if created.outcome is None:
        say.plan(created.plan)
        return
    say.outcome(created.outcome)
    say.document(created=document(created), commit=voice.last_commit(created.outcome))
    say.data(f"{created.ref}\t{created.path}")


def _split(words: list[str]) -> tuple[str, ...]:
    """Read `-t a -t b,c` as three words."""
    return tuple(word for part in words for each in part.split(",") if (word := each.strip()))


def _pairs(texts: list[str]) -> dict[str, str]:
    """Read `KEY=VALUE` texts; what can be given another way, or is given twice, is refused."""
    from cortexfs.core.create import OPTIONS
    from cortexfs.errors import Usage

    pairs: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise typer.BadParameter("write it as KEY=VALUE", param_hint="--set")
        if key in OPTIONS:
            raise Usage(f"`{key}` has an option of its own", hint=f"{OPTIONS[key]}, not --set")
        if key in pairs:
            raise Usage(f"`{key}` is set twice", hint="say it once")
        pairs[key] = value
    return pairs


def _body(path: str | None) -> str | None:
    """Read the body from a file or from stdin."""
    from cortexfs.errors import Refused

    if path is None:
        return None
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode()
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise Refused(f"the body in {path} is not UTF-8") from None


def _asked(cortex: Cortex, draft: Draft) -> Draft:
    """Ask for what is required and was not given."""
    from cortexfs.core.create import missing

    if lacking := missing(draft):
        _try(cortex, draft)
    for key in lacking:
        draft = _answered(cortex, draft, key)
    return draft


def _answered(cortex: Cortex, draft: Draft, key: str) -> Draft:
    """Ask for one field, and again while the answer names what is not there."""
    from cortexfs.errors import AmbiguousRef, NoSuchAtom
    from cortexfs.verbs.new import NAMING

    question = f"{key} (refs, such as EXP-001, EXP-002):" if key in NAMING else f"{key}:"
    while answer := voice.ask(question) or voice.ask(question):
        filled = _filled(draft, key, _split([answer]) if key in NAMING else answer)
        try:
            _try(cortex, filled)
        except (NoSuchAtom, AmbiguousRef) as error:
            voice.object_to(error)
        else:
            return filled
    return draft


def _filled(draft: Draft, key: str, value: str | tuple[str, ...]) -> Draft:
    from dataclasses import replace

    if key == "summary":
        return replace(draft, summary=str(value))
    if key == "tags":
        return replace(draft, tags=_split([str(value)]))
    return replace(draft, fields={**draft.fields, key: value})


def _try(cortex: Cortex, draft: Draft) -> None:
    """Refuse what is wrong with a draft that may be unfinished."""
    from contextlib import suppress

    from cortexfs.core.create import MissingFields
    from cortexfs.verbs.new import new as make

    with suppress(MissingFields):
        make(cortex, draft, dry_run=True)


def _edited(cortex: Cortex, draft: Draft) -> Draft:
    """Have the body written before the atom is made: no half of one is ever there."""
    from dataclasses import replace

    from cortexfs.errors import Refused
    from cortexfs.faces.cli.editor import edited
    from cortexfs.verbs.new import starting_text

    before = starting_text(cortex, draft) if draft.body is None else draft.body
    body = edited(before)
    if not body.strip() or body == before:
        raise Refused("nothing was written in the editor", hint="nothing was made")
    return replace(draft, body=body, open_words=draft.body is None)
