"""A scan: one report a day; what is found later on the same day goes below the first."""

from __future__ import annotations

import re

from cortexfs.core.markdown.edit_text import append_block
from cortexfs.core.markdown.lines import split_lines
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)\.md", re.ASCII)
_SCOPE = re.compile(r"\W*scope\W*:(.*)", re.IGNORECASE)


def scan_report_path(day: str) -> str:
    """Tell where the report of a day stands."""
    return f"scans/{day}.md"


def parse_report_day(name: str) -> str:
    """Tell which day a file name of `scans/` bears; empty where it bears none."""
    found = _NAME.fullmatch(name)
    return found[1] if found else ""


def is_scan_report(path: str) -> bool:
    """Tell whether a file is the report of a day."""
    return path == scan_report_path(parse_report_day(path.rpartition("/")[2]))


def extract_scope(text: str) -> str:
    """Tell what a report says that it looked at; else its first line of words."""
    said = [line.text_without_code for line in split_lines(text)]
    scope = next((_bare(found[1]) for line in said if (found := _SCOPE.match(line))), "")
    first = next((line for line in said if line.strip() and not line.lstrip().startswith("#")), "")
    return to_one_line(scope or first)


def _bare(said: str) -> str:
    """Take off what stands around the words: `** all projects.`."""
    found = list(re.finditer(r"\w+", said))
    return said[found[0].start() : found[-1].end()] if found else ""


def render_scan_report(before: str | None, day: str, time: str, scope: str, body: str) -> str:
    """Begin the report of a day, or add to it; raises `Refused` where nothing is said.

    `time` tells the reports of one day apart.
    """
    if not body.strip():
        raise Refused("a scan says what it found", hint="give it by --body-file, `-` is stdin")
    about = f"Scope: {to_one_line(scope)}\n\n" if to_one_line(scope) else ""
    if before is None:
        title = "" if body.lstrip("\ufeff").startswith("# ") else f"# Scan of {day}\n\n"
        return append_block("", f"{title}{about}{body}")
    return append_block(before, f"## At {time}\n\n{about}{body}")
