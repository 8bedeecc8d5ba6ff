"""Which atoms the client's own search tool showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access_events.payload import text
from cortexfs.core.access_events.search_output import Search, Style, lines_of, matched, shown
from cortexfs.core.access_events.shown_atoms import Seen

if TYPE_CHECKING:
    from cortexfs.core.access_events.path_resolution import Surroundings
    from cortexfs.core.access_events.payload import Call, Fields


def seen_in_search(call: Call, around: Surroundings) -> Seen:
    """Tell what a search showed, in each of the forms that versions of the client give."""
    scope = around.reach(text(call.asked, "path") or ".", call.cwd)
    if scope is None or call.answer is None:
        return Seen()
    style = _style(call)
    lines = _names(call.answer) if style is Style.NAMES else lines_of(text(call.answer, "content"))
    if around.is_file(scope):  # then no line says whose it is
        atom = around.found(scope)
        return Seen(frozenset({atom}) if atom and shown(lines, style) else frozenset())
    if scope and not around.names(scope):
        return Seen()
    found = matched(lines, Search(style, call.cwd, (scope,)), around)
    project = None if found else around.searched(scope)
    return Seen(found, frozenset({project} if project else ()))


def _style(call: Call) -> Style:
    """Read how the search was to answer; files alone, if nothing was said."""
    said = text(call.answer or {}, "mode") or text(call.asked, "output_mode")
    return Style(said) if said in set(Style) else Style.NAMES


def _names(answer: Fields) -> list[str]:
    names = answer.get("filenames")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
