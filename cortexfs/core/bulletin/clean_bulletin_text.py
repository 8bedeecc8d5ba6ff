"""Make text of the tree a line of a bulletin: one line, no markup that breaks out, no secrets."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import redact_secrets, to_one_line

MAX_CHARS = 2000
"""Characters of a text that are considered: no line of a bulletin is as long."""
MAX_WORD_CHARS = 80
"""Characters of a word: a text without spaces must not fill the bulletin."""
MIN_CLAUSE_SHARE = 0.5
"""The share of the words of a cut line after which it may end with a clause."""
_CLAUSE_ENDS = (",", ";", ".", ")")
_BEFORE_CUT = ",;:.-"
_TAG = re.compile(r"<(?=[/!?a-zA-Z])|<(?=\s*/?\s*cortex-)", re.IGNORECASE)
"""The beginning of a tag or comment; `x < 3` is none."""
_FENCE = re.compile(r"`{3,}|~{3,}")
_LEADING_MARKUP = re.compile(r"^(?:[#>|*+-]+(?:\s+|$)|\d{1,9}[.)]\s+|\[[ xX]\]\s+)+")
"""A heading, a quotation, a list or a table at the beginning of a line."""
_BOLD = re.compile(r"\*\*(?=\S)(.{1,200}?)(?<=\S)\*\*")


def clean_bulletin_text(text: str) -> str:
    """Return a text on one line that cannot end, or pretend to be, what is around it."""
    line = redact_secrets(to_one_line(text[: 2 * MAX_CHARS]))[:MAX_CHARS]  # no half of a secret
    line = _BOLD.sub(r"\1", _FENCE.sub("'", line))
    return _TAG.sub("&lt;", _LEADING_MARKUP.sub("", line)).strip()


def cut_to_words(text: str, max_words: int) -> str:
    """Return a text, or its first words with `…`; a word is cut only where it is very long.

    The end of a clause is preferred where one is in the last part of these words.
    """
    words = text.split()
    cut = [word if len(word) <= MAX_WORD_CHARS else f"{word[:MAX_WORD_CHARS]}…" for word in words]
    if len(words) <= max_words:
        return " ".join(cut)
    ends = range(max_words, int(max_words * MIN_CLAUSE_SHARE), -1)
    end = next((end for end in ends if words[end - 1].endswith(_CLAUSE_ENDS)), max_words)
    return f"{' '.join(cut[:end]).rstrip(_BEFORE_CUT)}…"
