"""`cortexfs related`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import (
    InProjects,
    Limit,
    OfKinds,
    Ref,
    Since,
    Until,
    WithStatus,
    WithTags,
)

if TYPE_CHECKING:
    from cortexfs.core.graph.related import Related

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def related(
    run: Run,
    ref: Ref,
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 10,
) -> None:
    """List the atoms related to an atom, the closest first, and why.

    Example: cortexfs related driftwood/K-005
    """
    from cortexfs.interfaces.json.graph import relations as document
    from cortexfs.operations.related import related as look
    from cortexfs.operations.shared.filters import parse_filters

    session = run.session()
    only = parse_filters(
        session,
        kinds=kind,
        projects=project,
        statuses=status,
        tags=tag,
        since=since,
        until=until,
    )
    found = look(session, ref, console.cwd(), limit, only)
    run.say.document(**document(found))
    rows = (
        (one.node.ref, f"{one.score:.2f}", _why(one), one.node.status, one.node.summary)
        for one in found.related
    )
    run.say.table(("Ref", "Score", "Why", "Status", "Summary"), rows)
    if not found.related:
        run.say.none("no related atoms")


def _why(one: Related) -> str:
    """Say each reason, and how much it says: `links 1.00 (→ evidence), text 0.42`."""
    return ", ".join(
        f"{word} {reason.share:.2f}" + (f" ({reason.told})" if reason.told else "")
        for word, reason in one.reasons.items()
    )
