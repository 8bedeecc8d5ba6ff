"""Which atoms the client's Grep tool showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access_events.search_output import Search, Style, lines_of, matched, shown
from cortexfs.core.access_events.shown_atoms import ShownAtoms
from cortexfs.core.access_events.tool_call import text

if TYPE_CHECKING:
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.tool_call import Call, Fields


def atoms_shown_by_search(call: Call, around: PathResolver) -> ShownAtoms:
    """Give the atoms that a search showed, in each form of response that clients send."""
    scope = around.reach(text(call.asked, "path") or ".", call.cwd)
    if scope is None or call.answer is None:
        return ShownAtoms()
    style = _style(call)
    lines = _names(call.answer) if style is Style.NAMES else lines_of(text(call.answer, "content"))
    if around.is_file(scope):  # then no line names it
        atom = around.found(scope)
        return ShownAtoms(frozenset({atom}) if atom and shown(lines, style) else frozenset())
    if scope and not around.names(scope):
        return ShownAtoms()
    found = matched(lines, Search(style, call.cwd, (scope,)), around)
    project = None if found else around.searched(scope)
    return ShownAtoms(found, frozenset({project} if project else ()))


def _style(call: Call) -> Style:
    """Give the output mode of the search; names of files by default."""
    said = text(call.answer or {}, "mode") or text(call.asked, "output_mode")
    return Style(said) if said in set(Style) else Style.NAMES


def _names(answer: Fields) -> list[str]:
    names = answer.get("filenames")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
