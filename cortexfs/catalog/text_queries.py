"""Queries on the content of texts: words, links, and the entities that they mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.catalog.embeddings.text_embeddings import TextEmbeddings
    from cortexfs.catalog.link_queries import LinkQueries
    from cortexfs.catalog.page_index import PageMatch
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.entities import EntityCount, Mention
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import RankedHit
    from cortexfs.tree.tree import Tree


class TextQueries(NamedTuple):
    """The queries on texts that were indexed."""

    catalog: Catalog
    tree: Tree

    def search_atoms(
        self, query: Query, today: date, most: int, cosines: Mapping[str, float] | None = None
    ) -> list[RankedHit]:
        """Return the best matches of a query, best first; `cosines` adds the similarity."""
        from cortexfs.catalog.search_atoms import search_atoms  # noqa: PLC0415 - each question its own

        return search_atoms(self.catalog, query, today, most, cosines)

    def search_pages(self, query: Query, most: int) -> list[PageMatch]:
        """Return the best matching pages; requires a view that began with `Intake.PAGES`."""
        from cortexfs.catalog.page_index import search_pages  # noqa: PLC0415 - each question its own

        return search_pages(self.catalog, query, most)

    def open_embeddings(self, model: EmbeddingModel | None) -> TextEmbeddings | None:
        """Return the embeddings by a model (default: the installed one); None without a model."""
        from cortexfs.catalog.embeddings.embedding_model import find_installed_model  # noqa: PLC0415

        if (chosen := model or find_installed_model()) is None:
            return None
        from cortexfs.catalog.embeddings.text_embeddings import open_embeddings  # noqa: PLC0415 - few have a model

        return open_embeddings(self.catalog, self.tree, chosen)

    def link_queries(self) -> LinkQueries:
        """Return the queries on links."""
        from cortexfs.catalog.full_text_backend import open_full_text  # noqa: PLC0415 - as `read`
        from cortexfs.catalog.link_queries import LinkQueries  # noqa: PLC0415

        return LinkQueries(self.catalog.db, self.catalog.full_text or open_full_text(self.catalog))

    def count_entities(self, sort: str, only: AtomFilter, most: int) -> list[EntityCount]:
        """Return the entities that most matching atoms mention, of one sort or (empty) of all."""
        from cortexfs.catalog.entity_mentions import count_entities  # noqa: PLC0415

        return count_entities(self.catalog, sort, only, most)

    def find_mentions(self, name: str, sort: str, only: AtomFilter) -> list[Mention]:
        """Return the matching atoms that mention an entity; if none, a similar one."""
        from cortexfs.catalog.entity_mentions import find_mentions  # noqa: PLC0415

        return find_mentions(self.catalog, name, sort, only)


def ingest_changed_texts(
    catalog: Catalog, tree: Tree, progress: Callable[[int, int], None] | None
) -> None:
    """Index the texts that have changed; refresh the catalog first."""
    from cortexfs.catalog.full_text_backend import open_full_text  # noqa: PLC0415 - few commands ask

    open_full_text(catalog)  # one that begins anew has every text wait
    if catalog.db.execute("SELECT 1 FROM waiting LIMIT 1").fetchone():
        from cortexfs.catalog.ingest_texts import ingest_texts  # noqa: PLC0415 - it brings all the readers

        ingest_texts(catalog, tree, progress)
