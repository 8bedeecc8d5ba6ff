"""`cortexfs new`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.sanitize import to_one_line
from cortexfs.interfaces.cli import atom_input_and_output, console, governance_commands, questions
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import (
    BodyFile,
    Edit,
    Evidence,
    KindName,
    Links,
    Project,
    StringList,
    Summary,
    Tags,
)

if TYPE_CHECKING:
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.session.session import Session

MAX_CHOICES = 12
"""Maximum number of known values that a question names."""
MAX_CHOICE_CHARS = 30
"""Maximum characters of a value that a question names."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def new(
    run: CommandContext,
    kind: KindName = "",
    project: Project = None,
    summary: Summary = "",
    tag: Tags = None,
    evidence: Evidence = None,
    source_experiments: Annotated[
        StringList,
        typer.Option(metavar="REF", help="Ref of an experiment behind a pattern; may be repeated."),
    ] = None,
    link: Links = None,
    assignments: Annotated[
        StringList,
        typer.Option("--set", metavar="KEY=VALUE", help="Any other field; may be repeated."),
    ] = None,
    body_file: BodyFile = None,
    edit: Edit = False,
) -> None:
    """Create an atom.

    The atom gets the next id, the template of its kind, a line in the index, and a commit.
    Prints the ref and the path. On a terminal, asks for the project, for required fields
    that are missing, and for the alternatives of a decision.

    Example: cortexfs new experiment -p driftwood -s "Delta of deltas on the noisy set" -t codec
    """
    from cortexfs.core.atoms.create_atom import FIELD_OPTIONS, AtomDraft
    from cortexfs.operations.shared.resolve_names import require_kind

    session = run.open_session()
    atom_kind = require_kind(session, kind or _ask_kind(session))
    fields = atom_input_and_output.parse_ref_fields(
        evidence=evidence, source_experiments=source_experiments, links=link
    )
    draft = AtomDraft(
        kind=atom_kind,
        project=_choose_project(session, atom_kind, project, run.cwd),
        summary=summary,
        tags=atom_input_and_output.split_words(tag),
        fields={**fields, **atom_input_and_output.parse_pairs(assignments or [], FIELD_OPTIONS)},
        body=None if body_file is None else governance_commands.read_body_file(body_file),
    )
    if console.is_interactive():
        draft = _ask_missing_fields(session, draft)
        draft = _ask_missing_alternatives(session, draft, edit=edit)
    draft = _edit_body(session, draft) if edit else draft
    with governance_commands.keep_refused_text(draft.body or "") if edit else nullcontext():
        atom_input_and_output.create_atom(run, session, draft)


def _ask_kind(session: Session) -> str:
    """Ask for the kind on a terminal; refuse elsewhere, or without an answer."""
    from cortexfs.errors import Usage

    kinds = ", ".join(kind.name for kind in session.kinds)
    answer = questions.ask_question(f"kind ({kinds}):") if console.is_interactive() else ""
    if not answer:
        raise Usage("no kind is given", hint=f"kinds are {kinds}")
    return answer


def _choose_project(session: Session, kind: Kind, name: str | None, cwd: str) -> str:
    """Return the project of a new atom; ask for it on a terminal if several are possible."""
    from cortexfs.errors import Refused
    from cortexfs.operations.shared.resolve_names import resolve_atom_project

    try:
        return resolve_atom_project(session, kind, name, cwd)
    except Refused:
        projects = session.tree.list_projects()
        if not (projects and console.is_interactive() and (answer := _ask_project(session))):
            raise
        return answer


def _ask_project(session: Session) -> str:
    """Ask for a project, again while there is none of that name; empty without an answer."""
    from cortexfs.errors import NoSuchProject, OutsideTree
    from cortexfs.operations.shared.resolve_names import require_project

    question = f"project ({', '.join(session.tree.list_projects())}):"
    while answer := questions.ask_question(question) or questions.ask_question(question):
        try:
            return require_project(session, answer)
        except (NoSuchProject, OutsideTree) as error:
            console.print_error(error)
    return ""


def _ask_missing_fields(session: Session, draft: AtomDraft) -> AtomDraft:
    """Ask for the required fields that were not given."""
    from cortexfs.core.atoms.create_atom import find_missing_fields

    missing = find_missing_fields(draft)
    if missing:
        _check_draft(session, draft)
    for key in missing:
        draft = _ask_field(session, draft, key)
    return draft


def _ask_missing_alternatives(session: Session, draft: AtomDraft, *, edit: bool) -> AtomDraft:
    """Ask for the alternatives of a decision whose body is not given."""
    from dataclasses import replace

    from cortexfs.interfaces.cli.ask_fields import ask_alternatives
    from cortexfs.operations.decision import render_decision_body

    if not draft.kind.is_decision or draft.body is not None or edit:
        return draft
    body = render_decision_body(session, draft, ("", ""), ask_alternatives(), ())
    return replace(draft, body=body, has_placeholders=True)


def _ask_field(session: Session, draft: AtomDraft, key: str) -> AtomDraft:
    """Ask for one field, again while the answer names something that does not exist."""
    from cortexfs.errors import AmbiguousRef, NoSuchAtom, NoSuchProject
    from cortexfs.operations.new_atom import REF_FIELDS

    choices = _describe_refs(key) if key in REF_FIELDS else _list_known_values(session, draft, key)
    question = f"{key} ({choices}):" if choices else f"{key}:"
    while answer := questions.ask_question(question) or questions.ask_question(question):
        changed = _set_field(draft, key, answer)
        try:
            _check_draft(session, changed)
        except (NoSuchAtom, NoSuchProject, AmbiguousRef) as error:
            console.print_error(error)
        else:
            return changed
    return draft


def _list_known_values(session: Session, draft: AtomDraft, key: str) -> str:
    """Return the values that atoms of the kind have in a field; empty for texts and tags."""
    if key in {"summary", "tags"}:
        return ""
    with session.read() as view:
        known = view.queries.list_field_values(draft.kind.name, key, MAX_CHOICES)
    short = [to_one_line(value) for value in known if len(value) <= MAX_CHOICE_CHARS]
    return ", ".join(short or (["such as note"] if key == "type" else []))


def _describe_refs(key: str) -> str:
    from cortexfs.core.atoms.evidence_refs import FREE_TEXT_FIELDS

    others = ", an address, or a citation in words" if key in FREE_TEXT_FIELDS else ""
    return f"refs, such as EXP-001, EXP-002{others}"


def _set_field(draft: AtomDraft, key: str, answer: str) -> AtomDraft:
    from dataclasses import replace

    from cortexfs.core.atoms.evidence_refs import split_ref_items
    from cortexfs.operations.new_atom import REF_FIELDS

    if key == "summary":
        return replace(draft, summary=answer)
    if key == "tags":
        return replace(draft, tags=atom_input_and_output.split_words([answer]))
    value = split_ref_items(key, [answer]) if key in REF_FIELDS else answer
    return replace(draft, fields={**draft.fields, key: value})


def _check_draft(session: Session, draft: AtomDraft) -> None:
    """Refuse errors in a draft that may be unfinished."""
    from contextlib import suppress

    from cortexfs.core.atoms.create_atom import MissingFields
    from cortexfs.operations.new_atom import check_draft

    with suppress(MissingFields):
        check_draft(session, draft)


def _edit_body(session: Session, draft: AtomDraft) -> AtomDraft:
    """Let the user write the body before the atom is created, so that it is never unfinished."""
    from dataclasses import replace

    from cortexfs.errors import Refused
    from cortexfs.interfaces.cli.editor import edit_text
    from cortexfs.operations.new_atom import check_draft, render_starting_text

    check_draft(session, draft)  # refuse before anything is written
    before = render_starting_text(session, draft) if draft.body is None else draft.body
    body = edit_text(before)
    if not body.strip() or body == before:
        raise Refused("nothing was written in the editor", hint="the atom was not created")
    return replace(draft, body=body, has_placeholders=draft.body is None)
