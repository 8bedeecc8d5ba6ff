"""The title of a foreign note, and the one-line summary of its atom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.importing.strip_markup import blank_all_code, to_plain_text
from cortexfs.core.markdown.sections import parse_sections
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SETEXT = re.compile(r"\s{0,20}([^\n]{1,300})\n=+[ \t]*(?:\n|\Z)")
_CALENDAR = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b"
    r"|(?<=\d)(?:st|nd|rd|th|w|t|z)|\b[wq](?=\d)",
    re.IGNORECASE,
)
_SHORT_ID = re.compile(r"(?=[a-z]*\d)[a-z0-9]{3,8}")
_LINE_MARKER = re.compile(r"(?:>|[-*+]|\d{1,9}[.)]|\[[ xX]\]|\[![\w-]+\][-+]?)[ \t]+")
_TASK = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.\]")
_UNTITLED = re.compile(r"Untitled(?: \d+)?", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?](?=\s)|[。！？]")  # noqa: RUF001 - the ends of Chinese sentences
_NON_PROSE = re.compile(r"#|\||---|\*\*\*|___|\[\^|%%|<|\$\$")
_LETTER = re.compile(r"[^\W\d_]")
_MAX_SEARCHED_CHARS = 20_000
"""Number of characters that are searched for the first sentence."""


def choose_title(values: Mapping[str, object], body: str, path: str) -> str:
    """Return the title: from the frontmatter, else the first heading, else the file name.

    A file name that is a date comes first: the heading of a daily note is often a template's.
    """
    title = values.get("title")
    if isinstance(title, str | int | float) and to_one_line(str(title)):
        return to_one_line(str(title))
    if (stem := to_one_line(file_stem(path))) and is_date(stem):
        return stem
    return (
        to_plain_text(to_one_line(_find_heading(body)))
        or to_one_line(file_stem(path))
        or "untitled"
    )


def file_stem(path: str) -> str:
    """Return a file's name without folder and extension."""
    return path.rpartition("/")[2].rpartition(".")[0]


def make_summary(values: Mapping[str, object], title: str, body: str) -> str:
    """Return one line of at most 300 characters: the summary, the title, or a sentence."""
    summary = values.get("summary")
    if (
        isinstance(summary, str)
        and "\n" not in summary.strip()
        and 0 < len(to_one_line(summary)) <= MAX_SUMMARY_CHARS
    ):
        return to_one_line(summary)
    if is_date(title):
        about = _find_own_heading(body) or _find_first_sentence(body, with_tasks=False)
        return _shorten(f"{title}: {about}" if about else title)
    if is_id(title) or _UNTITLED.fullmatch(title):
        return _shorten(_find_first_sentence(body) or title)
    return _shorten(title)


def is_date(title: str) -> bool:
    """Return whether a title is only a date."""
    return not is_id(title) and not _LETTER.search(_CALENDAR.sub("", title))


def is_id(title: str) -> bool:
    """Return whether a title is only the id of a note."""
    return title.isdecimal() or bool(_SHORT_ID.fullmatch(title))


def _find_own_heading(body: str) -> str:
    """Return the first heading as plain text; empty if it is a date."""
    heading = to_plain_text(to_one_line(_find_heading(body)))
    return "" if is_date(heading) else heading


def _find_heading(body: str) -> str:
    first = next((each.title for each in parse_sections(body) if each.level == 1), "")
    if not first and (under := _SETEXT.match(body)):
        return under[1]
    return first


def _find_first_sentence(body: str, *, with_tasks: bool = True) -> str:
    """Return the first sentence of the first paragraph or list item with a letter in it."""
    for line in _list_prose_lines(body[:_MAX_SEARCHED_CHARS], with_tasks=with_tasks):
        plain = to_one_line(to_plain_text(line))
        if _LETTER.search(plain):
            end = _SENTENCE.search(plain)
            return plain[: end.end()] if end else plain
    return ""


def _list_prose_lines(body: str, *, with_tasks: bool) -> Iterator[str]:
    for line in blank_all_code(body).split("\n"):
        if not with_tasks and _TASK.match(line):
            continue
        rest = line.strip()
        while lead := _LINE_MARKER.match(rest):
            rest = rest[lead.end() :]
        if rest and not _NON_PROSE.match(rest):
            yield rest


def _shorten(text: str) -> str:
    if len(text) <= MAX_SUMMARY_CHARS:
        return text
    short = text[: MAX_SUMMARY_CHARS - 1]
    return (short.rpartition(" ")[0] or short).rstrip(" ,;:") + "…"
