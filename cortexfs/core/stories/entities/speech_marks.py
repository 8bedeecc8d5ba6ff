"""Where speech and sentences begin in a text."""

from __future__ import annotations

import re

_IN_PARAGRAPH = r"(?:[^{marks}\n]|\n(?!\s*\n))*"
_SINGLE = r"(?<!\w)[‘'](?=[\w—])(?:[^\n]|\n(?!\s*\n)){0,800}?[,.!?—…]['’](?!\w)"
_SPEECH = re.compile(
    "|".join(
        (
            f"„{_IN_PARAGRAPH.format(marks='“”')}[“”]?",
            f"“{_IN_PARAGRAPH.format(marks='”')}”?",
            f'"{_IN_PARAGRAPH.format(marks=chr(34))}"?',
            f"«{_IN_PARAGRAPH.format(marks='»')}»?",
            _SINGLE,
        )
    )
)
_BETWEEN = frozenset(" \t\n\"“”‘'’«»„([*_~#>-–—…|")
_OPENING = frozenset('"“‘«„*_#>([|')
_SENTENCE_ENDS = frozenset(".!?:…。！？")


def find_speech(text: str) -> list[tuple[int, int]]:
    """Return where speech stands within quotation marks, in order."""
    return [found.span() for found in _SPEECH.finditer(text)]


def starts_sentence(text: str, start: int) -> bool:
    """Tell whether what stands at `start` begins a sentence, a line of speech or an action."""
    position = start - 1
    opened = False
    while position >= 0 and text[position] in _BETWEEN:
        blank_line = text[position] == "\n" and text[max(0, position - 1)] == "\n"
        opened = opened or text[position] in _OPENING or blank_line
        position -= 1
    if position < 0 or opened:
        return True
    return text[position] in _SENTENCE_ENDS and not _ends_initial(text, position)


def _ends_initial(text: str, position: int) -> bool:
    """Tell whether a full stop ends an initial, as in `J. Smith`."""
    word = text[max(0, position - 8) : position].rpartition(" ")[2].rpartition("\n")[2]
    return len(word) == 1 and word.isupper() and word != "I"
