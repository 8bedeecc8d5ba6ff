"""The questions about what stands within the texts: words, and what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embed_texts import Meaning
    from cortexfs.catalog.embeddings.embedding_model import Model
    from cortexfs.catalog.link_queries import Ties
    from cortexfs.catalog.page_index import FoundPage
    from cortexfs.core.find.entities import Mention, Named
    from cortexfs.core.find.filters import Only
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import Found
    from cortexfs.tree.tree import Tree


class Within(NamedTuple):
    """What is known of texts that have been taken in."""

    catalog: Catalog
    tree: Tree

    def search(
        self, query: Query, today: date, most: int, cosines: Mapping[str, float] | None = None
    ) -> list[Found]:
        """Give what fits a query best, best first; where `cosines` are given by meaning too."""
        from cortexfs.catalog.search import search  # noqa: PLC0415 - each question its own

        return search(self.catalog, query, today, most, cosines)

    def pages(self, query: Query, most: int) -> list[FoundPage]:
        """Return the pages that fit a query best; the view began with `Intake.PAGES`."""
        from cortexfs.catalog.page_index import search  # noqa: PLC0415 - each question its own

        return search(self.catalog, query, most)

    def meaning(self, model: Model | None) -> Meaning | None:
        """Give what a model (default: the installed one) makes of the texts; None without any."""
        from cortexfs.catalog.embeddings.embedding_model import installed  # noqa: PLC0415

        if (chosen := model or installed()) is None:
            return None
        from cortexfs.catalog.embeddings.embed_texts import meaning  # noqa: PLC0415 - few have a model

        return meaning(self.catalog, self.tree, chosen)

    def ties(self) -> Ties:
        """Give what tells which atom names which."""
        from cortexfs.catalog.fulltext_backend import full_text  # noqa: PLC0415 - as `read`
        from cortexfs.catalog.link_queries import Ties  # noqa: PLC0415

        return Ties(self.catalog.db, self.catalog.words or full_text(self.catalog))

    def named(self, sort: str, only: Only, most: int) -> list[Named]:
        """Return what most of the matching atoms name, of one sort or (empty) of all."""
        from cortexfs.catalog.entity_mentions import named  # noqa: PLC0415

        return named(self.catalog, sort, only, most)

    def mentions(self, name: str, sort: str, only: Only) -> list[Mention]:
        """Return the matching atoms that name a thing; if none does, a similar one."""
        from cortexfs.catalog.entity_mentions import mentions  # noqa: PLC0415

        return mentions(self.catalog, name, sort, only)


def take_in(catalog: Catalog, tree: Tree, progress: Callable[[int, int], None] | None) -> None:
    """Take in the texts that have changed; refresh the catalog first."""
    from cortexfs.catalog.fulltext_backend import full_text  # noqa: PLC0415 - few commands ask

    full_text(catalog)  # one that begins anew has every text wait
    if catalog.db.execute("SELECT 1 FROM waiting LIMIT 1").fetchone():
        from cortexfs.catalog.text_ingest import take_in  # noqa: PLC0415 - it brings all the readers

        take_in(catalog, tree, progress)
