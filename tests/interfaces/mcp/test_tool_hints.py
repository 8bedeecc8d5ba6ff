"""Hints of operations as an agent reads them, that calls tools and may have no shell."""

from __future__ import annotations

from pathlib import Path

import pytest

import cortexfs
from cortexfs.core.checks.finding_codes import FINDING_CODES, get_hint
from cortexfs.interfaces.mcp.tool_hints import (
    EVERYWHERE,
    MAX_PROJECTS,
    MEMORY_PHRASES,
    PROJECT_LIST,
    RESOURCE_PHRASES,
    SHELL_PREFIX,
    TREE_PHRASES,
    to_tool_hint,
)
from cortexfs.interfaces.mcp.tool_profiles import Profile

NEW = ("kind", "summary", "project", "tags", "evidence", "fields", "body")
MARK = ("ref", "status", "by", "reason")


@pytest.mark.parametrize(
    ("profile", "parameters", "hint", "shown"),
    [
        (Profile.AGENT, (), "`cortexfs list` shows all atoms", "mem_search finds"),
        (Profile.ADMIN, (), "`cortexfs list` shows all atoms", "mem_search finds"),
        (Profile.TREE, (), "`cortexfs list` shows all atoms", "cortex_find finds"),
        (None, (), "`cortexfs list` shows all atoms", "cortex://CORTEX.md lists the projects"),
        (Profile.TREE, (), "`cortexfs show a/K-001`", "`cortex_show ref=a/K-001`"),
        (Profile.AGENT, (), "`cortexfs show a/OBS-001`", "`mem_get_observation id=a/OBS-001`"),
        (Profile.AGENT, (), "repeat the command in a minute", "repeat the call in a minute"),
        (Profile.TREE, MARK, "add --by REF or --reason TEXT", "add by=REF or reason=TEXT"),
        (Profile.TREE, NEW, "add --project with one of: a, b", "add project with one of: a, b"),
        (
            Profile.TREE,
            NEW,
            "add --tag … --evidence … (such as EXP-001) --source-experiments … --set type=…",
            (
                'add tags=["…"] evidence=["…"] (such as EXP-001) '
                'fields=["source-experiments=…"] fields=["type=…"]'
            ),
        ),
        (Profile.AGENT, (), "did you mean `flywheel`?", "did you mean `flywheel`?"),
        (Profile.AGENT, (), "", ""),
    ],
)
def test_a_hint_names_the_tool_or_the_argument(
    profile: Profile | None, parameters: tuple[str, ...], hint: str, shown: str
) -> None:
    assert to_tool_hint(hint, profile, parameters, tuple).startswith(shown)


def test_what_no_tool_does_is_marked_as_a_command_of_the_shell() -> None:
    for hint in ("`cortexfs restore K-001` brings it back", "with --reviewed, use: valid"):
        assert to_tool_hint(hint, Profile.TREE, MARK, tuple) == f"{SHELL_PREFIX}{hint}"


def test_an_unknown_project_is_answered_with_the_known_ones() -> None:
    hint = "`cortexfs project list` shows all projects"
    assert to_tool_hint(hint, Profile.TREE, (), lambda: ["a", "b"]) == "projects are a, b"
    many = to_tool_hint(hint, Profile.AGENT, (), lambda: map(str, range(1_000)))
    assert many.endswith(f", {MAX_PROJECTS - 1}, …")
    assert "mem_save creates one" in to_tool_hint(hint, Profile.AGENT, (), tuple)


def test_the_hint_of_no_finding_reads_like_a_tool_of_ours() -> None:
    for code in FINDING_CODES:
        shown = to_tool_hint(get_hint(code), Profile.TREE, (), tuple)
        assert "`cortexfs " not in shown or shown.startswith(SHELL_PREFIX), code


def test_the_phrases_that_are_replaced_are_those_of_the_program() -> None:
    """A hint that is reworded would reach the agent as a command of the shell."""
    package = Path(cortexfs.__file__).parent
    sources = "\n".join(
        path.read_text("utf-8")
        for path in package.rglob("*.py")
        if "interfaces" not in path.relative_to(package).parts
    )
    phrases = {*EVERYWHERE, *TREE_PHRASES, *MEMORY_PHRASES, *RESOURCE_PHRASES, PROJECT_LIST}
    for phrase in phrases:
        assert phrase in sources, phrase
