"""The memory tools for the work of an agent; prompts know their names and arguments."""

from __future__ import annotations

from cortexfs.core.memory.relations import RELATION_TYPES
from cortexfs.core.tools.tool_arguments import ArgumentType, Parameter
from cortexfs.interfaces.mcp import recall_memories as recall
from cortexfs.interfaces.mcp import save_memories as saving
from cortexfs.interfaces.mcp.tool import PAGE, Effect, Tool
from cortexfs.interfaces.mcp.tool_profiles import Profile

_INTEGER, _REF = ArgumentType.INTEGER, ArgumentType.REF
_PROJECT = Parameter("project", description="Default: that of the working directory")
_ONLY_PROJECT = Parameter("project", description="Only this project; default: all")
_SESSION = Parameter("session_id", description="The id of mem_session_start")
_SCOPE = Parameter("scope", choices=("project", "personal"))
_TITLE = Parameter("title")
_CONTENT = Parameter("content", required=True)
ID = Parameter("id", _REF, required=True)
OBSERVATION = Parameter("observation_id", _REF, required=True)
_QUERY = Parameter("query", description="Keywords", required=True)

EAGER_TOOLS = (
    Tool(
        "mem_save",
        Profile.AGENT,
        Effect.ADD,
        "Save an observation: call it after each decision, fixed bug, discovery, convention or "
        "change of configuration, without being asked.",
        (
            Parameter("title", description="Short and searchable", required=True),
            Parameter(
                "content", description="**What**, **Why**, **Where**, **Learned**", required=True
            ),
            Parameter(
                "type",
                description="decision, architecture, bugfix, pattern, discovery, config, learning",
                default="manual",
            ),
            _SESSION,
            _PROJECT,
            _SCOPE._replace(default="project", description="personal: not shared, not in git"),
            Parameter(
                "topic_key",
                description="Stable key such as architecture/auth: updates the observation with it",
            ),
        ),
        saving.save,
        is_eager=True,
    ),
    Tool(
        "mem_search",
        Profile.AGENT,
        Effect.READ,
        "Search observations by words: lists ids, titles and previews. mem_get_observation shows "
        "the whole text.",
        (
            _QUERY,
            Parameter("type", description="Only this type"),
            _ONLY_PROJECT,
            _SCOPE,
            Parameter("limit", _INTEGER, "At most 20", default=recall.DEFAULT_FOUND),
        ),
        recall.search,
        is_eager=True,
    ),
    Tool(
        "mem_context",
        Profile.AGENT,
        Effect.READ,
        "Show recent sessions, prompts and observations: call it at the beginning and after the "
        "context was compacted.",
        (_ONLY_PROJECT, _SCOPE, Parameter("limit", _INTEGER, default=recall.DEFAULT_CONTEXT)),
        recall.recall_context,
        is_eager=True,
    ),
    Tool(
        "mem_session_summary",
        Profile.AGENT,
        Effect.ADD,
        "Save the summary of a session: call it before the session ends or is compacted.",
        (
            Parameter(
                "content",
                description="## Goal, ## Instructions, ## Discoveries, ## Accomplished, "
                "## Next Steps, ## Relevant Files",
                required=True,
            ),
            Parameter("project", required=True),
            _SESSION,
        ),
        saving.save_summary,
        is_eager=True,
    ),
    Tool(
        "mem_get_observation",
        Profile.AGENT,
        Effect.READ,
        "Show the whole text of an observation. Counts as a read.",
        (ID._replace(description="117, OBS-117 or flywheel/OBS-117"), PAGE),
        recall.get_observation,
        is_eager=True,
    ),
    Tool(
        "mem_save_prompt",
        Profile.AGENT,
        Effect.ADD,
        "Save what the user asked for, so that later sessions know the goal.",
        (_CONTENT, _SESSION, _PROJECT),
        saving.save_user_prompt,
        is_eager=True,
    ),
)
"""The tools that are in a model's context from the start."""

DEFERRED_TOOLS = (
    Tool(
        "mem_update",
        Profile.AGENT,
        Effect.SET,
        "Change the given fields of an observation; git keeps the earlier text.",
        (
            ID,
            _TITLE,
            Parameter("content"),
            Parameter("type"),
            Parameter("project", description="Moves it to this project"),
            _SCOPE,
            Parameter("topic_key"),
        ),
        saving.update,
        search_words="edit correct observation memory",
    ),
    Tool(
        "mem_suggest_topic_key",
        Profile.AGENT,
        Effect.READ,
        "Suggest a topic_key for mem_save, by type and title.",
        (Parameter("type"), _TITLE, Parameter("content")),
        saving.suggest_key,
        search_words="topic key upsert",
    ),
    Tool(
        "mem_session_start",
        Profile.AGENT,
        Effect.SET,
        "Register the start of a session.",
        (
            Parameter("id", description="Your choice; session_id of later calls", required=True),
            Parameter("project", required=True),
            Parameter("directory", description="Working directory"),
        ),
        saving.start,
        search_words="begin session",
    ),
    Tool(
        "mem_session_end",
        Profile.AGENT,
        Effect.SET,
        "Mark a session as completed.",
        (Parameter("id", required=True), Parameter("summary")),
        saving.end,
        search_words="finish session",
    ),
    Tool(
        "mem_capture_passive",
        Profile.AGENT,
        Effect.ADD,
        "Save each item below a heading Key Learnings (or Aprendizajes Clave) of a text.",
        (_CONTENT, _SESSION, _PROJECT, Parameter("source", default="mcp-passive")),
        saving.capture,
        search_words="extract learnings output",
    ),
    Tool(
        "mem_relate",
        Profile.AGENT,
        Effect.SET,
        "Relate two observations: from_id follows, references or contradicts to_id, for example. "
        "`supersedes` also marks to_id as superseded.",
        (
            Parameter("from_id", _REF, required=True),
            Parameter("to_id", _REF, required=True),
            Parameter("relation_type", required=True, choices=RELATION_TYPES),
            Parameter("weight", ArgumentType.NUMBER, default=1.0),
        ),
        saving.relate,
        search_words="link edge graph supersedes contradicts",
    ),
    Tool(
        "mem_graph",
        Profile.AGENT,
        Effect.READ,
        "List the observations related to one, the closest first.",
        (
            OBSERVATION,
            Parameter("depth", _INTEGER, "Relations to follow, 1 to 10", default=1),
            PAGE,
        ),
        recall.graph,
        search_words="related links neighbours",
    ),
    Tool(
        "mem_score",
        Profile.AGENT,
        Effect.READ,
        "Show the importance of an observation, from 0 to 5, with its parts.",
        (OBSERVATION, Parameter("recalculate", ArgumentType.FLAG, default=False)),
        recall.score,
        search_words="importance rank",
    ),
    Tool(
        "mem_search_hybrid",
        Profile.AGENT,
        Effect.READ,
        "Search observations by words and by meaning.",
        (
            _QUERY,
            _ONLY_PROJECT,
            _SCOPE,
            Parameter("limit", _INTEGER, "At most 50", default=recall.DEFAULT_FOUND),
        ),
        recall.search_hybrid,
        search_words="semantic vector similarity",
    ),
)
"""The tools of an agent that clients may load when they are searched for."""

AGENT_TOOLS = (*EAGER_TOOLS, *DEFERRED_TOOLS)
"""The memory tools for the work of an agent."""
