"""`cortexfs related`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import Limit, Ref

if TYPE_CHECKING:
    from cortexfs.core.graph.score_related_atoms import RelatedAtom

app = typer.Typer(rich_markup_mode=None, add_completion=False)

DEFAULT_LIMIT = 10
"""Number of results without --limit."""


@app.command()
@filter_command()
def related(
    run: CommandContext,
    ref: Ref,
    limit: Limit = DEFAULT_LIMIT,
) -> None:
    """List the atoms related to an atom, closest first.

    Prints each reason with its share of the score.

    Example: cortexfs related driftwood/K-005
    """
    from cortexfs.interfaces.json.graph import to_related_atoms_json
    from cortexfs.operations.related import related as find_related

    session, only = run.open_filtered()
    found = find_related(session, ref, run.cwd, limit, only)
    run.output.print_document(**to_related_atoms_json(found))
    rows = (
        (one.node.ref, f"{one.score:.2f}", _format_reasons(one), one.node.status, one.node.summary)
        for one in found.related
    )
    run.output.print_table(("Ref", "Score", "Why", "Status", "Summary"), rows)
    if not found.related:
        run.output.exit_empty("no related atoms")
    run.output.print_limit_note(len(found.related), limit, DEFAULT_LIMIT)


def _format_reasons(one: RelatedAtom) -> str:
    """Return each reason with its share of the score: `links 1.00 (→ evidence), text 0.42`."""
    return ", ".join(
        f"{word} {reason.strength:.2f}" + (f" ({reason.description})" if reason.description else "")
        for word, reason in one.reasons.items()
    )
