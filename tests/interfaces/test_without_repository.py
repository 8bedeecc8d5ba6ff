"""Changes of a tree whose repository is gone: each interface says that nothing was committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import RunningServer, make_server_fixture

from cortexfs.interfaces.mcp.answer_call import answer_call
from cortexfs.interfaces.mcp.tool import ToolContext
from cortexfs.interfaces.mcp.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

REASON = "there is no git repository"
IDEA = {"kind": "idea", "summary": "Measure the drift at night", "tags": ["codec"]}


server = make_server_fixture(build_sample)


@pytest.fixture
def without_git(server: RunningServer) -> Iterator[RunningServer]:
    """The server, while its tree has no repository."""
    git = server.place.root / ".git"
    elsewhere = git.rename(server.place.root.parent / "elsewhere")
    yield server
    elsewhere.rename(git)


def call_tool(server: RunningServer, name: str, **given: object) -> str:
    (tool,) = [each for each in TOOLS if each.name == name]
    context = ToolContext(server.session, "driftwood", "/")
    answer = answer_call(context, tool, given)
    assert not answer.is_error, answer.text
    return answer.text


def save_memory(server: RunningServer, title: str) -> str:
    return call_tool(server, "mem_save", title=title, content="**What**: it", type="discovery")


def test_an_answer_of_the_api_says_why_there_is_no_commit(without_git: RunningServer) -> None:
    made = without_git.ask("POST", "/api/v1/atoms", IDEA)
    document = made.json()
    assert (made.status, document["uncommitted"], "commit" in document) == (201, REASON, False)
    path = f"/api/v1/atoms/{document['created']['ref']}"
    for _ in range(2):
        again = without_git.ask("PATCH", path, {"summary": "Measure at dawn"}).json()
        assert ("uncommitted" in again) == again["edited"]["changed"]


def test_the_panel_says_that_nothing_can_be_undone(without_git: RunningServer) -> None:
    page = open_browser(without_git).post(
        "/all/change", ref="driftwood/EXP-006", change="archive", reason="old", back="/all"
    )
    assert "not committed: git has no repository" in "".join(page.by_id("toast").itertext())
    assert not [each for each in page.by_id("toast").iter() if each.get("name") == "commit"]


def test_a_tool_says_that_what_it_saved_is_not_committed(without_git: RunningServer) -> None:
    last = f"written, not committed: {REASON}"
    assert save_memory(without_git, "No git").splitlines()[-1] == last
    assert last not in call_tool(without_git, "mem_search", query="No git")


def test_with_a_repository_nobody_says_anything(server: RunningServer) -> None:
    document = server.ask("POST", "/api/v1/atoms", IDEA).json()
    assert ("commit" in document, "uncommitted" in document) == (True, False)
    assert "not committed" not in save_memory(server, "With git")
    browser: Browser = open_browser(server)
    page = browser.post("/all/change", ref="driftwood/EXP-007", change="archive", back="/all")
    assert "committed" not in "".join(page.by_id("toast").itertext())
