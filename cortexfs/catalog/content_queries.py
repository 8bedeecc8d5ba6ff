"""Queries on the content of texts: words, links, and the entities that they mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.search_filters import filter_to_sql
from cortexfs.core.find.atom_filter import AtomFilter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.catalog.embeddings.text_embeddings import TextEmbeddings
    from cortexfs.catalog.link_queries import LinkQueries
    from cortexfs.catalog.page_index import PageMatch
    from cortexfs.core.find.correct_query import CorrectedQuery
    from cortexfs.core.find.entities import EntityCount, EntityFilter, Mention
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import RankedHit
    from cortexfs.tree.tree import Tree


_ENTITY_CONDITION = "instr(lower(name), lower(?)) AND ? IN ('', sort)"


class TextQueries(NamedTuple):
    """The queries on texts that were indexed."""

    catalog: Catalog
    tree: Tree

    def parse_query(self, typed: str, today: date, *, with_pages: bool) -> Query:
        """Return a typed query with the forms of its words in the languages of the tree."""
        from cortexfs.catalog.query_languages import parse_query_in_languages  # noqa: PLC0415
        from cortexfs.catalog.query_vocabulary import open_vocabulary  # noqa: PLC0415

        vocabulary = open_vocabulary(self.catalog, with_pages=with_pages)
        return parse_query_in_languages(self.catalog.db, vocabulary, typed, today)

    def search_atoms(
        self,
        query: Query,
        today: date,
        limit: int,
        compute_cosines: Callable[[], Mapping[str, float]] = dict,
    ) -> list[RankedHit]:
        """Return the best matches of a query, best first; the cosines add the similarity."""
        from cortexfs.catalog.search_atoms import search_atoms  # noqa: PLC0415 - most need one query

        return search_atoms(self.catalog, query, today, limit, compute_cosines)

    def find_candidates(self, query: Query, limit: int) -> list[str]:
        """Return the refs of the best matches by the full-text index alone, best first."""
        from cortexfs.catalog.search_atoms import find_candidate_refs  # noqa: PLC0415 - as above

        return find_candidate_refs(self.catalog, query, limit)

    def parse_corrected_query(
        self,
        typed: str,
        today: date,
        *,
        with_pages: bool,
        is_word: Callable[[str], bool] = lambda _: False,
    ) -> CorrectedQuery:
        """Return a typed query with the words and phrases replaced that no text has.

        A word of which `is_word` is true is only completed.
        """
        from cortexfs.catalog.query_vocabulary import open_vocabulary  # noqa: PLC0415 - most need one query
        from cortexfs.core.find.correct_query import CorrectedQuery, correct_query  # noqa: PLC0415
        from cortexfs.core.find.group_alternatives import group_alternatives  # noqa: PLC0415
        from cortexfs.core.find.loosen_phrases import loosen_phrases  # noqa: PLC0415
        from cortexfs.core.find.query_parts import shorten_query  # noqa: PLC0415

        typed = shorten_query(typed)
        query = self.parse_query(typed, today, with_pages=with_pages)
        vocabulary = open_vocabulary(self.catalog, with_pages=with_pages)
        text, corrections = correct_query(typed, query, today, vocabulary, is_word)
        changed = query if text == typed else self.parse_query(text, today, with_pages=with_pages)
        changed = group_alternatives(query, changed, corrections)
        searched, loosened = loosen_phrases(
            text, changed, today, lambda phrase: self._has_phrase(changed, phrase, with_pages)
        )
        return CorrectedQuery(text, searched, (*corrections, *loosened))

    def _has_phrase(self, query: Query, phrase: tuple[str, ...], with_pages: bool) -> bool:
        """Return whether a text has a phrase of a query."""
        from cortexfs.catalog.full_text_backend import open_full_text  # noqa: PLC0415

        atoms = self.catalog.full_text or open_full_text(self.catalog)
        wanted = query._replace(terms=(), phrases=(phrase,), excluded=(), filters=AtomFilter())
        return bool(atoms.search(wanted, 1) or (with_pages and self.search_pages(wanted, 1)))

    def search_pages(self, query: Query, limit: int) -> list[PageMatch]:
        """Return the best matching pages; the view must have begun with `NeededContents.PAGES`."""
        from cortexfs.catalog.page_index import search_pages  # noqa: PLC0415 - most need one query

        return search_pages(self.catalog, query, limit)

    def open_embeddings(self, model: EmbeddingModel) -> TextEmbeddings | None:
        """Return the embeddings by a model; None if there is no place to store them."""
        from cortexfs.catalog.embeddings.text_embeddings import open_embeddings  # noqa: PLC0415 - few have a model

        return open_embeddings(self.catalog, self.tree, model)

    def link_queries(self) -> LinkQueries:
        """Return the queries on links."""
        from cortexfs.catalog.full_text_backend import open_full_text  # noqa: PLC0415
        from cortexfs.catalog.link_queries import LinkQueries  # noqa: PLC0415

        return LinkQueries(self.catalog.db, self.catalog.full_text or open_full_text(self.catalog))

    def describe_large_backend(self) -> str:
        """Return the name of a large tree's full-text index; empty if the tree is not large."""
        from cortexfs.catalog.full_text_backend import describe_large_backend  # noqa: PLC0415

        return describe_large_backend(self.catalog)

    def count_entities(self, sort: str, only: AtomFilter, limit: int) -> list[EntityCount]:
        """Return the entities that most matching atoms mention, of one sort or (empty) of all."""
        from cortexfs.core.find.entities import EntityCount  # noqa: PLC0415 - it compiles patterns

        where, values = filter_to_sql(only)
        rows = self.catalog.db.execute(
            "SELECT sort, m.name, count(*) FROM mentions m JOIN texts USING (path)"  # noqa: S608
            f" WHERE ? IN ('', sort){where}"
            " GROUP BY sort, m.name ORDER BY count(*) DESC, m.name, sort LIMIT ?",
            (sort, *values, limit),
        )
        return [EntityCount(*row) for row in rows]

    def browse_entities(self, wanted: EntityFilter, limit: int, offset: int) -> list[EntityCount]:
        """Return a page of the entities that match, in their order."""
        from cortexfs.core.find.entities import EntityCount  # noqa: PLC0415 - it compiles patterns

        down = " DESC" if wanted.descending else ""
        column = {"atoms": "count(*)", "type": "sort", "name": "name COLLATE NOCASE"}[wanted.order]
        rows = self.catalog.db.execute(
            f"SELECT sort, name, count(*) FROM mentions WHERE {_ENTITY_CONDITION}"  # noqa: S608
            f" GROUP BY sort, name ORDER BY {column}{down}, name, sort LIMIT ? OFFSET ?",
            (wanted.text, wanted.sort, limit, offset),
        )
        return [EntityCount(*row) for row in rows]

    def count_entities_by_sort(self, text: str) -> dict[str, int]:
        """Return the number of entities of each sort whose name contains a text."""
        rows = self.catalog.db.execute(
            "SELECT sort, count(DISTINCT name) FROM mentions"  # noqa: S608
            f" WHERE {_ENTITY_CONDITION} GROUP BY sort",
            (text, ""),
        )
        return dict(rows)

    def list_entities_of(self, path: str) -> list[tuple[str, str]]:
        """Return the sort and name of each entity that a text mentions, in order of their lines."""
        sql = "SELECT sort, name FROM mentions WHERE path = ? ORDER BY line, sort, name"
        return self.catalog.db.execute(sql, (path,)).fetchall()

    def find_mentions(self, name: str, sort: str, only: AtomFilter) -> list[Mention]:
        """Return the matching atoms that mention an entity, in path order; if none, a similar one.

        `sort` as in `count_entities`.
        """
        from cortexfs.core.find.entities import Mention  # noqa: PLC0415 - as above

        where, values = filter_to_sql(only)
        for name_condition in ("m.name = ?", "instr(lower(m.name), lower(?))"):
            rows = self.catalog.db.execute(
                "SELECT sort, m.name, ref, path, line, status, summary FROM mentions m"  # noqa: S608
                f" JOIN texts USING (path) WHERE {name_condition} AND ? IN ('', sort){where}"
                " ORDER BY m.name, path, sort",
                (name, sort, *values),
            )
            if found := [Mention(*row) for row in rows]:
                return found
        return []


def ingest_changed_texts(
    catalog: Catalog, tree: Tree, progress: Callable[[int, int], None] | None
) -> Iterator[int]:
    """Index the texts that have changed, as `ingest_text_parts` does; refresh the catalog first."""
    from cortexfs.catalog.full_text_backend import open_full_text  # noqa: PLC0415 - few commands ask

    open_full_text(catalog)  # a new index marks every text as waiting
    if catalog.db.execute("SELECT 1 FROM waiting LIMIT 1").fetchone():
        from cortexfs.catalog.ingest_texts import ingest_text_parts  # noqa: PLC0415 - it imports all parsers

        yield from ingest_text_parts(catalog, tree, progress)
