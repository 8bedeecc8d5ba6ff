"""Draw a graph as a text tree, as Mermaid, or as DOT; labels are escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.find.explain_score import CURRENT_STATUSES
from cortexfs.core.graph.resolve_links import PROSE_KINDS
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.graph_walk import AtomGraph
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom

    Nodes = Mapping[Ref, LinkedAtom]

LABEL_WIDTH = 60
"""Maximum number of characters of a summary in a label."""
_MERMAID_SYNTAX = re.compile(r"[!-'*+;-@\[-`{-~]")
"""All ASCII punctuation except a few characters without a meaning inside quotes."""
_BRANCHES = (("├─ ", "│  "), ("└─ ", "   "))


def format_link_directions(ref: Ref, other: Ref, links: Mapping[tuple[Ref, Ref], AtomLink]) -> str:
    """Format the links to another atom (`→ links`) and from it (`← evidence, text`)."""
    both = (("→", links.get((ref, other))), ("←", links.get((other, ref))))
    return " ".join(f"{arrow} {format_link_kinds(link)}" for arrow, link in both if link)


def format_link_kinds(link: AtomLink) -> str:
    """Return the fields with the link; a link in prose is shown only if no field has one."""
    return to_one_line(
        ", ".join(kind for kind in link.kinds if kind not in PROSE_KINDS) or link.kinds[-1]
    )


def format_label(node: LinkedAtom) -> str:
    """Return the ref, the status unless it is current, and the summary, on one line."""
    status = "" if node.status in CURRENT_STATUSES else f" ({node.status})"
    summary = truncate_line(node.summary, LABEL_WIDTH)
    return to_one_line(f"{node.ref}{status}: {summary}").rstrip(": ")


def render_tree(graph: AtomGraph, nodes: Nodes) -> list[str]:
    """Draw each atom once, below the atom from which it was reached."""
    children = graph.children
    links = {(link.source, link.target): link for link in graph.links}
    lines, pending = [format_label(nodes[graph.start])], [(graph.start, "")]
    while pending:
        ref, indent = pending.pop()
        parent = graph.reached_from[ref]
        if ref != parent:
            branch, child_indent = _BRANCHES[ref == children[parent][-1]]
            directions = format_link_directions(parent, ref, links)
            lines.append(f"{indent}{branch}{directions} {format_label(nodes[ref])}")
            indent += child_indent
        pending += [(child, indent) for child in reversed(children[ref])]
    return lines


def render_mermaid(graph: AtomGraph, nodes: Nodes) -> list[str]:
    """Draw a Mermaid flowchart, as GitHub and others show it in Markdown."""
    lines = []
    for number, node in enumerate(map(nodes.__getitem__, graph.reached_from)):
        label = _escape_mermaid(format_label(node))
        lines.append(f'n{number}["{label}"]{_format_class(graph, node)}')
    lines += _draw_links(
        graph, lambda source, kinds, target: f'{source} -->|"{_escape_mermaid(kinds)}"| {target}'
    )
    lines += ["classDef past stroke-dasharray:4", "classDef start stroke-width:3px"]
    return ["flowchart LR", *(f"    {line}" for line in lines)]


def render_dot(graph: AtomGraph, nodes: Nodes) -> list[str]:
    """Draw a directed graph for Graphviz."""
    lines = ["rankdir=LR", "node [shape=box]"]
    for number, node in enumerate(map(nodes.__getitem__, graph.reached_from)):
        label = _escape_dot(format_label(node))
        lines.append(f'n{number} [label="{label}"{_format_style(graph, node)}]')
    lines += _draw_links(
        graph,
        lambda source, kinds, target: f'{source} -> {target} [label="{_escape_dot(kinds)}"]',
    )
    return ["digraph atoms {", *(f"    {line};" for line in lines), "}"]


def _draw_links(graph: AtomGraph, arrow: Callable[[str, str, str], str]) -> Iterator[str]:
    """Yield an arrow for each link; nodes are numbered, so no ref is used as a node name."""
    names = {ref: f"n{number}" for number, ref in enumerate(graph.reached_from)}
    for link in graph.links:
        yield arrow(names[link.source], format_link_kinds(link), names[link.target])


def _format_class(graph: AtomGraph, node: LinkedAtom) -> str:
    if node.ref == graph.start:
        return ":::start"
    return ":::past" if node.is_inactive else ""


def _format_style(graph: AtomGraph, node: LinkedAtom) -> str:
    if node.ref == graph.start:
        return ", style=bold"
    return ", style=dashed" if node.is_inactive else ""


def _escape_mermaid(text: str) -> str:
    """Escape possible syntax by character code: Mermaid writes a double quote as `#34;`."""
    return _MERMAID_SYNTAX.sub(lambda found: f"#{ord(found[0])};", text)


def _escape_dot(text: str) -> str:
    """Escape a text for DOT quotes, where a backslash and `&` have a meaning too."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
