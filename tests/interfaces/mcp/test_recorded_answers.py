"""What tools and resources tell an agent is kept for the page Injections; saves are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_client import serve
from running_server import NOW

from cortexfs.operations.list_given_texts import GivenRequest, list_given_texts
from cortexfs.session.injection_files import ANSWERED_FOLDER, MAX_DAY_BYTES
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place


def read_record(place: Place) -> list[tuple[str, str, str]]:
    """Return tool, client and text of what was told, the latest first."""
    session = Session.open(str(place.root), lambda: NOW)
    found = list_given_texts(session, GivenRequest())
    session.close()
    return [(each.event, each.client, each.text) for each in found.texts]


def test_what_is_read_over_mcp_is_recorded_with_its_tool_and_client(tree: Place) -> None:
    with serve(tree) as client:
        client.initialize()
        saved = client.call("mem_save", title="Oil", content="Oil it in May")
        found = client.call("mem_search", query="Oil")
        brief = client.call("cortex_brief")
        client.refuse("mem_get_observation", id="OBS-999")
        read = client.ask("resources/read", uri="cortex://CORTEX.md")["result"]["contents"][0]
    told = read_record(tree)
    expected = [("mem_search", found), ("cortex_brief", brief), ("resource", read["text"])]
    assert sorted((tool, text) for tool, _, text in told) == sorted(expected)
    assert {name for _, name, _ in told} == {"test"}
    assert saved not in {text for *_, text in told}


def test_a_full_day_takes_no_more_and_no_call_fails(tree: Place) -> None:
    folder = tree.root / ".cortexfs" / ANSWERED_FOLDER
    with serve(tree) as client:
        client.initialize()
        client.call("mem_context")
        (day,) = folder.iterdir()
        full = b"x" * (MAX_DAY_BYTES // 2)
        day.write_bytes(full)
        client.call("mem_context")
        assert day.read_bytes() == full
        day.unlink()
        day.mkdir()
        client.call("mem_context")
    assert read_record(tree) == []
