"""`cortexfs story correct`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.core.stories.correction import Correction
from cortexfs.core.text.plural import format_count
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Project


@change_command
def correct(
    run: CommandContext,
    entity: Annotated[
        str,
        typer.Argument(
            metavar="ENTITY",
            help="Ref or name of an entity: ENT-012, Melina.",
            autocompletion=completion.complete_refs,
        ),
    ],
    change: Annotated[
        Correction, typer.Argument(metavar="CHANGE", help="What to correct: see above.")
    ],
    what: Annotated[
        str, typer.Argument(metavar="[WHAT]", help="What it concerns, or the new value.")
    ] = "",
    to: Annotated[
        str, typer.Option("--to", metavar="VALUE", help="New owner or usage of a colour.")
    ] = "",
    project: Project = None,
) -> None:
    """Correct an entity of a story. What you correct stays so in every build.

    Names: rename NAME, alias NAME, strike-alias NAME; merge ENTITY, if both are one; split ALIAS,
    if that is somebody else; remove, if it is no entity. Also type TYPE and status STATUS.

    What is said: fact TEXT, strike-fact TEXT, strike-relation TEXT; a part of the text will do.
    Colours: owner COLOUR --to ENTITY, usage COLOUR --to USAGE, strike-colour COLOUR.

    Example: cortexfs story correct Melina rename "Melina Vance" -p driftwood --dry-run
    """
    from cortexfs.interfaces.json.story_entities import to_corrected_json
    from cortexfs.operations.stories.correct_entity import CorrectionRequest, correct_entity
    from cortexfs.operations.stories.find_entity import Whereabouts

    item, value = _read_words(change, what, to)
    where = Whereabouts(project or "", run.cwd)
    request = CorrectionRequest(entity, change, item, value, where)
    done = correct_entity(run.open_session(), request, mode=run.mode)
    corrected, is_new = to_corrected_json(change, done), bool(done.plan.writes or done.plan.removes)
    if not run.output.print_result(
        done.plan, done.outcome, {"corrected": corrected}, changed=is_new
    ):
        return
    files = format_count(len(corrected["changed"]) + len(corrected["removed"]), "file")
    what_is_new = f"{files} changed" if is_new else "nothing changed"
    run.output.print_message(f"{done.plan.message.removeprefix('story ')}; {what_is_new}")
    if done.new_ref:
        run.output.print_text(done.new_ref)


def register_command(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(correct)


def _read_words(change: Correction, what: str, to: str) -> tuple[str, str]:
    """Return the item that a correction concerns, and its new value."""
    if change.needs_item:
        if to and not change.needs_value:
            raise Usage(f"{change} takes no --to", hint=f"`{change} TEXT` is all it needs")
        return what, to
    if to or (what and not change.needs_value):
        hint = f"`{change} VALUE`" if change.needs_value else f"`{change}` is all it needs"
        raise Usage(f"{change} takes no {'--to' if to else 'more words'}", hint=hint)
    return "", what
