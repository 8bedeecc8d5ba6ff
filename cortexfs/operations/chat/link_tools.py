"""The tools that show how atoms hang together."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cortexfs.core.graph.render_graph import format_link_directions
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.untrusted_text import clean_line
from cortexfs.operations.chat.chat_tool import ToolOutput
from cortexfs.operations.chat.recall_tools import bound_limit
from cortexfs.operations.explore_links import find_path
from cortexfs.operations.related import related

if TYPE_CHECKING:
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.operations.chat.chat_tool import ChatContext


def list_related(context: ChatContext, given: Arguments) -> ToolOutput:
    """List the atoms that are related to one, the closest first, with the reasons."""
    found = related(context.session, given.text("ref"), context.cwd, bound_limit(given))
    lines = [
        clean_line(f"{each.node.ref}: {each.node.summary} ({', '.join(each.reasons)})")
        for each in found.related
    ]
    head = f"{format_count(len(lines), 'atom')} related to {found.ref}, the closest first:"
    text = "\n".join([head, *lines]) if lines else f"nothing is related to {found.ref}"
    return ToolOutput(text, (found.ref, *(each.node.ref for each in found.related)))


def show_path(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show the shortest chain of links between two atoms."""
    found = find_path(context.session, given.text("ref"), given.text("by"), context.cwd)
    links = {(link.source, link.target): link for link in found.links}
    lines = [clean_line(f"{ref}: {found.nodes[ref].summary}") for ref in found.refs]
    for at, (before, ref) in enumerate(pairwise(found.refs), 1):
        lines[at] = clean_line(f"{format_link_directions(before, ref, links)} {lines[at]}")
    return ToolOutput("\n".join(lines) or "no links connect them", tuple(found.refs))
