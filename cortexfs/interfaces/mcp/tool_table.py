"""All tools, in the order in which clients list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import Usage
from cortexfs.interfaces.mcp.admin_tools import ADMIN_TOOLS
from cortexfs.interfaces.mcp.memory_tools import AGENT_TOOLS
from cortexfs.interfaces.mcp.story_tools import STORY_TOOLS
from cortexfs.interfaces.mcp.tool_profiles import choose_tools
from cortexfs.interfaces.mcp.tree_tools import TREE_TOOLS

if TYPE_CHECKING:
    from cortexfs.interfaces.mcp.tool import Tool

TOOLS = (*AGENT_TOOLS, *ADMIN_TOOLS, *TREE_TOOLS, *STORY_TOOLS)
"""The tools of the agent memory, then those of the tree, then those of its stories."""


def choose_from_table(typed: str) -> list[Tool]:
    """Return the tools of a list of profiles and names; raise `Usage` if it chooses none."""
    names = choose_tools(typed, {tool.name: tool.profile for tool in TOOLS})
    if not names:
        raise Usage(
            f"no tool is named in `{typed}`", hint="profiles are agent, admin, tree and story"
        )
    return [tool for tool in TOOLS if tool.name in names]
