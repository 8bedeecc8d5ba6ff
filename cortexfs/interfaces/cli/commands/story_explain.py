"""`cortexfs story explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, read_command

if TYPE_CHECKING:
    from cortexfs.operations.stories.explain_chunk import ChunkExplanation
    from cortexfs.operations.stories.explain_entity import EntityExplanation


@read_command
def explain(
    run: CommandContext,
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF",
            help="Ref of a chunk or an entity: CH-0042, ENT-012.",
            autocompletion=completion.complete_refs,
        ),
    ],
) -> None:
    """Show why a chunk has its worth, or an entity its facts.

    Of a chunk each part of its salience is shown; of an entity what says each fact.

    Example: cortexfs story explain CH-0001
    """
    from cortexfs.operations.stories.explain_chunk import ChunkExplanation
    from cortexfs.operations.stories.explain_entity import explain_atom

    found = explain_atom(run.open_session(), ref, run.cwd)
    if isinstance(found, ChunkExplanation):
        _print_chunk(run, found)
    else:
        _print_entity(run, found)


def register_command(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(explain)


def _print_chunk(run: CommandContext, found: ChunkExplanation) -> None:
    from cortexfs.core.stories.weigh_chunk import HEURISTIC
    from cortexfs.interfaces.json.stories import to_explanation_json

    run.output.print_document(chunk=to_explanation_json(found))
    salience = found.salience
    rows = [(part.name, f"{part.value:.4f}") for part in salience.parts]
    run.output.print_table(("Part", "Adds"), rows)
    core = ", core" if found.is_core else ""
    told = f" by the {found.worth.source}" if found.worth.source != HEURISTIC else ""
    run.output.print_message(f"{found.ref}: salience {found.worth.salience:.4f}{told}{core}")


def _print_entity(run: CommandContext, found: EntityExplanation) -> None:
    from cortexfs.interfaces.json.story_entities import to_entity_explanation_json

    entity = found.entity
    run.output.print_document(entity=to_entity_explanation_json(found))
    rows = [
        (source, str(fact.importance), fact.chunk, fact.text)
        for fact, source in zip(entity.facts, found.sources, strict=True)
    ]
    run.output.print_table(("Source", "Importance", "Chunk", "Fact"), rows)
    about = f"{entity.type}, {entity.status}, {entity.mentions} mentions"
    facts = "" if rows else "; no facts"
    run.output.print_message(f"{entity.ref}: {entity.name}, {about}{facts}")
