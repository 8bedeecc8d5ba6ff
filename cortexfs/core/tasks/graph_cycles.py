"""Find the nodes of a directed graph that are part of a cycle, in one walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def find_nodes_in_cycles(successors: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the nodes that are part of a cycle; `successors` maps each node to its successors.

    This is Tarjan's algorithm for strongly connected components without recursion, because a cycle
    may have more nodes than the stack has frames.
    """
    found: set[str] = set()
    number: dict[str, int] = {}
    for start in successors:
        if start not in number:
            found.update(*_find_cycles_from(start, successors, number))
    return found


def _find_cycles_from(
    start: str, successors: Mapping[str, Sequence[str]], number: dict[str, int]
) -> Iterator[list[str]]:
    """Yield each strongly connected component with a cycle that can be reached from `start`."""
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    pending: list[tuple[str, Iterator[str]]] = []

    def enter(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_nodes.append(node)
        pending.append((node, iter(successors[node])))

    enter(start)
    while pending:
        node, others = pending[-1]
        other = next(others, None)
        if other is not None and other not in number:
            enter(other)
        elif other is not None:
            if other in lowest:  # still open: `_pop_component` removes the others
                lowest[node] = min(lowest[node], number[other])
        else:
            pending.pop()
            if pending:
                above = pending[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
            if lowest[node] == number[node]:
                component = _pop_component(node, open_nodes, lowest)
                if len(component) > 1 or node in successors[node]:
                    yield component


def _pop_component(node: str, open_nodes: list[str], lowest: dict[str, int]) -> list[str]:
    """Remove a component, from its first node on, from the open nodes and return it."""
    component: list[str] = []
    while not component or component[-1] != node:
        component.append(open_nodes.pop())
        del lowest[component[-1]]
    return component
