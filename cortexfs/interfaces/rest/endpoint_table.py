"""All routes of REST, in the order in which they are tried."""

from __future__ import annotations

from cortexfs.interfaces.rest import (
    change_atoms,
    client_routes,
    decision_routes,
    link_routes,
    maintenance_routes,
    original_chat,
    original_graph,
    original_memories,
    original_search,
    project_routes,
    read_atoms,
    store_routes,
    story_routes,
    task_routes,
    tree_routes,
)

ENDPOINTS = (
    *original_memories.ENDPOINTS,
    *original_search.ENDPOINTS,
    *original_graph.ENDPOINTS,
    *original_chat.ENDPOINTS,
    *tree_routes.ENDPOINTS,
    *maintenance_routes.ENDPOINTS,
    *store_routes.ENDPOINTS,
    *client_routes.ENDPOINTS,
    *project_routes.ENDPOINTS,
    *decision_routes.ENDPOINTS,
    *task_routes.ENDPOINTS,
    *story_routes.ENDPOINTS,
    *link_routes.ENDPOINTS,
    *read_atoms.ENDPOINTS,
    *change_atoms.ENDPOINTS,
)
"""The routes of the original, then those of the API."""
