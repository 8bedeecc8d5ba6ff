"""The words that may be compounds, with the number of texts that have each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

_ADD_SQL = (
    "INSERT INTO long_words VALUES (?, ?, ?)"
    " ON CONFLICT (word) DO UPDATE SET texts = texts + excluded.texts"
)


def update_long_words(db: Connection, removed: Iterable[str], added: Iterable[str]) -> None:
    """Count the words of texts that were added and removed; each has its words once."""
    counts = Counter(word for words in added for word in words.split())
    counts.subtract(word for words in removed for word in words.split())
    changed = {word: count for word, count in counts.items() if count}
    db.executemany(_ADD_SQL, ((word, word[::-1], count) for word, count in changed.items()))
    gone = ((word,) for word, count in changed.items() if count < 0)
    db.executemany("DELETE FROM long_words WHERE word = ? AND texts <= 0", gone)
