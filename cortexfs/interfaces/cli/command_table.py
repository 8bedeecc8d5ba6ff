"""The commands in the groups of the help; to add one, add its line here and its module."""

from __future__ import annotations

GROUPS = {
    "Start": {
        "init": "Create a tree, or add what is missing to an existing one.",
        "project": "Manage projects: new, list, show, archive.",
        "import": "Import notes from a folder of Markdown, or memories of other programs.",
        "export": "Export memories as one JSON document.",
        "bridge": "Exchange memories with the memory files of clients.",
        "setup": "Connect clients and schedulers to the tree: claude-code, codex, and others.",
        "mcp": "Serve the tree to agents over the Model Context Protocol.",
        "serve": "Serve the tree to programs and browsers over HTTP.",
        "ui": "Serve the tree and open its panel in the browser.",
        "doctor": "Check the installation, and show how to fix it.",
        "help": "Print the help of a command, as `-h` does.",
    },
    "Write": {
        "new": "Create an atom.",
        "edit": "Edit an atom in your editor, or by options.",
        "mark": "Change the status of an atom, and of the atoms that depend on it.",
        "move": "Move an atom to another project, and update every reference to it.",
        "rename": "Rename an atom or a project, and update every reference to it.",
        "rm": "Remove an atom; `restore` brings it back.",
        "tag": "Manage tags: list, rename.",
        "commit": "Commit changes made by hand or by an agent.",
        "decision": "Manage decisions: new, list, show, accept, reject, supersede.",
        "idea": "Manage ideas: new, list, show, promote.",
        "scan": "Manage scan reports: new, list.",
        "story": "Manage the chats of a project: import, append, recall, show and others.",
        "user": "Manage the preferences of the user: show, learn.",
    },
    "Read": {
        "chat": "Ask the cortex, or let it make a change that you confirm.",
        "brief": "Show what a session should know at its start: state, blockers, knowledge.",
        "list": "List atoms, most read first.",
        "show": "Show an atom with its backlinks and history.",
        "open": "Open an atom's file in its default application.",
        "tui": "Open the terminal panel: browse, search and change the tree.",
        "find": "Search atoms, best match first, then other pages of the tree.",
        "stats": "Show statistics of the tree: atoms, reads, tasks, size.",
        "log": "Show the changes of the tree or of an atom, newest first.",
        "diff": "Show what changed in an atom.",
    },
    "Connections": {
        "graph": "Show the links from and to an atom, or those of all atoms.",
        "backlinks": "List the atoms that link to an atom, and where.",
        "path": "Show the shortest chain of links from one atom to another.",
        "related": "List the atoms related to an atom, closest first.",
        "entities": "List the files, URLs and packages that atoms mention.",
    },
    "Plan": {
        "task": "Manage tasks: list, next, add, claim, done and others.",
        "status": "Manage the status of a project: show, set, edit.",
        "issue": "Manage the issues of a project: list, add, resolve.",
        "mission": "Manage the mission of a project: show, edit.",
        "roadmap": "Manage the roadmap of a project: show, tick, add.",
    },
    "Upkeep": {
        "check": "Check the tree, and fix what is safe to fix.",
        "audit": "Audit memories: duplicates, loops, secrets, stale and unread ones.",
        "maintain": "Find stale, contradictory and related atoms.",
        "patterns": "Find what recurs over sessions, and propose preferences.",
        "index": "Update indexes and read counts: regen.",
        "undo": "Undo the last change made through cortexfs.",
        "redo": "Redo the last undo.",
        "restore": "Restore a tombstone, or an earlier text of an atom.",
        "renumber": "Give one of two atoms with the same id another id.",
        "watch": "Update indexes and check files as they change.",
        "access": "Show which atoms were read: log, top, rotate.",
        "ps": "Show what runs: sessions of agents, sub-agents, background tasks.",
        "embed": "Embed changed atoms, so that `find` also ranks by similarity.",
    },
    "Services": {
        "daemon": "Manage the background process of a tree: start, stop, status, run.",
    },
    "Internal": {
        "hook": "Log the notes of hooks, or count them: drain, status.",
        "event": "Record what an agent does, as the hook of a client does.",
    },
}
"""Every command with its help line; its module is `interfaces/cli/commands/<name>.py`."""

HIDDEN = {"Internal"}
"""Groups that the first help page does not show."""

ALIASES = {"ls": "list", "search": "find"}
"""Other names of commands."""

COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}
