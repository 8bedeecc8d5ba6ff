"""All routes of REST, in the order in which they are tried."""

from __future__ import annotations

from cortexfs.interfaces.rest import (
    change_atoms,
    decision_routes,
    original_chat,
    original_graph,
    original_memories,
    project_routes,
    read_atoms,
    task_routes,
    tree_routes,
)

ENDPOINTS = (
    *original_memories.ENDPOINTS,
    *original_graph.ENDPOINTS,
    *original_chat.ENDPOINTS,
    *tree_routes.ENDPOINTS,
    *project_routes.ENDPOINTS,
    *decision_routes.ENDPOINTS,
    *task_routes.ENDPOINTS,
    *read_atoms.ENDPOINTS,
    *change_atoms.ENDPOINTS,
)
"""The routes of the original, then those of the API."""
