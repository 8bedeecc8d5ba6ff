"""`cortexfs graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import counted
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
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.graph import Around

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Form(StrEnum):
    """Formats of a graph."""

    TABLE = "table"
    TREE = "tree"
    MERMAID = "mermaid"
    DOT = "dot"


@app.command()
@reading
def graph(
    run: Run,
    ref: Ref,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Number of steps.")] = 1,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = Form.TABLE,
    project: InProjects = None,
    kind: OfKinds = None,
    status: WithStatus = None,
    tag: WithTags = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 100,
) -> None:
    """Show the atoms that an atom links to, and those that link to it.

    Example: cortexfs graph driftwood/K-005 --depth 2 --format tree
    """
    from cortexfs.interfaces.json.graph import graph as document
    from cortexfs.operations.graph import graph as walk
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
    found = walk(session, ref, console.cwd(), depth=depth, most=limit, only=only)
    run.say.document(**document(found))
    _show(run.say, found, form)
    if left := found.graph.left_out:
        run.say.talk(f"{counted(left, 'more atom')} linked to these; --limit shows them")
    elif len(found.graph.above) == 1:
        run.say.none("no linked atoms")


def _show(say: Voice, found: Around, form: Form) -> None:
    from cortexfs.core.graph import draw

    if form is Form.TABLE:
        say.table(("Ref", "Steps", "From", "How", "Status", "Summary"), _rows(found))
        return
    drawn = {Form.TREE: draw.tree, Form.MERMAID: draw.mermaid, Form.DOT: draw.dot}[form]
    say.data("\n".join(drawn(found.graph, found.nodes)))


def _rows(found: Around) -> list[tuple[str, ...]]:
    """Give a row for each atom but the first: how it is tied to the one that leads to it."""
    from cortexfs.core.graph.draw import how

    graph, steps = found.graph, found.graph.steps
    ties = {(tie.source, tie.target): tie for tie in graph.ties}
    return [
        (ref, str(steps[ref]), above, how(above, ref, ties), node.status, node.summary)
        for ref, above in graph.above.items()
        if ref != above and (node := found.nodes[ref])
    ]
