"""Search the words that may replace one as forms of a single term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.correct_query import Correction
    from cortexfs.core.find.parse_query import Query


def group_alternatives(typed: Query, query: Query, corrections: Iterable[Correction]) -> Query:
    """Return a corrected query with each set of alternatives as the forms of what they replace.

    `typed` is the query before. As terms of their own, the rarest would count most, and a text with
    two of them more than one with the right one.
    """
    terms, variants = list(query.terms), dict(query.variants)
    for each in corrections:
        term, forms = _list_forms(each)
        if len(forms) < 2 or not term:  # noqa: PLR2004 - a single word needs no group
            continue
        replaced = {own for word in each.searched for own in _tokenize(word)} - {*typed.terms}
        place = next((at for at, own in enumerate(terms) if own in {term, *replaced}), len(terms))
        terms = [own for own in terms if own not in replaced and own != term]
        terms.insert(place, term)
        variants[term] = tuple(
            dict.fromkeys(form for own in forms for form in query.list_forms(own) if form != term)
        )
    return query._replace(terms=tuple(terms), variants=variants or query.variants)


def _list_forms(correction: Correction) -> tuple[str, list[str]]:
    """Return the term of what is replaced, and those of the alternatives.

    An identifier is replaced by identifiers as they are indexed.
    """
    words, names = tokenize(correction.typed)
    if names:
        return names.split()[0], list(correction.searched)
    terms = [tokenize(word).words for word in correction.searched]
    return words, [term for term in terms if term and " " not in term]


def _tokenize(word: str) -> list[str]:
    return [term for part in tokenize(word) for term in part.split()]
