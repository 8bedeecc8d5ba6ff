"""All pages of the panel; those with a key have a tab."""

from __future__ import annotations

from cortexfs.interfaces.tui.page import Page
from cortexfs.interfaces.tui.pages.atom_lists import (
    ATOM_SORTS,
    load_decisions,
    load_project,
    load_recent,
)
from cortexfs.interfaces.tui.pages.atom_page import load_atom, load_page
from cortexfs.interfaces.tui.pages.graph_page import load_graph, preview_graph
from cortexfs.interfaces.tui.pages.health_page import load_health
from cortexfs.interfaces.tui.pages.home_page import load_home, preview_home
from cortexfs.interfaces.tui.pages.merges_page import load_merges
from cortexfs.interfaces.tui.pages.projects_page import load_projects
from cortexfs.interfaces.tui.pages.search_page import load_search
from cortexfs.interfaces.tui.pages.session_pages import load_session, load_sessions, load_timeline
from cortexfs.interfaces.tui.pages.setup_page import load_setup
from cortexfs.interfaces.tui.pages.story_pages import STORY_ORDERS, load_stories, load_story
from cortexfs.interfaces.tui.pages.task_pages import load_task, load_tasks

_ALL = (
    Page(
        "home",
        "Home",
        load_home,
        "1",
        help="What waits, what runs, what changed last.",
        preview=preview_home,
    ),
    Page("search", "Search", load_search, "2", has_query=True, help="Find atoms by words."),
    Page(
        "recent",
        "Recent",
        load_recent,
        "3",
        sorts=ATOM_SORTS,
        default_sort="date",
        help="The newest atoms.",
    ),
    Page("sessions", "Sessions", load_sessions, "4", help="Sessions of agents."),
    Page("projects", "Projects", load_projects, "5", help="The projects of the tree."),
    Page("tasks", "Tasks", load_tasks, "6", help="Open tasks, the most urgent first."),
    Page("decisions", "Decisions", load_decisions, "7", help="Decisions, open ones first."),
    Page(
        "graph",
        "Graph",
        load_graph,
        "8",
        help="What an atom is linked with.",
        preview=preview_graph,
    ),
    Page("health", "Health", load_health, "9", help="What is wrong, and how to fix it."),
    Page("setup", "Setup", load_setup, "0", help="Which clients are connected."),
    Page("merges", "Merges", load_merges, "p", help="Similar memories that may be merged."),
    Page("stories", "Stories", load_stories, "e", help="Chats, and what they are worth."),
    Page("atom", "Atom", load_atom),
    Page("page", "Page", load_page),
    Page("project", "Project", load_project, sorts=ATOM_SORTS, default_sort="reads"),
    Page("session", "Session", load_session),
    Page("timeline", "Timeline", load_timeline),
    Page("task", "Task", load_task),
    Page("story", "Story", load_story, sorts=STORY_ORDERS, default_sort=STORY_ORDERS[0]),
)
PAGES = {page.name: page for page in _ALL}
TABS = tuple(page for page in _ALL if page.key)
