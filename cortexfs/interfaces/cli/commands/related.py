"""`cortexfs related`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import (
    KindFilter,
    Limit,
    ProjectFilter,
    Ref,
    Since,
    StatusFilter,
    TagFilter,
    Until,
)

if TYPE_CHECKING:
    from cortexfs.core.graph.related_atoms import RelatedAtom

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def related(
    run: CommandContext,
    ref: Ref,
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 10,
) -> None:
    """List the atoms related to an atom, the closest first, and why.

    Example: cortexfs related driftwood/K-005
    """
    from cortexfs.interfaces.json.graph import to_related_atoms_json as document
    from cortexfs.operations.related import related as look
    from cortexfs.operations.shared.filters import parse_filters

    session = run.open_session()
    only = parse_filters(
        session,
        kinds=kind,
        projects=project,
        statuses=status,
        tags=tag,
        since=since,
        until=until,
    )
    found = look(session, ref, console.working_directory(), limit, only)
    run.output.print_document(**document(found))
    rows = (
        (one.node.ref, f"{one.score:.2f}", _format_reasons(one), one.node.status, one.node.summary)
        for one in found.related
    )
    run.output.print_table(("Ref", "Score", "Why", "Status", "Summary"), rows)
    if not found.related:
        run.output.exit_empty("no related atoms")


def _format_reasons(one: RelatedAtom) -> str:
    """Return each reason with its share of the score: `links 1.00 (→ evidence), text 0.42`."""
    return ", ".join(
        f"{word} {reason.strength:.2f}" + (f" ({reason.description})" if reason.description else "")
        for word, reason in one.reasons.items()
    )
