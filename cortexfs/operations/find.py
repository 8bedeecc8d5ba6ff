"""Find atoms by full text and embeddings, best first."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.template_text import blank_template_lines
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.query_parts import list_exclusions, parse_phrase, strip_operators
from cortexfs.core.find.search_notes import ExcludedMatches, SearchNotes, spell_corrections
from cortexfs.core.find.snippet import Snippet, make_snippet
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.indexes.cortex_md_contents import remove_contents
from cortexfs.operations.embed import describe_search_method, open_embeddings
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.operations.spool_read import spool_read
from cortexfs.session.start_query import start_query
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from cortexfs.core.atoms.atom import FileText
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import RankedHit
    from cortexfs.session.annotation_types import PageMatch, TextQueries
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

MAX_COUNTED_EXCLUSIONS = 4
"""Maximum number of exclusions whose matches are counted: each takes a search."""
NO_FILTER = AtomFilter()
"""No filter."""
DEFAULT_LIMIT = 10
"""Default number of atoms returned."""
DEFAULT_PAGE_LIMIT = 3
"""Number of pages returned beside atoms; if no atom matches, as many pages as atoms requested."""


class SearchHit(NamedTuple):
    """One matching atom, with its best snippet."""

    match: RankedHit
    snippet: Snippet


class PageHit(NamedTuple):
    """One matching page, with its best snippet."""

    match: PageMatch
    snippet: Snippet


class _Search(NamedTuple):
    """A search of one view, which is repeated to count what an exclusion removes."""

    queries: TextQueries
    today: date
    limit: int
    compare: Callable[[], tuple[Mapping[str, float], str]]
    """Returns the similarities of texts, and the method."""
    with_pages: bool

    def run(self, query: Query) -> tuple[list[RankedHit], list[PageMatch]]:
        """Return the best atoms and pages."""
        found = self.queries.search_atoms(query, self.today, self.limit, lambda: self.compare()[0])
        wanted = min(self.limit, DEFAULT_PAGE_LIMIT) if found else self.limit
        if found and found[0].atom.ref == query.only_ref:  # a page has to name all of the ref
            query = query._replace(terms=(query.only_ref.lower(),))
        return found, self.queries.search_pages(query, wanted) if self.with_pages else []

    def count_excluded(
        self, typed: str, query: Query, found: set[str]
    ) -> tuple[ExcludedMatches, ...]:
        """Return the exclusions that removed some of the best matches; `found` are the others."""
        parts = list_exclusions(typed, self.today)[:MAX_COUNTED_EXCLUSIONS]
        removed = (len(self._find_with(query, parse_phrase(part.text)) - found) for part in parts)
        return tuple(
            ExcludedMatches(part.text, part.is_quoted, count)
            for part, count in zip(parts, removed, strict=True)
            if count
        )

    def _find_with(self, query: Query, phrase: tuple[str, ...]) -> set[str]:
        """Return the paths of the best matches if a phrase is not excluded."""
        others = tuple(each for each in query.excluded if each != phrase)
        return _list_paths(*self.run(query._replace(excluded=others)))


class FindResult(NamedTuple):
    """The results, best first, and the parsed query."""

    hits: list[SearchHit]
    query: Query
    method: str
    unreadable: int
    """Number of files that could not be searched."""
    pages: list[PageHit]
    """Markdown files that are not atoms, best first."""
    searched: str
    """The query that was searched: as typed, with its unknown words replaced."""
    notes: SearchNotes


def find(
    session: Session,
    typed: str,
    only: AtomFilter = NO_FILTER,
    limit: int = DEFAULT_LIMIT,
    *,
    full_text_only: bool = False,
    with_pages: bool = True,
    with_snippets: bool = True,
    require_known: bool = True,
) -> FindResult:
    """Return the matches of a query; any text is a valid query.

    Results are not counted as read. Pages are searched by full text alone. If a model is
    installed embeddings count too, unless `full_text_only`. Raises for a filter, in the query or in
    `only`, that names nothing in the tree, unless `require_known` is false. Without
    `with_snippets` no file is read.
    """
    today = session.clock().date()
    if not full_text_only:
        start_query(session, strip_operators(typed, today))
    with session.read(_list_contents(with_pages), drain=True) as view:
        queries = view.text_queries()
        is_word = _is_no_word if full_text_only else find_known_words(view)
        corrected = queries.parse_corrected_query(
            typed, today, with_pages=with_pages, is_word=is_word
        )
        query = corrected.query._replace(filters=corrected.query.filters.combine(only))
        if require_known:
            require_known_filter_names(view, query.filters)
        use_embeddings = bool(query.all_terms) and not full_text_only
        text = strip_operators(corrected.text, today) if use_embeddings else ""
        compare = cache(partial(_compare_embeddings, view, queries, text))
        search = _Search(queries, today, limit, compare, with_pages)
        atoms, pages = search.run(query)
        excluded = search.count_excluded(corrected.text, query, _list_paths(atoms, pages))
        hits = _make_hits(view, query, atoms, with_snippets=with_snippets)
        page_hits = _make_page_hits(view, query, pages)
        snippets = [*(hit.snippet for hit in hits), *(page.snippet for page in page_hits)]
        notes = SearchNotes(
            spell_corrections(corrected.corrections, snippets), excluded, query.is_shortened
        )
        unreadable = view.catalog.count_unreadable()
        return FindResult(hits, query, compare()[1], unreadable, page_hits, corrected.text, notes)


def _list_contents(with_pages: bool) -> NeededContents:
    return NeededContents.TEXTS | NeededContents.PAGES if with_pages else NeededContents.TEXTS


def _is_no_word(_: str) -> bool:
    return False


def find_known_words(view: View) -> Callable[[str], bool]:
    """Return whether the embedding model knows a word: it finds texts without that word."""
    model = view.find_model() if view.settings.use_embeddings else None
    return model.knows_word if model else _is_no_word


def _compare_embeddings(
    view: View, queries: TextQueries, text: str
) -> tuple[Mapping[str, float], str]:
    """Return the similarities of a text that is not empty to all contents, and the method."""
    embeddings = open_embeddings(view, queries) if text else None
    if embeddings is None:
        return {}, "words"
    cosines, progress = embeddings.compute_similarities(text)
    if progress.done < progress.total and view.model is None:
        embeddings.start_in_background()
    return cosines, describe_search_method(progress)


def _list_paths(atoms: Iterable[RankedHit], pages: Iterable[PageMatch]) -> set[str]:
    return {hit.atom.path for hit in atoms} | {page.path for page in pages}


def read_best_match(view: TreeFilesAndGit, result: FindResult) -> str | None:
    """Return the text of the best match; for an atom this counts as a read."""
    for hit in result.hits[:1]:
        source = view.tree.read_text_or_flaw(hit.match.atom.path)
        if not isinstance(source, Flaw):
            spool_read(view, source.path)
            return source.text
    for page in result.pages[:1] if not result.hits else ():
        source = view.tree.read_text_or_flaw(page.match.path)
        return None if isinstance(source, Flaw) else source.text
    return None


def _make_hits(
    view: View, query: Query, atoms: Iterable[RankedHit], *, with_snippets: bool
) -> list[SearchHit]:
    """Return the atoms with their snippets, which are empty without `with_snippets`."""
    if not with_snippets:
        return [SearchHit(each, Snippet("")) for each in atoms]
    with view.tree.open_batch_reader() as read:
        texts = ((each, read(each.atom.path)) for each in atoms)
        return [
            SearchHit(each, _make_atom_snippet(view, each, text, query)) for each, text in texts
        ]


def _make_page_hits(view: View, query: Query, pages: Iterable[PageMatch]) -> list[PageHit]:
    with view.tree.open_batch_reader() as read:
        return [PageHit(each, _make_page_snippet(each, read, query)) for each in pages]


def _make_page_snippet(
    found: PageMatch, read: Callable[[str], FileText | Flaw], query: Query
) -> Snippet:
    source = read(found.path)
    if isinstance(source, Flaw):  # removed since
        return Snippet("")
    body = split_front_and_body(remove_contents(found.path, source.text))[1]
    return make_snippet(body, query.all_forms, query.languages)


def _make_atom_snippet(
    view: TreeFilesAndGit, hit: RankedHit, source: FileText | Flaw, query: Query
) -> Snippet:
    if isinstance(source, Flaw):  # removed since
        return Snippet("")
    hints = view.tree.read_template_lines(hit.atom.kind)
    body = blank_template_lines(split_front_and_body(source.text)[1], hints)
    return make_snippet(body, query.all_forms, query.languages)
