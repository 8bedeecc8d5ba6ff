"""Scan reports: one file per day; a later report of the same day is appended to it."""

from __future__ import annotations

import re

from cortexfs.core.markdown.edit_text import append_block
from cortexfs.core.markdown.lines import iter_markdown_lines
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)\.md", re.ASCII)
_SCOPE = re.compile(r"\W*scope\W*:(.*)", re.IGNORECASE)


def scan_report_path(day: str) -> str:
    """Return the path of a day's report."""
    return f"scans/{day}.md"


def parse_report_day(name: str) -> str:
    """Return the day in a file name of `scans/`; empty if it has none."""
    found = _NAME.fullmatch(name)
    return found[1] if found else ""


def is_scan_report(path: str) -> bool:
    """Return whether a path is that of a day's report."""
    return path == scan_report_path(parse_report_day(path.rpartition("/")[2]))


def extract_scope(text: str) -> str:
    """Return the scope line of a report, or else its first line of text."""
    lines = [line.text_without_code for line in iter_markdown_lines(text)]
    scope = next((_trim_to_words(found[1]) for line in lines if (found := _SCOPE.match(line))), "")
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    return to_one_line(scope or first)


def _trim_to_words(text: str) -> str:
    """Strip everything before the first and after the last word, as in `** all projects.`."""
    words = list(re.finditer(r"\w+", text))
    return text[words[0].start() : words[-1].end()] if words else ""


def render_scan_report(before: str | None, day: str, time: str, scope: str, body: str) -> str:
    """Return a day's report with a new part; raises `Refused` if the body is empty.

    `time` is in the heading of a later part of the same day.
    """
    if not body.strip():
        raise Refused("the scan report is empty", hint="pass --body-file FILE, or `-` for stdin")
    scope_line = f"Scope: {to_one_line(scope)}\n\n" if to_one_line(scope) else ""
    if before is None:
        title = "" if body.lstrip("\ufeff").startswith("# ") else f"# Scan of {day}\n\n"
        return append_block("", f"{title}{scope_line}{body}")
    return append_block(before, f"## At {time}\n\n{scope_line}{body}")
