"""Draw a graph as a text tree, as Mermaid, or as DOT; labels are escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.find.explain_score import CURRENT_STATUSES
from cortexfs.core.graph.resolve_links import PROSE_KINDS
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.graph_walk import AtomGraph
    from cortexfs.core.graph.resolve_links import AtomLink, GraphNode

    Nodes = Mapping[Ref, GraphNode]

LABEL_WIDTH = 60
"""Maximum number of characters of a summary in a label."""
_SYNTAX = re.compile(r"[!-'*+;-@\[-`{-~]")
"""All ASCII punctuation except a few characters without a meaning inside quotes."""
_BRANCHES = (("├─ ", "│  "), ("└─ ", "   "))


def format_link_directions(ref: Ref, other: Ref, ties: Mapping[tuple[Ref, Ref], AtomLink]) -> str:
    """Format the links to another atom (`→ links`) and from it (`← evidence, text`)."""
    ways = (("→", ties.get((ref, other))), ("←", ties.get((other, ref))))
    return " ".join(f"{arrow} {format_link_kinds(tie)}" for arrow, tie in ways if tie)


def format_link_kinds(tie: AtomLink) -> str:
    """Return the fields with the link; a link in prose is shown only if no field has one."""
    return to_one_line(
        ", ".join(kind for kind in tie.kinds if kind not in PROSE_KINDS) or tie.kinds[-1]
    )


def format_label(node: GraphNode) -> str:
    """Return the ref, the status unless it is current, and the summary, on one line."""
    standing = "" if node.status in CURRENT_STATUSES else f" ({node.status})"
    return to_one_line(f"{node.ref}{standing}: {truncate_line(node.summary, LABEL_WIDTH)}").rstrip(
        ": "
    )


def truncate_line(text: str, width: int) -> str:
    """Return a text on one line, cut to `width` characters with a final `…`."""
    line = to_one_line(text)
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


def render_tree(graph: AtomGraph, nodes: Nodes) -> list[str]:
    """Draw each atom once, below the atom from which it was reached."""
    below = graph.children
    ties = {(tie.source, tie.target): tie for tie in graph.links}
    lines, pending = [format_label(nodes[graph.start])], [(graph.start, "")]
    while pending:
        ref, indent = pending.pop()
        above = graph.reached_from[ref]
        if ref != above:
            own, further = _BRANCHES[ref == below[above][-1]]
            link = format_link_directions(above, ref, ties)
            lines.append(f"{indent}{own}{link} {format_label(nodes[ref])}")
            indent += further
        pending += [(child, indent) for child in reversed(below[ref])]
    return lines


def render_mermaid(graph: AtomGraph, nodes: Nodes) -> list[str]:
    """Draw a Mermaid flowchart, as GitHub and others show it in Markdown."""
    looks = "classDef past stroke-dasharray:4", "classDef start stroke-width:3px"
    said = [
        *(
            f'n{number}["{_coded(format_label(nodes[ref]))}"]{_class(graph, nodes[ref])}'
            for number, ref in enumerate(graph.reached_from)
        ),
        *_arrows(graph, lambda one, kinds, other: f'{one} -->|"{_coded(kinds)}"| {other}'),
        *looks,
    ]
    return ["flowchart LR", *(f"    {line}" for line in said)]


def render_dot(graph: AtomGraph, nodes: Nodes) -> list[str]:
    """Draw a directed graph for Graphviz."""
    said = [
        "rankdir=LR",
        "node [shape=box]",
        *(
            f'n{number} [label="{_quoted(format_label(nodes[ref]))}"{_style(graph, nodes[ref])}]'
            for number, ref in enumerate(graph.reached_from)
        ),
        *_arrows(graph, lambda one, kinds, other: f'{one} -> {other} [label="{_quoted(kinds)}"]'),
    ]
    return ["digraph atoms {", *(f"    {line};" for line in said), "}"]


def _arrows(graph: AtomGraph, arrow: Callable[[str, str, str], str]) -> Iterator[str]:
    """Yield an arrow for each link; nodes are numbered, so no ref is used as a node name."""
    number = {ref: f"n{place}" for place, ref in enumerate(graph.reached_from)}
    for tie in graph.links:
        yield arrow(number[tie.source], format_link_kinds(tie), number[tie.target])


def _class(graph: AtomGraph, node: GraphNode) -> str:
    if node.ref == graph.start:
        return ":::start"
    return ":::past" if node.is_inactive else ""


def _style(graph: AtomGraph, node: GraphNode) -> str:
    if node.ref == graph.start:
        return ", style=bold"
    return ", style=dashed" if node.is_inactive else ""


def _coded(text: str) -> str:
    """Escape possible syntax by character code: Mermaid writes a double quote as `#34;`."""
    return _SYNTAX.sub(lambda found: f"#{ord(found[0])};", text)


def _quoted(text: str) -> str:
    """Escape a text for DOT quotes, where a backslash and `&` have a meaning too."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
