"""Find the atoms that the client's Grep tool showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access_events.search_output import (
    FileSearch,
    SearchOutputMode,
    filter_match_lines,
    find_matched_atoms,
    split_output_lines,
)
from cortexfs.core.access_events.shown_atom_types import ShownAtoms
from cortexfs.core.access_events.tool_call import text_field

if TYPE_CHECKING:
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.tool_call import JsonObject, ToolCall


def find_atoms_shown_by_grep(call: ToolCall, resolver: PathResolver) -> ShownAtoms:
    """Return the atoms that a search showed, for each form of response that clients send."""
    scope = resolver.find_covered_path(text_field(call.tool_input, "path") or ".", call.cwd)
    if scope is None or call.tool_response is None:
        return ShownAtoms()
    output_mode = _parse_output_mode(call)
    lines = (
        _list_file_names(call.tool_response)
        if output_mode is SearchOutputMode.NAMES
        else split_output_lines(text_field(call.tool_response, "content"))
    )
    if resolver.is_file(scope):  # its lines come without a name
        atom = resolver.find_atom(scope)
        return ShownAtoms(
            frozenset({atom}) if atom and filter_match_lines(lines, output_mode) else frozenset()
        )
    if scope and not resolver.list_folder(scope):
        return ShownAtoms()
    found = find_matched_atoms(lines, FileSearch(output_mode, call.cwd, (scope,)), resolver)
    project = None if found else resolver.find_searched_project(scope)
    return ShownAtoms(found, frozenset({project} if project else ()))


def _parse_output_mode(call: ToolCall) -> SearchOutputMode:
    """Return the output mode of the search; the default is file names."""
    answered = text_field(call.tool_response or {}, "mode")
    mode = answered or text_field(call.tool_input, "output_mode")
    return SearchOutputMode(mode) if mode in set(SearchOutputMode) else SearchOutputMode.NAMES


def _list_file_names(answer: JsonObject) -> list[str]:
    names = answer.get("filenames")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
