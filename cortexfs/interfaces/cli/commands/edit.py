"""`cortexfs edit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import atom_input_and_output, completion, console, questions
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.governance_commands import keep_refused_text, read_body_file
from cortexfs.interfaces.cli.options import BodyFile, Ref, StringList, Summary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.operations.edit import EditResult
    from cortexfs.session.session import Session

FIELD_OPTIONS = {"summary": "--summary"}
app = typer.Typer(rich_markup_mode=None, add_completion=False)

EDITOR_ALTERNATIVES = (
    "--body-file FILE (`-` is stdin), --set KEY=VALUE, --summary TEXT or --tag TAG"
)


@app.command()
@change_command
def edit(
    run: CommandContext,
    ref: Ref,
    body_file: BodyFile = None,
    summary: Summary = "",
    tag: Annotated[
        StringList,
        typer.Option(
            "--tag",
            "-t",
            metavar="WORD",
            help="Add a tag; may be repeated.",
            autocompletion=completion.complete_tags,
        ),
    ] = None,
    remove_tag: Annotated[
        StringList,
        typer.Option(
            "--remove-tag",
            metavar="WORD",
            help="Remove a tag; may be repeated.",
            autocompletion=completion.complete_tags,
        ),
    ] = None,
    assignments: Annotated[
        StringList,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Any other field; an empty value removes it."
        ),
    ] = None,
) -> None:
    """Edit an atom in your editor, or by options.

    Without options, opens the whole file. If the text has a new error, as `check` would report it,
    the error is shown and you can edit again; nothing is written until the text is valid. `--set
    tags=a,b` replaces all tags.

    Example: cortexfs edit driftwood/EXP-012 --set evidence-level=high -t codec -t bound
    """
    from cortexfs.core.atoms.edit_atom import AtomEdit
    from cortexfs.operations.edit import edit as edit_atom

    session = run.open_session()
    pairs = atom_input_and_output.parse_pairs(assignments or [], FIELD_OPTIONS)
    fields = {"summary": summary} if summary else {}
    added, removed = (
        atom_input_and_output.split_words(tag),
        atom_input_and_output.split_words(remove_tag),
    )
    if body_file is None and not (pairs or fields or added or removed):
        _print_result(run, _edit_in_editor(run, session, ref))
        return
    text = None if body_file is None else read_body_file(body_file)
    changes = AtomEdit(text, fields, added_tags=added, removed_tags=removed)
    _print_result(run, edit_atom(session, ref, run.cwd, changes, pairs, mode=run.mode))


def _edit_in_editor(run: CommandContext, session: Session, typed: str) -> EditResult:
    """Open an atom in the editor, again while the result is refused."""
    from cortexfs.core.atoms.edit_atom import AtomEdit
    from cortexfs.errors import Conflict, CortexError, Refused
    from cortexfs.interfaces.cli.editor import edit_text
    from cortexfs.operations.edit import edit as edit_atom
    from cortexfs.operations.edit import read_atom_source

    _, (path, seen) = read_atom_source(session, typed, run.cwd)
    name, text = path.rpartition("/")[2], seen
    while True:
        text = edit_text(text, name=name, alternative=EDITOR_ALTERNATIVES)
        with keep_refused_text(text):
            try:
                changes = AtomEdit(text, expected_text=seen, is_whole_file=True)
                return edit_atom(session, path, run.cwd, changes, mode=run.mode)
            except CortexError as error:
                if isinstance(error, Conflict):
                    raise
                console.print_error(error)
                if not questions.ask_yes_no("edit again?"):
                    raise Refused("nothing was changed") from None


def _print_result(run: CommandContext, done: EditResult) -> None:
    about: Mapping[str, object] = {"ref": done.ref, "path": done.path, "changed": done.changed}
    if not run.output.print_result(
        done.plan, done.outcome, {"edited": about}, changed=done.changed
    ):
        return
    run.output.print_own_changes([done.path] if done.own_changes and done.changed else [])
    run.output.print_lines(done.plan.message if done.changed else "nothing to change")
