"""The tools for the atoms of the tree: find, show, new, mark, brief, check, tasks."""

from __future__ import annotations

from cortexfs.core.tools.tool_arguments import ArgumentType, Parameter
from cortexfs.interfaces.mcp import read_tree, write_tree
from cortexfs.interfaces.mcp.tool import PAGE, Effect, Tool
from cortexfs.interfaces.mcp.tool_profiles import Profile

_REF = Parameter("ref", description="Ref: EXP-042 or flywheel/EXP-042", required=True)
_PROJECT = Parameter("project")

TREE_TOOLS = (
    Tool(
        "cortex_find",
        Profile.TREE,
        Effect.READ,
        "Search all atoms of the tree, best match first: experiments, knowledge, decisions, "
        'memories. The query may have words, "a phrase", -word, tag:, kind:, status:, since:.',
        (
            Parameter("query", required=True),
            _PROJECT,
            Parameter("kind"),
            Parameter(
                "limit", ArgumentType.INTEGER, "Atoms; up to 3 other pages follow", default=10
            ),
        ),
        read_tree.find_atoms,
        search_words="search knowledge experiments patterns decisions",
    ),
    Tool(
        "cortex_show",
        Profile.TREE,
        Effect.READ,
        "Show an atom with its backlinks and history. Counts as a read.",
        (_REF, PAGE),
        read_tree.show_atom,
        search_words="open read atom",
    ),
    Tool(
        "cortex_new",
        Profile.TREE,
        Effect.ADD,
        "Create an atom with the next free id and commit it. Knowledge needs evidence; a pattern "
        'needs fields=["source-experiments=EXP-001,EXP-002"]; a decision needs a body with two '
        "alternatives.",
        (
            Parameter("kind", description="experiment, knowledge, pattern, …", required=True),
            Parameter("summary", description="One sentence", required=True),
            _PROJECT,
            Parameter("tags", ArgumentType.TEXTS, default=()),
            Parameter("evidence", ArgumentType.TEXTS, "Refs, files, addresses", default=()),
            Parameter("fields", ArgumentType.TEXTS, "Other fields: KEY=VALUE", default=()),
            Parameter("body", description="Markdown; empty: the template of the kind"),
        ),
        write_tree.create_atom,
        search_words="create record experiment knowledge decision",
    ),
    Tool(
        "cortex_mark",
        Profile.TREE,
        Effect.SET,
        "Change the status of an atom, and of the atoms that depend on it.",
        (
            _REF,
            Parameter("status", description="superseded, invalidated, valid, …", required=True),
            Parameter("by", description="Ref of the atom that is the cause"),
            Parameter("reason"),
        ),
        write_tree.mark_atom,
        search_words="supersede invalidate accept status",
    ),
    Tool(
        "cortex_brief",
        Profile.TREE,
        Effect.READ,
        "Brief a new session: status, next steps, blockers, decisions, knowledge and tasks of a "
        "project.",
        (_PROJECT, Parameter("budget", ArgumentType.INTEGER, "Maximum number of tokens")),
        read_tree.brief_project,
        search_words="status overview start session",
    ),
    Tool(
        "cortex_check",
        Profile.TREE,
        Effect.READ,
        "List the problems of the tree, or of a project, with a hint for each.",
        (_PROJECT, PAGE),
        read_tree.check_tree,
        search_words="lint validate findings",
    ),
    Tool(
        "cortex_tasks",
        Profile.TREE,
        Effect.READ,
        "List the open tasks: first those that can be claimed, then the others, each by urgency.",
        (_PROJECT, PAGE),
        read_tree.list_open_tasks,
        search_words="todo next task",
    ),
)
"""The tools for the atoms of the tree."""
