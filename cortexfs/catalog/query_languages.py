"""Parse a query for the languages of the tree: forms of its words, and compounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.compounds import (
    MIN_PART,
    choose_first_part,
    choose_parts,
    list_splits,
    may_begin_with,
    may_end_with,
)
from cortexfs.core.find.correct_terms import MAX_COMPLETED, MAX_COMPLETIONS
from cortexfs.core.find.language_profiles import COMPOUNDING
from cortexfs.core.find.parse_query import parse_query
from cortexfs.core.find.query_parts import MAX_QUERY_TERMS
from cortexfs.core.find.stemmers import has_stems
from cortexfs.core.find.tokenize import fold_text, split_words, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from sqlite3 import Connection

    from cortexfs.core.find.correct_terms import Vocabulary
    from cortexfs.core.find.parse_query import Query

MAX_LANGUAGES = 6
"""Maximum number of languages besides English in which a query is read: the most frequent ones."""
MAX_COUNTED_TEXTS = 1000
"""Number of texts from which a language counts as frequent."""
MAX_COMPOUNDS = 12
"""Maximum number of compounds that the words of a query also find: the most frequent ones."""
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
_LONG_WORD_SQL = "SELECT 1 FROM long_words WHERE word = ?"
_BY_START_SQL = """
SELECT word, texts FROM long_words WHERE word > ?1 AND word < ?1 || char(1114111) LIMIT ?2
"""
_BY_END_SQL = """
SELECT word, texts FROM long_words WHERE reversed > ?1 AND reversed < ?1 || char(1114111) LIMIT ?2
"""


def parse_query_in_languages(
    db: Connection, vocabulary: Vocabulary, typed: str, today: date
) -> Query:
    """Return a typed query with the forms of its words in the languages of the tree."""
    languages = list_languages(db)
    parsed = _find_options(parse_query(typed, today, languages), vocabulary)
    query = _keep_known_forms(parsed, vocabulary)
    compounding = [code for code in languages if code in COMPOUNDING]
    if not compounding or not query.terms or query.language not in {"", *compounding}:
        return query
    wanted = [query.language] if query.language else compounding
    return _Compounds(db, vocabulary, query).expand(_list_words(typed, query), wanted)


def _find_options(query: Query, vocabulary: Vocabulary) -> Query:
    """Return a query that also searches the options that its exclusions are in some text.

    If no text has it, those that begin with it are meant.
    """
    found = {
        phrase: tuple(_complete_option(option, vocabulary))
        for phrase, (option, *_) in query.options.items()
    }
    known = {phrase: options for phrase, options in found.items() if options}
    named = (term for phrase, options in known.items() for term in (*phrase, *options))
    terms = (*query.terms, *named)
    return query._replace(terms=tuple(dict.fromkeys(terms))[:MAX_QUERY_TERMS], options=known)


def _complete_option(option: str, vocabulary: Vocabulary) -> Iterable[str]:
    if vocabulary.find_terms([option]):
        return [option]
    begun = vocabulary.list_terms(option, MAX_COMPLETED)
    return vocabulary.count_candidates(begun, MAX_COMPLETIONS)


def _keep_known_forms(query: Query, vocabulary: Vocabulary) -> Query:
    """Return a query without the forms that no text has."""
    if not query.variants:
        return query
    words = {word for forms in query.variants.values() for form in forms for word in form.split()}
    known = vocabulary.find_terms(words)
    kept = {
        key: tuple(form for form in forms if known.issuperset(form.split()))
        for key, forms in query.variants.items()
    }
    return query._replace(variants={key: forms for key, forms in kept.items() if forms})


def list_languages(db: Connection) -> list[str]:
    """Return the languages besides English whose words have stems, the most frequent ones first."""
    found, last = [], ""
    while code := db.execute(_NEXT_SQL, (last,)).fetchone()[0]:
        last = str(code)
        found += [last] if has_stems(last) else []
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
    vocabulary: Vocabulary
    query: Query

    def expand(self, words: Sequence[_Word], languages: Iterable[str]) -> Query:
        """Return the query with the compounds of its words, and the parts of its compounds."""
        chosen = words[:MAX_EXPANDED_WORDS]
        forms = {key: dict.fromkeys(own) for key, own in self.query.variants.items()}
        terms = dict.fromkeys(self.query.terms)
        for language in languages:
            for word in chosen:
                found = self._find_compounds(word.folded, language, MAX_COMPOUNDS // len(chosen))
                forms.setdefault(word.term, {}).update(dict.fromkeys(found))
                terms |= dict.fromkeys(self._split_compound(word, language))
        variants = {key: tuple(each for each in own if each != key) for key, own in forms.items()}
        return self.query._replace(
            terms=tuple(terms)[:MAX_QUERY_TERMS],
            variants={key: own for key, own in variants.items() if own},
        )

    def _find_compounds(self, word: str, language: str, limit: int) -> list[str]:
        """Return the compounds that begin or end with a word, most frequent first."""
        stem = tokenize(word, language).words
        if len(stem) < MIN_PART:
            return []
        counts: dict[str, int] = {}
        needed: dict[str, tuple[str, ...]] = {}
        for found, count in self.db.execute(_BY_END_SQL, (stem[::-1], MAX_EXAMINED)):
            if (terms := may_end_with(found, stem, language)) is not None:
                counts[found], needed[found] = count, terms
        for found, count in self.db.execute(_BY_START_SQL, (stem, MAX_EXAMINED)):
            if (terms := may_begin_with(found, word, stem)) is not None:
                counts[found], needed[found] = count, terms
        ranked = sorted(counts, key=lambda each: (-counts[each], each))[: 4 * limit]
        known = self.vocabulary.find_terms({term for each in ranked for term in needed[each]})
        kept = [each for each in ranked if not needed[each] or known.intersection(needed[each])]
        return kept[:limit]

    def _split_compound(self, word: _Word, language: str) -> tuple[str, ...]:
        """Return the stems of the parts of a compound that texts have; or nothing.

        Of a word that no text has, the first part is enough. A word that only texts in other
        languages have is none.
        """
        splits = list_splits(word.folded, language)
        stems = {term for each in splits for term in (each.head_stem, each.tail_stem) if term}
        known = self.vocabulary.find_terms({*stems, word.term})
        if word.term not in known:
            parts = choose_parts(word.folded, language, known)
            return parts or choose_first_part(word.folded, language, known)
        if not self.query.language and not self._has_long_word(word, language):
            return ()
        return choose_parts(word.folded, language, known)

    def _has_long_word(self, word: _Word, language: str) -> bool:
        stem = tokenize(word.folded, language).words
        return self.db.execute(_LONG_WORD_SQL, (stem,)).fetchone() is not None


def _list_words(typed: str, query: Query) -> list[_Word]:
    """Return the plain words of a query, each term once."""
    words = {tokenize(run).words: fold_text(run) for run in split_words(typed) if run.isalpha()}
    return [_Word(words[term], term) for term in query.terms if term in words]
