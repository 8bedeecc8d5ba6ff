"""Hints for an agent: operations name commands and options of the shell, a tool has neither."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.interfaces.mcp.tool_profiles import Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

MAX_PROJECTS = 20
"""Maximum number of projects that a hint lists."""
SHELL_PREFIX = "in a shell: "
"""Begins a hint whose command no tool replaces: the agent, or the user, can run it there."""

_COMMAND = re.compile(r"`cortexfs ([^`]*)`")
_OPTION = re.compile(
    r"(?<![\w-])--([a-z][a-z-]*)(?: (?:(?P<set>[a-z-]+)=…|(?P<value>[A-Z]+\b|…)))?"
)
EVERYWHERE = {
    "start it first": "mem_session_start starts it",
    "`cortexfs maintain --proposals` lists them": "cortex_proposals lists them",
}
"""Parts of hints, and what they are over MCP."""
MEMORY_PHRASES = {
    "`cortexfs list` shows all atoms": "mem_search finds observations by their words",
    "`cortexfs show ": "`mem_get_observation id=",
}
"""The same for the tools of the agent memory."""
TREE_PHRASES = {
    "`cortexfs list` shows all atoms": "cortex_find finds atoms by their words",
    "`cortexfs task list` shows all tasks": "cortex_tasks lists the open tasks",
    "`cortexfs check` ": "cortex_check ",
    "`cortexfs show ": "`cortex_show ref=",
    "use `cortexfs decision new --alternative A --alternative B`, --edit or --body-file": (
        "give a body whose section `## Alternatives` lists two or more"
    ),
}
"""The same for the tools of the tree."""
RESOURCE_PHRASES = {"`cortexfs list` shows all atoms": "cortex://CORTEX.md lists the projects"}
"""The same for resources."""
PROJECT_LIST = "`cortexfs project list` shows all projects"
"""The hint about an unknown project."""
_LISTS = frozenset({"tags", "evidence"})
_FIELD_NAMES = {"tag": "tags", "link": "links"}


def to_tool_hint(
    hint: str,
    profile: Profile | None,
    parameters: Collection[str],
    list_projects: Callable[[], Iterable[str]],
) -> str:
    """Return a hint that names tools and arguments in place of commands and options.

    `profile` is that of the tool that was called, None for a resource. What no tool does stays a
    command, after `SHELL_PREFIX`.
    """
    if hint == PROJECT_LIST:
        return format_projects(list_projects())
    for phrase, replacement in {**EVERYWHERE, **_choose_phrases(profile)}.items():
        hint = hint.replace(phrase, replacement)
    hint = re.sub(r"\brepeat the command\b", "repeat the call", hint)
    if _COMMAND.search(hint):
        return f"{SHELL_PREFIX}{hint}"
    hint = _OPTION.sub(lambda option: _to_argument(option, parameters), hint)
    return f"{SHELL_PREFIX}{hint}" if _OPTION.search(hint) else hint


def _choose_phrases(profile: Profile | None) -> Mapping[str, str]:
    match profile:
        case None:
            return RESOURCE_PHRASES
        case Profile.TREE:
            return TREE_PHRASES
        case _:
            return MEMORY_PHRASES


def _to_argument(option: re.Match[str], parameters: Collection[str]) -> str:
    """Return `by=REF` for `--by REF`, if the tool has that argument or takes fields."""
    name = _FIELD_NAMES.get(option[1], option[1])
    key, value = name.replace("-", "_"), option["value"]
    if option["set"] and "fields" in parameters:
        return f'fields=["{option["set"]}=…"]'
    if key in parameters:
        shown = f'["{value}"]' if key in _LISTS else value
        return f"{key}={shown}" if value else key
    return f'fields=["{name}=…"]' if value == "…" and "fields" in parameters else option[0]


def format_projects(names: Iterable[str]) -> str:
    """Return a sentence that lists the first projects."""
    known = list(islice(names, MAX_PROJECTS + 1))
    if not known:
        return "the tree has no projects yet; mem_save creates one"
    more = ", …" if len(known) > MAX_PROJECTS else ""
    return f"projects are {', '.join(known[:MAX_PROJECTS])}{more}"
