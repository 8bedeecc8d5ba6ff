"""`cortexfs graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
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
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.explore_links import GraphResult

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class GraphFormat(StrEnum):
    """Formats of a graph."""

    TABLE = "table"
    TREE = "tree"
    MERMAID = "mermaid"
    DOT = "dot"


@app.command()
@read_command
def graph(
    run: CommandContext,
    ref: Ref,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Number of steps.")] = 1,
    form: Annotated[
        GraphFormat, typer.Option("--format", help="Output format.")
    ] = GraphFormat.TABLE,
    project: ProjectFilter = None,
    kind: KindFilter = None,
    status: StatusFilter = None,
    tag: TagFilter = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 100,
) -> None:
    """Show the atoms that an atom links to, and those that link to it.

    Example: cortexfs graph driftwood/K-005 --depth 2 --format tree
    """
    from cortexfs.interfaces.json.graph import to_graph_json as document
    from cortexfs.operations.explore_links import explore_links as walk
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
    found = walk(session, ref, console.working_directory(), depth=depth, most=limit, only=only)
    run.output.print_document(**document(found))
    _print_graph(run.output, found, form)
    if left := found.graph.omitted_count:
        run.output.print_message(
            f"{format_count(left, 'more atom')} linked to these; --limit shows them"
        )
    elif len(found.graph.reached_from) == 1:
        run.output.exit_empty("no linked atoms")


def _print_graph(say: OutputPrinter, found: GraphResult, form: GraphFormat) -> None:
    from cortexfs.core.graph import render_graph

    if form is GraphFormat.TABLE:
        say.print_table(("Ref", "Steps", "From", "How", "Status", "Summary"), _make_rows(found))
        return
    drawn = {
        GraphFormat.TREE: render_graph.render_tree,
        GraphFormat.MERMAID: render_graph.render_mermaid,
        GraphFormat.DOT: render_graph.render_dot,
    }[form]
    say.print_text("\n".join(drawn(found.graph, found.nodes)))


def _make_rows(found: GraphResult) -> list[tuple[str, ...]]:
    """Return a row for each atom but the first: its link to the atom before it on the path."""
    from cortexfs.core.graph.render_graph import format_link_directions

    graph, steps = found.graph, found.graph.distances
    ties = {(tie.source, tie.target): tie for tie in graph.links}
    return [
        (
            ref,
            str(steps[ref]),
            above,
            format_link_directions(above, ref, ties),
            node.status,
            node.summary,
        )
        for ref, above in graph.reached_from.items()
        if ref != above and (node := found.nodes[ref])
    ]
