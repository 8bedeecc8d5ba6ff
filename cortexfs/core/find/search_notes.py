"""What a search says beside its results: corrected words, and matches that were excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import tokenize
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.correct_query import Correction
    from cortexfs.core.find.snippet import Snippet


MAX_NAMED_PHRASES = 2
"""Maximum number of phrases without a match that are named one by one."""


class ExcludedMatches(NamedTuple):
    """An exclusion as typed, without its minus, and the number of best matches it removed."""

    text: str
    is_quoted: bool
    removed: int


class SearchNotes(NamedTuple):
    """What was searched instead of some words and phrases, and what was excluded."""

    corrections: tuple[Correction, ...] = ()
    excluded: tuple[ExcludedMatches, ...] = ()
    is_shortened: bool = False
    """Whether only the first and the last words of a long query were searched."""


def format_notes(notes: SearchNotes) -> list[str]:
    """Return one line for each note, and one for many phrases, as of a pasted stack trace."""
    phrases = [each for each in notes.corrections if each.is_phrase]
    many = len(phrases) > MAX_NAMED_PHRASES
    shown = [each for each in notes.corrections if not (many and each.is_phrase)]
    return [
        *map(_format_correction, shown),
        *([f"no text has {len(phrases)} of the phrases; searched for their words"] if many else []),
        *map(_format_excluded, notes.excluded),
        *(["the query is long; searched for its first and last words"] * notes.is_shortened),
    ]


def spell_corrections(
    corrections: Iterable[Correction], snippets: Iterable[Snippet]
) -> tuple[Correction, ...]:
    """Return the corrections with the searched words as the snippets have them.

    Of a completed word only the stem is known: `configur`, where a snippet has "configuration".
    """
    marked = [s.text[begin:end].lower() for s in snippets for begin, end in s.marks]
    spelled: dict[str, str] = {}
    for word in marked:
        spelled.setdefault(tokenize(word).words, word)
    return tuple(
        each._replace(
            searched=tuple(
                word if word in marked else spelled.get(tokenize(word).words, word)
                for word in each.searched
            )
        )
        for each in corrections
    )


def _format_correction(correction: Correction) -> str:
    if correction.is_phrase:
        return f'no text has the phrase "{correction.typed}"; searched for its words'
    searched = f"; searched for {_join(correction.searched, 'and')}" if correction.searched else ""
    others = f"; did you mean {_join(correction.others, 'or')}?" if correction.others else ""
    return f'no text has the word "{correction.typed}"{searched}{others}'


def _format_excluded(excluded: ExcludedMatches) -> str:
    count = format_count(excluded.removed, "match")
    if excluded.is_quoted:
        return f'-"{excluded.text}" excludes {count}'
    quoted = f'"{excluded.text}"'
    return f"-{excluded.text} excludes {count}; to search for the word, quote it: {quoted}"


def _join(words: Iterable[str], conjunction: str) -> str:
    *first, last = (f'"{word}"' for word in words)
    return f"{', '.join(first)} {conjunction} {last}" if first else last
