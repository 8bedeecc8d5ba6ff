"""`cortexfs graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, filter_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.graph_walk import AtomGraph
    from cortexfs.core.graph.resolve_links import LinkedAtom
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.explore_links import GraphResult
    from cortexfs.operations.map_links import LinkMap

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class GraphFormat(StrEnum):
    """Formats of a graph."""

    TABLE = "table"
    TREE = "tree"
    MERMAID = "mermaid"
    DOT = "dot"
    SVG = "svg"


@app.command()
@filter_command()
def graph(
    run: CommandContext,
    ref: Annotated[
        str,
        typer.Argument(
            metavar="[REF]",
            help="Ref of the atom in the middle; without one, all atoms.",
            autocompletion=completion.complete_refs,
        ),
    ] = "",
    depth: Annotated[int, typer.Option("--depth", min=1, help="Maximum distance.")] = 1,
    form: Annotated[
        GraphFormat, typer.Option("--format", help="Output format.")
    ] = GraphFormat.TABLE,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Maximum number of atoms.")
    ] = None,
) -> None:
    """Show the links from and to an atom, or those of all atoms.

    Example: cortexfs graph driftwood/K-005 --depth 2 --format tree
    """
    if not ref:
        _show_all_links(run, form, limit)
        return
    from cortexfs.interfaces.json.graph import to_graph_json
    from cortexfs.operations.explore_links import DEFAULT_LIMIT, explore_links

    session, only = run.open_filtered()
    found = explore_links(
        session, ref, run.cwd, depth=depth, limit=limit or DEFAULT_LIMIT, only=only
    )
    run.output.print_document(**to_graph_json(found))
    _print_graph(run.output, found, form)
    if omitted := found.graph.omitted_count:
        run.output.print_message(f"{format_count(omitted, 'more linked atom')}; -n N shows more")
    elif len(found.graph.reached_from) == 1:
        run.output.exit_empty("no linked atoms")


def _show_all_links(run: CommandContext, form: GraphFormat, limit: int | None) -> None:
    """Show the links among all atoms that match the filters, as a picture or a table."""
    from cortexfs.core.graph.render_graph_svg import render_graph_svg
    from cortexfs.interfaces.json.graph import to_link_map_json
    from cortexfs.operations.map_links import MAX_NODES, map_links

    if form not in {GraphFormat.TABLE, GraphFormat.SVG}:
        raise Usage(
            f"--format {form} needs a ref", hint="all atoms: `--format svg` or `--format table`"
        )
    session, only = run.open_filtered()
    found = map_links(session, only, limit or MAX_NODES)
    run.output.print_document(**to_link_map_json(found))
    if form is GraphFormat.SVG:
        run.output.print_text(render_graph_svg(found.nodes, found.links, found.layout))
    else:
        _print_most_linked(run.output, found)
    if found.omitted_count:
        run.output.print_message(
            f"{format_count(found.omitted_count, 'more atom')}; -n N shows more"
        )
    elif not found.nodes:
        run.output.exit_empty("no atoms")


def _print_most_linked(output: OutputPrinter, found: LinkMap) -> None:
    """Print the atoms that have links, those with most of them first."""
    counts = zip(found.count_links(), found.layout.communities, found.nodes, strict=True)
    rows = [
        (node.ref, str(count), str(community + 1), node.status, node.summary)
        for count, community, node in sorted(counts, key=lambda row: (-row[0], row[2].ref))
        if count
    ]
    output.print_table(("Ref", "Links", "Group", "Status", "Summary"), rows)


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
        GraphFormat.SVG: _render_neighbourhood_svg,
    }[form]
    output.print_text("\n".join(render(found.graph, found.nodes)))


def _render_neighbourhood_svg(graph: AtomGraph, nodes: Mapping[Ref, LinkedAtom]) -> list[str]:
    """Draw the atoms around one as a picture."""
    from cortexfs.core.graph.render_graph_svg import render_graph_svg
    from cortexfs.operations.map_links import lay_out

    number = {ref: at for at, ref in enumerate(graph.reached_from)}
    links = [(number[link.source], number[link.target]) for link in graph.links]
    drawn = [nodes[ref] for ref in number]
    return [render_graph_svg(drawn, links, lay_out(len(drawn), tuple(links)))]


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
