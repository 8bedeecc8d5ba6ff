"""`cortexfs graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import Limit, Ref

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
@filter_command()
def graph(
    run: CommandContext,
    ref: Ref,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Maximum distance.")] = 1,
    form: Annotated[
        GraphFormat, typer.Option("--format", help="Output format.")
    ] = GraphFormat.TABLE,
    limit: Limit = 100,
) -> None:
    """Show the atoms that an atom links to, and those that link to it.

    Example: cortexfs graph driftwood/K-005 --depth 2 --format tree
    """
    from cortexfs.interfaces.json.graph import to_graph_json
    from cortexfs.operations.explore_links import explore_links

    session, only = run.open_filtered()
    found = explore_links(session, ref, run.cwd, depth=depth, limit=limit, only=only)
    run.output.print_document(**to_graph_json(found))
    _print_graph(run.output, found, form)
    if omitted := found.graph.omitted_count:
        run.output.print_message(f"{format_count(omitted, 'more linked atom')}; -n N shows more")
    elif len(found.graph.reached_from) == 1:
        run.output.exit_empty("no linked atoms")


def _print_graph(output: OutputPrinter, found: GraphResult, form: GraphFormat) -> None:
    from cortexfs.core.graph import render_graph

    if form is GraphFormat.TABLE:
        output.print_table(
            ("Ref", "Distance", "From", "How", "Status", "Summary"), _make_rows(found)
        )
        return
    render = {
        GraphFormat.TREE: render_graph.render_tree,
        GraphFormat.MERMAID: render_graph.render_mermaid,
        GraphFormat.DOT: render_graph.render_dot,
    }[form]
    output.print_text("\n".join(render(found.graph, found.nodes)))


def _make_rows(found: GraphResult) -> list[tuple[str, ...]]:
    """Return a row for each atom but the first: its link to the atom before it on the path."""
    from cortexfs.core.graph.render_graph import format_link_directions

    graph, distances = found.graph, found.graph.distances
    links = {(link.source, link.target): link for link in graph.links}
    return [
        (
            ref,
            str(distances[ref]),
            above,
            format_link_directions(above, ref, links),
            node.status,
            node.summary,
        )
        for ref, above in graph.reached_from.items()
        if ref != above and (node := found.nodes[ref])
    ]
