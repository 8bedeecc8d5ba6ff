"""The types of a session's results, for the annotations of the layers above it.

Nothing imports this module at run time: it would load git, the catalog and the embeddings.
"""

from __future__ import annotations

from cortexfs.catalog.browse_queries import BrowseCell, BrowseFilter, BrowseRow
from cortexfs.catalog.content_queries import TextQueries
from cortexfs.catalog.embeddings.text_embeddings import EmbeddingProgress, TextEmbeddings
from cortexfs.catalog.finding_cache import ExaminedText, FindingCache
from cortexfs.catalog.finding_store import FindingStore
from cortexfs.catalog.link_queries import LinkQueries
from cortexfs.catalog.memory_queries import MemoryRow
from cortexfs.catalog.page_index import PageMatch
from cortexfs.catalog.stored_atoms import StoredAtoms
from cortexfs.catalog.story_queries import StoryRow
from cortexfs.history.git_log import CommitRecord, CommitSummary
from cortexfs.history.known_commits import TreeCommits
from cortexfs.history.line_history import LineHistory
from cortexfs.history.repository import History
from cortexfs.history.undoable_change import UndoableChange
from cortexfs.tree.tree import Tree

__all__ = [
    "BrowseCell",
    "BrowseFilter",
    "BrowseRow",
    "CommitRecord",
    "CommitSummary",
    "EmbeddingProgress",
    "ExaminedText",
    "FindingCache",
    "FindingStore",
    "History",
    "LineHistory",
    "LinkQueries",
    "MemoryRow",
    "PageMatch",
    "StoredAtoms",
    "StoryRow",
    "TextEmbeddings",
    "TextQueries",
    "Tree",
    "TreeCommits",
    "UndoableChange",
]
