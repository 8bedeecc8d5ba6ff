"""Search the words of a phrase that no text has, as in a pasted message with quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.find.correct_query import Correction
from cortexfs.core.find.query_parts import MAX_QUERY_TERMS, iter_query_parts, parse_phrase
from cortexfs.core.find.stop_words import load_stop_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from cortexfs.core.find.parse_query import Query

_WORD = re.compile(r"[^\W_]+")


def loosen_phrases(
    typed: str, query: Query, today: date, has_phrase: Callable[[tuple[str, ...]], bool]
) -> tuple[Query, tuple[Correction, ...]]:
    """Return a query with the words of the phrases that no text has, and these as corrections.

    A query of nothing but phrases stays as it is: who types only quotes means them.
    """
    if not query.phrases or not query.terms:
        return query, ()
    unknown = [phrase for phrase in dict.fromkeys(query.phrases) if not has_phrase(phrase)]
    if not unknown:
        return query, ()
    texts = {
        parse_phrase(part.text): part.text
        for part in iter_query_parts(typed, today)
        if part.is_quoted and not part.is_excluded
    }
    loosened = query._replace(
        terms=tuple(dict.fromkeys([*query.terms, *_list_terms(unknown)]))[:MAX_QUERY_TERMS],
        phrases=tuple(phrase for phrase in query.phrases if phrase not in unknown),
    )
    return loosened, tuple(
        Correction(text, tuple(_WORD.findall(text.lower())), is_phrase=True)
        for phrase in unknown
        if (text := texts.get(phrase, ""))
    )


def _list_terms(phrases: Iterable[tuple[str, ...]]) -> list[str]:
    return [term for phrase in phrases for term in phrase if term not in load_stop_words()]
