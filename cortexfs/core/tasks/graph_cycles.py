"""Which nodes of a directed graph lie on a ring: found in one walk, however long the ring is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def find_nodes_in_cycles(ways: Mapping[str, Sequence[str]]) -> set[str]:
    """Give the nodes from which a way leads back to themselves; `ways` leads to nodes of its own.

    Tarjan's algorithm without recursion: a ring may have more nodes than the stack has frames.
    """
    found: set[str] = set()
    number: dict[str, int] = {}
    for start in ways:
        if start not in number:
            found.update(*_rings_from(start, ways, number))
    return found


def _rings_from(
    start: str, ways: Mapping[str, Sequence[str]], number: dict[str, int]
) -> Iterator[list[str]]:
    """Give each set of nodes that reach one another, and can be reached from a node."""
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    pending: list[tuple[str, Iterator[str]]] = []

    def enter(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_nodes.append(node)
        pending.append((node, iter(ways[node])))

    enter(start)
    while pending:
        node, others = pending[-1]
        other = next(others, None)
        if other is not None and other not in number:
            enter(other)
        elif other is not None:
            if other in lowest:  # still open: those that are closed are taken out below
                lowest[node] = min(lowest[node], number[other])
        else:
            pending.pop()
            if pending:
                above = pending[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
            if lowest[node] == number[node]:
                part = _closed(node, open_nodes, lowest)
                if len(part) > 1 or node in ways[node]:
                    yield part


def _closed(node: str, open_nodes: list[str], lowest: dict[str, int]) -> list[str]:
    """Take the nodes from a node on off the open ones."""
    part: list[str] = []
    while not part or part[-1] != node:
        part.append(open_nodes.pop())
        del lowest[part[-1]]
    return part
