"""A picture says what its atoms say, and no text in them can say more: labels are untrusted."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.graph.graph_walk import AtomGraph, collect_neighbourhood
from cortexfs.core.graph.render_graph import (
    format_label,
    format_link_kinds,
    render_dot,
    render_mermaid,
    render_tree,
)
from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
from cortexfs.core.text.sanitize import to_one_line

HOSTILE = """ "'`#;|[](){}<>&%\\/-=~:,._*!?$@^+\n\r\t\x1b\u202eaßé漢😀0"""
texts = st.text(st.sampled_from(HOSTILE), max_size=30) | st.sampled_from(
    ['"]; click n0 "javascript:x"', "end", "%%{init: {}}%%", "#quot;", '\\" ]; n9', "&lt;b&gt;"]
)
kinds = st.lists(texts.filter(lambda text: bool(to_one_line(text))), min_size=1, max_size=2)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[AtomGraph, dict[Ref, LinkedAtom]]:
    refs = [Ref(f"{number}{draw(texts)}") for number in range(1, 5)]
    link_of_pair = {
        (one, other): AtomLink(one, other, tuple(draw(kinds)), 1)
        for one, other in draw(st.sets(st.tuples(st.sampled_from(refs), st.sampled_from(refs))))
        if one != other
    }
    graph = collect_neighbourhood(
        refs[0], lambda ends: [t for p, t in link_of_pair.items() if {*p} & {*ends}], 4, 9
    )
    statuses = st.sampled_from(["", "valid", "superseded", "invalidated"]) | texts
    nodes = {ref: LinkedAtom(ref, "p", "k", draw(statuses), draw(texts)) for ref in refs}
    return graph, nodes


@given(graphs())
def test_labels_of_a_mermaid_graph_parse_back(
    graph_and_nodes: tuple[AtomGraph, dict[Ref, LinkedAtom]],
) -> None:
    graph, nodes = graph_and_nodes
    head, *lines = render_mermaid(graph, nodes)
    assert head == "flowchart LR"
    labels: list[str] = []
    arrows: list[str] = []
    for line in lines[:-2]:
        box = re.fullmatch(r'    n\d+\["([^"<>`|]*)"\](:::past|:::start)?', line)
        arrow = re.fullmatch(r'    n\d+ -->\|"([^"<>`|]*)"\| n\d+', line)
        assert box or arrow, line
        (labels if box else arrows).append(_decode_mermaid((box or arrow or [])[1]))
    assert labels == [format_label(nodes[ref]) for ref in graph.reached_from]
    assert arrows == [format_link_kinds(link) for link in graph.links]


def _decode_mermaid(text: str) -> str:
    assert not re.search(r"[#;](?!\d+;)", re.sub(r"#\d+;", "", text))
    return re.sub(r"#(\d+);", lambda link_of_pair: chr(int(link_of_pair[1])), text)


@given(graphs())
def test_labels_of_a_dot_graph_parse_back(
    graph_and_nodes: tuple[AtomGraph, dict[Ref, LinkedAtom]],
) -> None:
    graph, nodes = graph_and_nodes
    begin, _, _, *lines, end = render_dot(graph, nodes)
    assert (begin, end) == ("digraph atoms {", "}")
    label_form = r'\[label="((?:[^"\\]|\\.)*)"(?:, style=(?:bold|dashed))?\];'
    link_of_pair = [re.fullmatch(rf"    (n\d+(?: -> n\d+)?) {label_form}", line) for line in lines]
    read = [(one[1], _unquote_dot(one[2])) for one in link_of_pair if one]
    number = {ref: f"n{place}" for place, ref in enumerate(graph.reached_from)}
    boxes = [(number[ref], format_label(nodes[ref])) for ref in graph.reached_from]
    arrows = [
        (f"{number[t.source]} -> {number[t.target]}", format_link_kinds(t)) for t in graph.links
    ]
    assert read == boxes + arrows


def _unquote_dot(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).replace("&amp;", "&")


@given(graphs())
def test_a_text_tree_has_one_line_for_each_atom(
    graph_and_nodes: tuple[AtomGraph, dict[Ref, LinkedAtom]],
) -> None:
    graph, nodes = graph_and_nodes
    lines = render_tree(graph, nodes)
    assert len(lines) == len(graph.reached_from)
    assert all(len(line.splitlines()) == 1 for line in lines)
    assert all(
        any(line.endswith(format_label(node)) for line in lines) for node in _nodes_of(graph, nodes)
    )


def _nodes_of(graph: AtomGraph, nodes: dict[Ref, LinkedAtom]) -> list[LinkedAtom]:
    return [nodes[ref] for ref in graph.reached_from]


def test_a_long_chain_is_drawn_completely() -> None:
    refs = [Ref(f"p/K-{number:04d}") for number in range(3000)]
    links = [AtomLink(*pair, ("links",), 1) for pair in pairwise(refs)]
    graph = AtomGraph(refs[0], dict(zip(refs, [refs[0], *refs], strict=False)), links)
    lines = render_tree(graph, {ref: LinkedAtom(ref, "p") for ref in refs})
    assert lines[:3] == ["p/K-0000", "└─ → links p/K-0001", "   └─ → links p/K-0002"]
    assert len(lines) == len(refs)


def test_outdated_atoms_are_marked_in_words_and_by_their_frame() -> None:
    old = LinkedAtom(Ref("p/K-002"), "p", "knowledge", "superseded", "Once true")
    new = LinkedAtom(Ref("p/K-001"), "p", "knowledge", "valid", "True")
    links = [AtomLink(new.ref, old.ref, ("supersedes", "text"), 4)]
    graph = AtomGraph(new.ref, {new.ref: new.ref, old.ref: new.ref}, links)
    nodes = {new.ref: new, old.ref: old}
    assert render_tree(graph, nodes) == [
        "p/K-001: True",
        "└─ → supersedes p/K-002 (superseded): Once true",
    ]
    assert '    n1["p/K-002 (superseded): Once true"]:::past' in render_mermaid(graph, nodes)
    assert '    n1 [label="p/K-002 (superseded): Once true", style=dashed];' in render_dot(
        graph, nodes
    )
