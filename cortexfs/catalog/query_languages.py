"""Parse a query for the languages of the tree: forms of its words, and compounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.compounds import (
    MIN_PART,
    choose_parts,
    list_splits,
    may_begin_with,
    may_end_with,
)
from cortexfs.core.find.language_profiles import COMPOUNDING
from cortexfs.core.find.parse_query import MAX_QUERY_TERMS, parse_query
from cortexfs.core.find.tokenize import fold_text, split_words, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date
    from sqlite3 import Connection

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.parse_query import Query

MAX_LANGUAGES = 6
"""Maximum number of languages besides English in which a query is read: the most frequent ones."""
MAX_COUNTED_TEXTS = 1000
"""Number of texts from which a language counts as frequent."""
MAX_COMPOUNDS = 12
"""Maximum number of compounds that a word of a query also finds: the most frequent ones."""
MAX_EXAMINED = 200
"""Maximum number of words with the same beginning, or the same end, that are examined."""
MAX_EXPANDED_WORDS = 8
"""Maximum number of words of a query for which compounds are looked up."""
_NEXT_SQL = """
SELECT min(language) FROM (
  SELECT min(language) AS language FROM texts WHERE language NOT IN ('', 'en') AND language > ?1
  UNION ALL
  SELECT min(language) FROM pages WHERE language NOT IN ('', 'en') AND language > ?1
)
"""
_COUNT_SQL = """
SELECT count(*) FROM (
  SELECT 1 FROM texts WHERE language NOT IN ('', 'en') AND language = ? LIMIT ?
)
"""
_BY_START_SQL = """
SELECT word, texts FROM long_words WHERE word > ?1 AND word < ?1 || char(1114111) LIMIT ?2
"""
_BY_END_SQL = """
SELECT word, texts FROM long_words WHERE reversed > ?1 AND reversed < ?1 || char(1114111) LIMIT ?2
"""


def parse_query_in_languages(
    db: Connection, full_text: FullTextIndex, typed: str, today: date
) -> Query:
    """Return a typed query with the forms of its words in the languages of the tree."""
    languages = list_languages(db)
    query = parse_query(typed, today, languages)
    compounding = [code for code in languages if code in COMPOUNDING]
    if not compounding or not query.terms or query.language not in {"", *compounding}:
        return query
    wanted = [query.language] if query.language else compounding
    return _Compounds(db, full_text, query).expand(_list_words(typed, query), wanted)


def list_languages(db: Connection) -> list[str]:
    """Return the languages of the texts besides English, the most frequent ones first."""
    found: list[str] = []
    while code := db.execute(_NEXT_SQL, (found[-1] if found else "",)).fetchone()[0]:
        found.append(str(code))
    if len(found) <= MAX_LANGUAGES:
        return found
    counts = {code: db.execute(_COUNT_SQL, (code, MAX_COUNTED_TEXTS)).fetchone() for code in found}
    return sorted(found, key=lambda code: (-counts[code][0], code))[:MAX_LANGUAGES]


class _Word(NamedTuple):
    """A word of a query, folded, and its term."""

    folded: str
    term: str


class _Compounds(NamedTuple):
    """The search for compounds of the words of a query, and for the parts of its compounds."""

    db: Connection
    full_text: FullTextIndex
    query: Query

    def expand(self, words: Iterable[_Word], languages: Iterable[str]) -> Query:
        """Return the query with the compounds of its words, and the parts of its compounds."""
        variants = dict(self.query.variants)
        parts: dict[str, None] = {}
        for word in list(words)[:MAX_EXPANDED_WORDS]:
            for language in languages:
                stem = tokenize(word.folded, language).words
                found = [
                    *variants.get(word.term, ()),
                    *self._find_compounds(word.folded, stem, language),
                ]
                variants[word.term] = tuple(
                    dict.fromkeys(each for each in found if each != word.term)
                )
                parts |= dict.fromkeys(self._split_compound(word.folded, language))
        new = [part for part in parts if part not in self.query.terms]
        terms = tuple([*self.query.terms, *new][:MAX_QUERY_TERMS])
        return self.query._replace(terms=terms, variants={k: v for k, v in variants.items() if v})

    def _find_compounds(self, word: str, stem: str, language: str) -> list[str]:
        """Return the compounds that begin or end with a word, most frequent first."""
        if len(stem) < MIN_PART:
            return []
        candidates: dict[str, tuple[int, tuple[str, ...]]] = {}
        for found, count in self.db.execute(_BY_END_SQL, (stem[::-1], MAX_EXAMINED)):
            needed = may_end_with(found, stem, language)
            if needed is not None:
                candidates[found] = (count, needed)
        for found, count in self.db.execute(_BY_START_SQL, (stem, MAX_EXAMINED)):
            needed = may_begin_with(found, word, stem)
            if needed is not None:
                candidates[found] = (count, needed)
        ranked = sorted(candidates, key=lambda each: (-candidates[each][0], each))
        ranked = ranked[: 4 * MAX_COMPOUNDS]
        known = self._find_known({term for each in ranked for term in candidates[each][1]})
        kept = [
            each for each in ranked if not candidates[each][1] or known & set(candidates[each][1])
        ]
        return kept[:MAX_COMPOUNDS]

    def _split_compound(self, word: str, language: str) -> tuple[str, ...]:
        splits = list_splits(word, language)
        known = self._find_known(
            {term for each in splits for term in (each.head_stem, each.tail_stem)}
        )
        return choose_parts(word, language, known)

    def _find_known(self, terms: Iterable[str]) -> set[str]:
        """Return the terms that any text has."""
        counts = self.full_text.count_terms(sorted(term for term in terms if term))
        return {term for term, count in counts.items() if count}


def _list_words(typed: str, query: Query) -> Iterator[_Word]:
    """Yield the plain words of a query."""
    seen = set()
    for run in split_words(typed):
        term = tokenize(run).words
        if run.isalpha() and term in query.terms and term not in seen:
            seen.add(term)
            yield _Word(fold_text(run), term)
