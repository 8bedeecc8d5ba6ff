"""The types of what a session gives, for the annotations of the layers above it.

Nothing imports this module at run time: it would load git, the catalog and the embeddings.
"""

from __future__ import annotations

from cortexfs.catalog.embeddings.embed_texts import Embedded, Meaning
from cortexfs.catalog.link_queries import Ties
from cortexfs.catalog.text_queries import Within
from cortexfs.history.change import Change
from cortexfs.history.past import Commit, Step
from cortexfs.history.repository import History
from cortexfs.tree.tree import Tree

__all__ = [
    "Change",
    "Commit",
    "Embedded",
    "History",
    "Meaning",
    "Step",
    "Ties",
    "Tree",
    "Within",
]
