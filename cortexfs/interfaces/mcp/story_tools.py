"""The tools for stories: list, append, recall, render, correct."""

from __future__ import annotations

from cortexfs.core.tools.tool_arguments import ArgumentType, Parameter
from cortexfs.interfaces.mcp import use_stories
from cortexfs.interfaces.mcp.tool import Effect, Tool
from cortexfs.interfaces.mcp.tool_profiles import Profile

_STORY = Parameter("story", description="Name of the story", required=True)
_PROJECT = Parameter("project")

STORY_TOOLS = (
    Tool(
        "story_list",
        Profile.STORY,
        Effect.READ,
        "List the stories of a project: chats that are remembered.",
        (_PROJECT,),
        use_stories.list_all,
        search_words="story chat roleplay",
    ),
    Tool(
        "story_append",
        Profile.STORY,
        Effect.ADD,
        "Add a message at the end of a story; a new name begins one.",
        (
            _STORY,
            Parameter("speaker", required=True),
            Parameter("text", required=True),
            Parameter("role", description="user, assistant or system"),
            _PROJECT,
        ),
        use_stories.append,
        search_words="story chat message record",
    ),
    Tool(
        "story_recall",
        Profile.STORY,
        Effect.READ,
        "Recall what of a story matters for a question or for what was said last: passages, best "
        "first, and who is concerned.",
        (
            _STORY,
            Parameter("query", description="Question, or the last messages", required=True),
            Parameter("limit", ArgumentType.INTEGER, "Passages; 0: as the settings say"),
            Parameter("visible", ArgumentType.INTEGER, "Leave out the last messages: how many"),
            _PROJECT,
        ),
        use_stories.recall,
        search_words="story memory past promise who",
    ),
    Tool(
        "story_render",
        Profile.STORY,
        Effect.READ,
        "Expand the macros of a template with what a story recalls: {{memories}}, {{entities}}, "
        "{{relationships}}, {{arc}}, {{entityFacts::NAME}}.",
        (
            _STORY,
            Parameter("template", default="{{memories}}"),
            Parameter("query", description="Question (default: the last messages)"),
            Parameter("budget", ArgumentType.INTEGER, "Tokens; 0: as the settings say"),
            _PROJECT,
        ),
        use_stories.render,
        search_words="story prompt template macro",
    ),
    Tool(
        "story_correct",
        Profile.STORY,
        Effect.DELETE,
        "Correct what stories say of an entity; builds keep it. Changes with `value`: rename, "
        "alias, type, status, fact, merge (the entity that is the same). With `item`: "
        "strike-alias, split (an alias is somebody else), strike-fact, strike-relation, "
        "strike-colour. With both: owner, usage of a colour. remove: it is no entity.",
        (
            Parameter("entity", description="Its ref or name", required=True),
            Parameter("change", required=True),
            Parameter("item", description="Alias, fact, relation or colour, or a part of it"),
            Parameter("value"),
            Parameter("dry_run", ArgumentType.FLAG, "Only show what would change", default=False),
            _PROJECT,
        ),
        use_stories.correct,
        search_words="story entity wrong name alias merge split",
    ),
)
"""The tools for stories."""
