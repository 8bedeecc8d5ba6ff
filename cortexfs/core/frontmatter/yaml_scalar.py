"""Write text as YAML that parsers of version 1.1 and 1.2 read back the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import UNSEEN_PATTERN
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIME = (
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?"
)

NON_TEXT_SCALAR = re.compile(
    r"~|null|Null|NULL|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE"
    r"|[-+]?(?:0b[01_]+|0o[0-7]+|0x[0-9a-fA-F_]+|\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?"
    rf"|{_TIME}"
)
"""Plain scalars that a parser reads as null, boolean, number or time."""

UNPRINTABLE = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that are not allowed in YAML unescaped."""

_BREAKING = rf"[\t\r\n]|{UNSEEN_PATTERN}|{UNPRINTABLE}"
_NEVER_SINGLE = re.compile(_BREAKING)
_NEVER_PLAIN = re.compile(
    r"\A(?:[-?:,\[\]{}#&*!|>'\"%@`\s]|[=yYnN]?\Z|<<\Z)"  # it would be read as something else
    rf"|:(?:\s|\Z)|\s#|\s\Z|{_BREAKING}"  # it would become a key, begin a comment, or lose a space
)
_NEVER_IN_LIST = re.compile(r"[,\[\]{}:?]")
_TO_ESCAPE = re.compile(rf'["\\]|{_BREAKING}')
_SHORT_ESCAPES = {"\t": "\\t", "\r": "\\r", "\n": "\\n", '"': '\\"', "\\": "\\\\"}

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COUNT = re.compile(r"0|[1-9][0-9]*")
_COUNT_OR_TIME = re.compile(rf"[0-9]+|{_TIME}")


def format_entry(key: str, value: str | Sequence[str]) -> str:
    """Return an entry as one line, without a line end."""
    return f"{_format_word(key)}: {format_value(key, value)}"


def format_value(key: str, value: str | Sequence[str]) -> str:
    """Return a new value as YAML: quoted where necessary, and always for a summary.

    Counts, and dates in `date` and `…-date`, are plain, so that parsers read them as such.
    """
    if not isinstance(value, str):
        return f"[{', '.join(map(_format_word, value))}]"
    if key == "summary":
        return _double_quote(value)
    meant = _COUNT.fullmatch(value) or (key.rpartition("-")[2] == "date" and _DATE.fullmatch(value))
    return value if meant or _can_be_plain(value) else _double_quote(value)


def format_in_style(style: str, value: str) -> str:
    """Return a value in the style (`'`, `"`, or empty for plain) of the old one, if possible.

    Numbers and times stay plain if they were written plain.
    """
    if style == "'" and not _NEVER_SINGLE.search(value):
        return "'" + value.replace("'", "''") + "'"
    if not style and (_can_be_plain(value) or _COUNT_OR_TIME.fullmatch(value)):
        return value
    return _double_quote(value)


def format_text(value: str, *, in_brackets: bool = False, quoted: bool = False) -> str:
    """Return a scalar that every parser reads as text; `in_brackets` means inside brackets."""
    plain = _can_be_plain(value) and not (in_brackets and _NEVER_IN_LIST.search(value))
    return value if plain and not quoted else _double_quote(value)


def _format_word(word: str) -> str:
    """Return a key, or an item of a list, as YAML."""
    return format_text(word, in_brackets=True)


def _can_be_plain(text: str) -> bool:
    return not (_NEVER_PLAIN.search(text) or NON_TEXT_SCALAR.fullmatch(text))


def _double_quote(text: str) -> str:
    return f'"{_TO_ESCAPE.sub(lambda found: _escape(found[0]), text)}"'


def _escape(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        raise Refused(
            f"a value contains U+{ord(char):04X}, which is not a character", hint="use UTF-8"
        )
    code = f"u{ord(char):04x}" if ord(char) <= 0xFFFF else f"U{ord(char):08x}"  # noqa: PLR2004
    return _SHORT_ESCAPES.get(char) or f"\\{code}"
