"""Render a page: templates with autoescape, and what all of them show."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse

from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, IndexMdSection, parse_atom_status
from cortexfs.core.checks.finding_codes import get_hint, get_severity
from cortexfs.core.find.explain_score import explain_score
from cortexfs.core.find.search_notes import format_notes
from cortexfs.core.text.minute import format_minute
from cortexfs.core.text.plural import format_count, to_plural
from cortexfs.core.text.sanitize import strip_unprintable
from cortexfs.interfaces.web.diff_rows import make_diff_rows
from cortexfs.interfaces.web.static_files import STATIC_PATH
from cortexfs.operations.find_commit import find_commit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.find.snippet import Snippet
    from cortexfs.interfaces.web.panel_request import PanelRequest

STORIES = "/stories"
NAVIGATION = (
    (
        "",
        (
            ("/", "Home", "h"),
            ("/all", "All", "a"),
            ("/find", "Find", "f"),
            ("/projects", "Projects", "p"),
            ("/graph", "Graph", "n"),
        ),
    ),
    ("Work", (("/tasks", "Tasks", "t"), ("/decisions", "Decisions", "d"))),
    (
        "Knowledge",
        (("/memory", "Memory", "m"), ("/entities", "Entities", "e"), (STORIES, "Stories", "s")),
    ),
    (
        "Agents",
        (
            ("/cortex", "Cortex", "x"),
            ("/chat", "Chat", "i"),
            ("/injections", "Injections", "j"),
            ("/wiring", "Wiring", "w"),
        ),
    ),
    ("Upkeep", (("/findings", "Health", "c"),)),
)
"""The groups of the side navigation; each page with its path, its name, and its key after `g`."""
UNCOMMITTED, NO_REPOSITORY = "uncommitted", "no-repository"
"""In place of a commit: the change is written, and git could not take it."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def render(
    request: PanelRequest, template: str, code: int = HTTPStatus.OK, /, **values: object
) -> Response:
    """Return a page; `values` are those of its template."""
    shown = {
        "request": request,
        "navigation": list_navigation(has_stories=request.has_stories),
        "static": STATIC_PATH,
        "now": request.session.clock(),
        "done": find_commit(request.session, request.get("done")),
        "is_uncommitted": request.get("done") == UNCOMMITTED,
        "has_no_repository": request.get("done") == NO_REPOSITORY,
        **values,
    }
    return HTMLResponse(make_environment().get_template(template).render(shown), code)


@cache
def list_navigation(*, has_stories: bool) -> Sequence[tuple[str, Sequence[tuple[str, str, str]]]]:
    """Return the groups of the side navigation; that of stories is shown where there are some."""
    return [
        (title, [page for page in pages if has_stories or page[0] != STORIES])
        for title, pages in NAVIGATION
    ]


def atom_path(ref: str) -> str:
    """Return the address of the page of an atom."""
    return f"/atom/{quote(ref)}"


def redirect(path: str) -> Response:
    """Return what leads a browser to another page."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def redirect_after(path: str, outcome: Outcome | None) -> Response:
    """Return what leads a browser to a page after a change, which it offers to undo.

    The page says so if the change was written and could not be committed.
    """
    sign = "&" if "?" in path else "?"
    if outcome and outcome.commits:
        return redirect(f"{path}{sign}done={outcome.commits[-1]}")
    if not outcome or not outcome.why_uncommitted:
        return redirect(path)
    return redirect(
        f"{path}{sign}done={UNCOMMITTED if outcome.uncommitted_reason else NO_REPOSITORY}"
    )


@cache
def make_environment() -> Environment:
    """Return the templates with their filters; every text in them is escaped."""
    environment = Environment(
        loader=PackageLoader("cortexfs.interfaces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_strip_hidden,
        auto_reload=False,
    )
    environment.filters.update(
        ago=format_ago,
        as_value=format_value,
        atom_path=atom_path,
        code=mark_code,
        count=format_long_count,
        day=format_day,
        diff_of=lambda texts: make_diff_rows(*texts),
        exact=format_exact,
        explain=explain_score,
        hint=get_hint,
        notes=format_notes,
        severity=get_severity,
        plural=to_plural,
        quote_path=quote,
        snippet=mark_snippet,
        status_class=choose_status_class,
        thousands=format_number,
        time=format_minute,
    )
    return environment


def _strip_hidden(value: object) -> object:
    """Return a text without characters that reorder or hide what is read."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return strip_unprintable(value)
    return "" if value is None else value


def format_exact(text: str) -> Markup:
    """Return a text for a field of a form, character for character.

    A browser drops the first line end in the field.
    """
    return Markup("\n") + escape(text)


def format_value(value: object) -> Markup:
    """Return what a form sends back character for character, and nobody reads."""
    return escape("" if value is None else value)


def format_number(number: int) -> str:
    """Return a number with its thousands apart."""
    return f"{number:,}"


def format_long_count(number: int, noun: str) -> str:
    """Return a count with its noun, and its thousands apart."""
    return format_count(number, noun).replace(str(number), f"{number:,}", 1)


def mark_code(text: str) -> Markup:
    """Return a line of ours as HTML: what stands between backticks is code."""
    escaped = str(escape(strip_unprintable(text)))
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", escaped))  # noqa: S704 - escaped


def format_day(ordinal: int) -> str:
    """Return a day (an ordinal; 0 is unknown) as ISO 8601."""
    return date.fromordinal(ordinal).isoformat() if ordinal else ""


def format_ago(text: str, now: datetime) -> str:
    """Return how long ago a time was (`5 min ago`), or its day after a month."""
    try:
        then = datetime.fromisoformat(text)
    except ValueError:
        return text[:10]
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    seconds = (now - then).total_seconds()
    for size, word in ((_MINUTE, ""), (_HOUR, "min"), (_DAY, "h"), (30 * _DAY, "d")):
        if seconds < size:
            unit = {"min": _MINUTE, "h": _HOUR, "d": _DAY}.get(word, 1)
            return f"{int(seconds // unit)} {word} ago" if word and seconds >= 0 else "just now"
    return text[:10]


def mark_snippet(snippet: Snippet) -> Markup:
    """Return a snippet with its matches marked."""
    parts, at = [], 0
    for start, end in snippet.marks:
        parts += [escape(snippet.text[at:start]), Markup("<mark>"), escape(snippet.text[start:end])]
        parts.append(Markup("</mark>"))
        at = end
    return Markup("").join([*parts, escape(snippet.text[at:])])


def choose_status_class(status: str) -> str:
    """Return how a status is coloured: current, with care, replaced, or refuted."""
    parsed = parse_atom_status(status)
    if parsed.word in CAUTION_STATUSES or parsed.word == "proposed":
        return "care"
    sections = {IndexMdSection.SUPERSEDED: "old", IndexMdSection.INVALIDATED: "refuted"}
    return sections.get(parsed.section, "current")
