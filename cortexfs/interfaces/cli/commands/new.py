"""`cortexfs new`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import console, governance_text, prompts
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.options import (
    BodyFile,
    Edit,
    Evidence,
    KindName,
    Links,
    Project,
    Summary,
    Tags,
    Words,
)

if TYPE_CHECKING:
    from cortexfs.core.atoms.create_atom import Draft
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@changing
def new(
    run: Run,
    kind: KindName,
    project: Project = None,
    summary: Summary = "",
    tag: Tags = None,
    evidence: Evidence = None,
    source_experiments: Annotated[
        Words,
        typer.Option(metavar="REF", help="Ref of an experiment behind a pattern; may be repeated."),
    ] = None,
    link: Links = None,
    put: Annotated[
        Words, typer.Option("--set", metavar="KEY=VALUE", help="Any other field; may be repeated.")
    ] = None,
    body_file: BodyFile = None,
    edit: Edit = False,
) -> None:
    """Create an atom.

    It gets the next id, the template of its kind, a line in the index, and a commit. Prints
    the ref and the path. Required fields that are not given are asked for on a terminal.

    Example: cortexfs new experiment -p driftwood -s "Delta of deltas on the noisy set" -t codec
    """
    from cortexfs.core.atoms.create_atom import OPTIONS, Draft
    from cortexfs.operations.new_atom import new as make
    from cortexfs.operations.shared.resolve_names import kind_named

    session = run.session()
    row = kind_named(session, kind)
    within = _within(session, row, project)
    fields = prompts.refs(evidence=evidence, source_experiments=source_experiments, links=link)
    draft = Draft(
        kind=row,
        project=within,
        summary=summary,
        tags=prompts.split(tag),
        fields={**fields, **prompts.pairs(put or [], OPTIONS)},
        body=None if body_file is None else governance_text.read(body_file),
    )
    if console.at_a_terminal():
        draft = _asked(session, draft)
    draft = _edited(session, draft) if edit else draft
    with governance_text.kept(draft.body or "") if edit else nullcontext():
        prompts.make(run, session, make, draft)


def _within(session: Session, kind: Kind, project: str | None) -> str:
    """Name the project of a new atom; none where its kind may stand beside them all."""
    from cortexfs.operations.shared.resolve_names import one_project

    if project or "root" not in kind.scopes:
        return one_project(session, project, console.cwd())
    return ""


def _asked(session: Session, draft: Draft) -> Draft:
    """Ask for what is required and was not given."""
    from cortexfs.core.atoms.create_atom import missing

    if lacking := missing(draft):
        _try(session, draft)
    for key in lacking:
        draft = _answered(session, draft, key)
    return draft


def _answered(session: Session, draft: Draft, key: str) -> Draft:
    """Ask for one field, and again while the answer names what is not there."""
    from cortexfs.errors import AmbiguousRef, NoSuchAtom
    from cortexfs.operations.new_atom import NAMING

    question = f"{key} ({_expected(key)}):" if key in NAMING else f"{key}:"
    while answer := console.ask(question) or console.ask(question):
        filled = _filled(draft, key, prompts.items(key, [answer]) if key in NAMING else answer)
        try:
            _try(session, filled)
        except (NoSuchAtom, AmbiguousRef) as error:
            console.object_to(error)
        else:
            return filled
    return draft


def _expected(key: str) -> str:
    from cortexfs.core.atoms.grounds import FREE

    return "refs, such as EXP-001, EXP-002" + ("; or an address, words" if key in FREE else "")


def _filled(draft: Draft, key: str, value: str | tuple[str, ...]) -> Draft:
    from dataclasses import replace

    if key == "summary":
        return replace(draft, summary=str(value))
    if key == "tags":
        return replace(draft, tags=prompts.split([str(value)]))
    return replace(draft, fields={**draft.fields, key: value})


def _try(session: Session, draft: Draft) -> None:
    """Refuse what is wrong with a draft that may be unfinished."""
    from contextlib import suppress

    from cortexfs.core.atoms.create_atom import MissingFields
    from cortexfs.core.changes.plan import Mode
    from cortexfs.operations.new_atom import new as make

    with suppress(MissingFields):
        make(session, draft, mode=Mode.DRY_RUN)


def _edited(session: Session, draft: Draft) -> Draft:
    """Have the body written before the atom is made: no half of one is ever there."""
    from dataclasses import replace

    from cortexfs.core.changes.plan import Mode
    from cortexfs.errors import Refused
    from cortexfs.interfaces.cli.editor import edited
    from cortexfs.operations.new_atom import new as make
    from cortexfs.operations.new_atom import starting_text

    make(session, draft, mode=Mode.DRY_RUN)  # what is refused is so before anything is written
    before = starting_text(session, draft) if draft.body is None else draft.body
    body = edited(before)
    if not body.strip() or body == before:
        raise Refused("nothing was written in the editor", hint="nothing was made")
    return replace(draft, body=body, open_words=draft.body is None)
