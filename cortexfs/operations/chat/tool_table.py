"""All tools of the chat: one table for the grammar and for a language model."""

from __future__ import annotations

from cortexfs.core.tasks.task_transitions import TaskVerb
from cortexfs.core.tools.tool_arguments import ArgumentType, Parameter
from cortexfs.operations.chat import change_tools as changes
from cortexfs.operations.chat import link_tools as links
from cortexfs.operations.chat import recall_tools as recall
from cortexfs.operations.chat import state_tools as state
from cortexfs.operations.chat import task_tools as tasks
from cortexfs.operations.chat import work_tools as work
from cortexfs.operations.chat.chat_tool import ChatTool

_PROJECT = Parameter("project", description="Only this project")
_KIND = Parameter("kind", description="experiment, knowledge, decision, observation, ...")
_LIMIT = Parameter("limit", ArgumentType.INTEGER, "At most 50", default=10)
_SINCE = Parameter("since", description="First day: 2026-03-09, or 7d")
_QUERY = Parameter("query", description="Words", required=True)
_REF = Parameter("ref", ArgumentType.REF, "EXP-042, flywheel/EXP-042 or OBS-117", required=True)
_ANY_REF = _REF._replace(required=False)
_ID = Parameter("id", required=True)
_REASON = Parameter("reason")

READ_TOOLS = (
    ChatTool("memory_recall", "Search the memories of agents.",
             (_QUERY, _PROJECT, Parameter("type"), _LIMIT), recall.recall_memories),
    ChatTool("find", "Search all atoms and pages, best match first.",
             (_QUERY, _PROJECT, _KIND, _LIMIT), recall.find_atoms),
    ChatTool("show", "Show the text of one atom, its links and last changes.",
             (_REF,), recall.show_atom),
    ChatTool("list", "List atoms, the most read first.",
             (_PROJECT, _KIND, _SINCE, Parameter("which", choices=("hot", "cold", "newest")),
              _LIMIT), recall.list_some_atoms),
    ChatTool("history", "Show who changed an atom, and when.",
             (_REF._replace(type=ArgumentType.TEXT), _SINCE), recall.show_history),
    ChatTool("related", "List the atoms related to one: by links, evidence, reads and words.",
             (_REF, _LIMIT), links.list_related),
    ChatTool("path", "Show the shortest chain of links from an atom to another one, `by`.",
             (_REF, Parameter("by", ArgumentType.REF, required=True)), links.show_path),
    ChatTool("recent", "Show the last changes of the tree.",
             (_PROJECT, _SINCE, _LIMIT._replace(default=20)), state.show_recent),
    ChatTool("stuck", "List what is stuck: silent processes, tasks that wait, open issues.",
             (_PROJECT, _LIMIT._replace(default=50)), state.show_stuck),
    ChatTool("forgotten", "List what was deleted, archived, merged, refuted or removed, and why.",
             (_PROJECT, _SINCE, _ANY_REF, _LIMIT), state.show_forgotten),
    ChatTool("system_inspect", "Show the health of the cortex: daemon, jobs, findings, model.",
             (), state.inspect_system),
    ChatTool("channel_list", "List the sessions of agents of the last week.",
             (_LIMIT,), state.list_channels),
    ChatTool("worker_inspect", "Show what runs; with an id, a process and its last events.",
             (_ID._replace(required=False),), state.inspect_worker),
    ChatTool("tasks", "List the open tasks.", (_PROJECT, _LIMIT), tasks.list_open_tasks),
    ChatTool("decisions", "List decisions, by default those that are to be made.",
             (_PROJECT, _SINCE, Parameter("status", default="proposed"), _LIMIT),
             work.list_open_decisions),
    ChatTool("proposals", "List similar memories that may be merged.",
             (_PROJECT, _LIMIT), work.list_proposals),
    ChatTool("maintenance", "Show what maintenance would change.",
             (_PROJECT, _LIMIT), work.show_maintenance),
    ChatTool("patterns", "List what recurs over sessions, and preferences that are proposed.",
             (), work.list_patterns),
    ChatTool("brief", "Show what a session should know at its start.", (_PROJECT,),
             state.show_brief),
    ChatTool("check", "List the problems of the tree.", (_PROJECT,), state.check_tree),
    ChatTool("doctor", "Check the installation.", (), state.run_doctor),
    ChatTool("stats", "Count atoms, reads, tasks and files.", (_PROJECT,), state.show_stats),
)  # fmt: skip
"""The tools that change nothing."""

CHANGE_TOOLS = (
    ChatTool("memory_save", "Save a memory.",
             (Parameter("content", required=True), Parameter("title"), _PROJECT,
              Parameter("type", default="manual")), changes.save, is_change=True),
    ChatTool("memory_delete", "Forget a memory: searches leave it out, its file stays.",
             (_REF,), changes.delete, is_change=True),
    ChatTool("undo", "Undo a commit; without an id the last change.",
             (_ID._replace(required=False),), changes.undo_change, is_change=True),
    ChatTool("redo", "Redo the last undo.", (), changes.redo_change, is_change=True),
    ChatTool("restore", "Bring back an invalidated or removed atom.", (_REF,),
             changes.restore_atom, is_change=True),
    ChatTool("mark", "Change the status of an atom, and of those that depend on it.",
             (_REF, Parameter("status", required=True), Parameter("by", ArgumentType.REF), _REASON),
             changes.mark_atom, is_change=True),
    ChatTool("decide", "Accept or reject a decision.",
             (_REF, Parameter("verdict", required=True, choices=("accepted", "rejected")), _REASON),
             changes.decide, is_change=True),
    ChatTool("decide_proposal", "Accept or reject a proposal to merge two memories.",
             (_ID, Parameter("decision", required=True, choices=("accept", "reject"))),
             changes.decide_proposal, is_change=True),
    ChatTool("task_add", "Add a task to a project.",
             (Parameter("text", required=True), _PROJECT), tasks.add_one_task, is_change=True),
    ChatTool("task_change", "Claim, assign, block, finish … a task.",
             (Parameter("task", description="3fa9, or driftwood/3fa9", required=True),
              Parameter("do", required=True, choices=tuple(TaskVerb)),
              _REASON._replace(description="Of a block; the note of what is done; the new owner")),
             tasks.change_one_task, is_change=True),
    ChatTool("run_maintenance", "Make the changes of maintenance.", (_PROJECT,),
             changes.maintain_now, is_change=True),
    ChatTool("fix", "Fix the problems that have one right answer.", (_PROJECT,),
             changes.fix, is_change=True),
)  # fmt: skip
"""The tools that change something: their plan is shown, and waits for a confirmation."""

TOOLS = {tool.name: tool for tool in (*READ_TOOLS, *CHANGE_TOOLS)}
"""Every tool by its name."""
