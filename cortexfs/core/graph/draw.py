"""Draw a graph as a tree of lines, as Mermaid, or as DOT; no label can say more than itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.find.explain import STANDING
from cortexfs.core.graph.resolve_links import PROSE
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.graph_walk import Graph
    from cortexfs.core.graph.resolve_links import Node, Tie

    Nodes = Mapping[Ref, Node]

WIDTH = 60
"""Characters of a summary in a label."""
_SYNTAX = re.compile(r"[!-'*+;-@\[-`{-~]")
"""All signs of ASCII but a few that mean nothing within quotes."""
_BRANCHES = (("├─ ", "│  "), ("└─ ", "   "))


def how(ref: Ref, other: Ref, ties: Mapping[tuple[Ref, Ref], Tie]) -> str:
    """Say how an atom names another (`→ links`), and is named by it (`← evidence, text`)."""
    ways = (("→", ties.get((ref, other))), ("←", ties.get((other, ref))))
    return " ".join(f"{arrow} {in_words(tie)}" for arrow, tie in ways if tie)


def in_words(tie: Tie) -> str:
    """Name the fields in which one atom names another; prose only where there is none."""
    return one_line(", ".join(kind for kind in tie.kinds if kind not in PROSE) or tie.kinds[-1])


def label(node: Node) -> str:
    """Say on one line which atom it is, its status where one must know it, and what it says."""
    standing = "" if node.status in STANDING else f" ({node.status})"
    return one_line(f"{node.ref}{standing}: {shortened(node.summary, WIDTH)}").rstrip(": ")


def shortened(text: str, width: int) -> str:
    """Give a text on one line; a longer one ends in `…`."""
    line = one_line(text)
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


def tree(graph: Graph, nodes: Nodes) -> list[str]:
    """Draw each atom once, below the one from which it was reached."""
    below = graph.below
    ties = {(tie.source, tie.target): tie for tie in graph.ties}
    lines, pending = [label(nodes[graph.start])], [(graph.start, "")]
    while pending:
        ref, indent = pending.pop()
        above = graph.above[ref]
        if ref != above:
            own, further = _BRANCHES[ref == below[above][-1]]
            lines.append(f"{indent}{own}{how(above, ref, ties)} {label(nodes[ref])}")
            indent += further
        pending += [(child, indent) for child in reversed(below[ref])]
    return lines


def mermaid(graph: Graph, nodes: Nodes) -> list[str]:
    """Draw a flowchart as GitHub and others show it in Markdown."""
    looks = "classDef past stroke-dasharray:4", "classDef start stroke-width:3px"
    said = [
        *(
            f'n{number}["{_coded(label(nodes[ref]))}"]{_class(graph, nodes[ref])}'
            for number, ref in enumerate(graph.above)
        ),
        *_arrows(graph, lambda one, kinds, other: f'{one} -->|"{_coded(kinds)}"| {other}'),
        *looks,
    ]
    return ["flowchart LR", *(f"    {line}" for line in said)]


def dot(graph: Graph, nodes: Nodes) -> list[str]:
    """Draw a directed graph for Graphviz."""
    said = [
        "rankdir=LR",
        "node [shape=box]",
        *(
            f'n{number} [label="{_quoted(label(nodes[ref]))}"{_style(graph, nodes[ref])}]'
            for number, ref in enumerate(graph.above)
        ),
        *_arrows(graph, lambda one, kinds, other: f'{one} -> {other} [label="{_quoted(kinds)}"]'),
    ]
    return ["digraph atoms {", *(f"    {line};" for line in said), "}"]


def _arrows(graph: Graph, arrow: Callable[[str, str, str], str]) -> Iterator[str]:
    """Give an arrow for each tie, between numbers: no atom names a node of the picture."""
    number = {ref: f"n{place}" for place, ref in enumerate(graph.above)}
    for tie in graph.ties:
        yield arrow(number[tie.source], in_words(tie), number[tie.target])


def _class(graph: Graph, node: Node) -> str:
    if node.ref == graph.start:
        return ":::start"
    return ":::past" if node.past else ""


def _style(graph: Graph, node: Node) -> str:
    if node.ref == graph.start:
        return ", style=bold"
    return ", style=dashed" if node.past else ""


def _coded(text: str) -> str:
    """Write what could be syntax by its number: `#34;` is how Mermaid writes a quote."""
    return _SYNTAX.sub(lambda found: f"#{ord(found[0])};", text)


def _quoted(text: str) -> str:
    """Write a text for within the quotes of DOT, where a backslash and `&` begin something too."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
