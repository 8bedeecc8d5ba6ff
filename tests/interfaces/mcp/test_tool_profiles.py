from __future__ import annotations

import pytest

from cortexfs.interfaces.mcp.tool_profiles import Profile, choose_tools

TOOLS = {
    "mem_save": Profile.AGENT,
    "mem_search": Profile.AGENT,
    "mem_delete": Profile.ADMIN,
    "cortex_find": Profile.TREE,
}


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("", list(TOOLS)),
        ("all", list(TOOLS)),
        ("mem_save, all", list(TOOLS)),
        (",", list(TOOLS)),
        (" , ,", list(TOOLS)),
        ("agent", ["mem_save", "mem_search"]),
        ("admin", ["mem_delete"]),
        ("admin,agent", ["mem_save", "mem_search", "mem_delete"]),
        ("tree, mem_search ,", ["mem_search", "cortex_find"]),
        ("mem_search,unknown", ["mem_search"]),
        ("unknown", []),
    ],
)
def test_the_list_holds_profiles_and_names(typed: str, chosen: list[str]) -> None:
    assert choose_tools(typed, TOOLS) == chosen
