"""Injections in the panel."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from panel_browser import open_browser
from running_server import NOW, run_server_of
from test_panel_xss import find_danger
from xss_payloads import PAYLOADS

if TYPE_CHECKING:
    from place import Place

BLOCK = '<cortex-memory source="bulletin/flywheel">\n- flywheel/K-001: {}\n</cortex-memory>'


def tell(tree: Place, *texts: str, session: str = "s1") -> None:
    """Keep texts as the hook does."""
    ns = int(NOW.timestamp() * 10**9)
    names = ("hook_event_name", "agent_id", "client")
    lines = (
        json.dumps({"ns": ns, "session_id": session, "text": text, **dict.fromkeys(names, text)})
        for text in texts
    )
    path = f".cortexfs/injection/given/{ns // (86_400 * 10**9)}"
    tree.write(path, "".join(f"{line}\n" for line in lines))


def test_each_text_is_shown_with_its_cost_and_sources(tree: Place) -> None:
    with run_server_of(tree) as running:
        browser = open_browser(running)
        assert "Nothing yet" in browser.get("/injections").main()
        tell(tree, BLOCK.format("oil it"), BLOCK.format("dry it"))
        page = browser.get("/injections")
        assert "2 of 2 texts, about" in page.main()
        assert "bulletin/flywheel" in page.main()
        assert "/atom/flywheel/K-001" in page.links()
        text = page.main()
        assert text.index("dry it") < text.index("oil it")
        assert "Not known: what agents read with commands" in text
        assert "2 of 2 texts" in browser.get("/injections?session=s1").main()
        assert "Nothing matches" in browser.get("/injections?session=s2").main()


def test_texts_that_cannot_be_read_are_not_taken_for_none(tree: Place) -> None:
    tree.write(".cortexfs/injection/given", "no folder\n")
    with run_server_of(tree) as running:
        page = open_browser(running).get("/injections")
        assert page.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert "That did not work" in page.main()
        assert "Nothing yet" not in page.main()


def test_a_file_that_cannot_be_read_is_named_beside_the_texts_of_others(tree: Place) -> None:
    tell(tree, "what is known", session="s1")
    (tree.root / ".cortexfs/injection/answered/20579").mkdir(parents=True)
    with run_server_of(tree) as running:
        page = open_browser(running).get("/injections").main()
        assert "1 file cannot be read: .cortexfs/injection/answered/20579" in page
        assert "what is known" in page


def test_what_a_hook_gave_stays_text(tree: Place) -> None:
    tell(tree, *PAYLOADS, session=PAYLOADS[0])
    with run_server_of(tree) as running:
        browser = open_browser(running)
        page = browser.get("/injections")
        assert f"of {len(PAYLOADS)} texts" in page.main()
        assert find_danger(page, browser) == []
