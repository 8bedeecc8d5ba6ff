"""All routes of REST, in the order in which they are tried."""

from __future__ import annotations

from cortexfs.interfaces.rest import original_graph, original_memories

ENDPOINTS = (*original_memories.ENDPOINTS, *original_graph.ENDPOINTS)
"""The routes of the original, then those of the API."""
