"""The tools that delete, archive, count and merge memories."""

from __future__ import annotations

from cortexfs.core.tools.tool_arguments import ArgumentType, Parameter
from cortexfs.interfaces.mcp import decide_proposals as proposing
from cortexfs.interfaces.mcp import recall_memories as recall
from cortexfs.interfaces.mcp import save_memories as saving
from cortexfs.interfaces.mcp.memory_tools import ID, OBSERVATION
from cortexfs.interfaces.mcp.tool import PAGE, Effect, Tool
from cortexfs.interfaces.mcp.tool_profiles import Profile

ADMIN_TOOLS = (
    Tool(
        "mem_delete",
        Profile.ADMIN,
        Effect.DELETE,
        "Delete an observation: searches no longer find it. hard_delete also removes its file.",
        (ID, Parameter("hard_delete", ArgumentType.FLAG, default=False)),
        saving.delete,
        search_words="remove forget",
    ),
    Tool(
        "mem_stats",
        Profile.ADMIN,
        Effect.READ,
        "Count sessions, observations and prompts.",
        (),
        recall.stats,
        search_words="statistics counts projects",
    ),
    Tool(
        "mem_timeline",
        Profile.ADMIN,
        Effect.READ,
        "Show the observations before and after one in its session.",
        (
            OBSERVATION,
            Parameter("before", ArgumentType.INTEGER, default=recall.DEFAULT_TIMELINE),
            Parameter("after", ArgumentType.INTEGER, default=recall.DEFAULT_TIMELINE),
        ),
        recall.timeline,
        search_words="chronological context around",
    ),
    Tool(
        "mem_archive",
        Profile.ADMIN,
        Effect.DELETE,
        "Archive an observation: searches no longer find it, and its file stays.",
        (OBSERVATION,),
        saving.archive,
        search_words="retire hide",
    ),
    Tool(
        "cortex_proposals",
        Profile.ADMIN,
        Effect.READ,
        "List similar observations that may be merged, with both texts and what differs.",
        (Parameter("project"), PAGE),
        proposing.list_proposals,
        search_words="duplicates merge maintenance",
    ),
    Tool(
        "cortex_decide",
        Profile.ADMIN,
        Effect.DELETE,
        "Accept a proposal: one observation stays, the other is archived. Or reject it: both stay. "
        "Accept only if both say the same, or the one that stays replaces the other.",
        (
            Parameter("id", required=True),
            Parameter("decision", required=True, choices=(proposing.ACCEPT, proposing.REJECT)),
            Parameter("keep", description="Ref of the observation that stays"),
        ),
        proposing.decide_proposal,
        search_words="merge duplicates",
    ),
)
"""The tools that delete, archive, count and merge."""
