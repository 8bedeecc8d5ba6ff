"""Clients are connected and disconnected in the panel, each change as it was shown before."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from crontab_program import make_crontab_program
from panel_browser import Browser, open_browser
from running_server import run_server_of
from test_panel_xss import find_danger
from xss_payloads import PAYLOADS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from panel_browser import Page
    from place import Place

BEFORE = '{"mcpServers": {"docs": {"url": "http://127.0.0.1:1"}}}\n'


@pytest.fixture
def settings(world: Path) -> Path:
    path = world / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text(BEFORE)
    return path


@pytest.fixture
def browser(tree: Place, settings: Path) -> Iterator[Browser]:
    assert settings.exists()
    with run_server_of(tree) as running:
        yield open_browser(running)


def read_form(page: Page) -> dict[str, Any]:
    """Return the fields of the form that makes the change."""
    (form,) = (
        each
        for each in page.find_all("form")
        if each.get("method") == "post" and each.get("action", "").startswith("/wiring/")
    )
    return {each.get("name"): each.get("value") for each in form.iter() if each.tag == "input"}


def test_a_client_is_previewed_connected_and_disconnected(browser: Browser, settings: Path) -> None:
    assert "Cursor not connected" in browser.get("/wiring").main()
    preview = browser.get("/wiring/cursor?action=setup")
    assert "cortexfs" in "".join("".join(each.itertext()) for each in preview.find_all("ins"))
    assert settings.read_text() == BEFORE
    page = browser.post("/wiring/cursor", **read_form(preview))
    assert "Cursor is connected" in page.main()
    assert "cortexfs" in json.loads(settings.read_text())["mcpServers"]
    preview = browser.get("/wiring/cursor?action=remove")
    assert preview.find_all("del")
    page = browser.post("/wiring/cursor", **read_form(preview))
    assert "Cursor not connected" in page.main()
    assert settings.read_text() == BEFORE


def test_a_change_since_the_preview_is_shown_and_not_overwritten(
    browser: Browser, settings: Path
) -> None:
    fields = read_form(browser.get("/wiring/cursor?action=setup"))
    settings.write_text("{}")
    page = browser.post("/wiring/cursor", **fields)
    assert page.status == 409
    assert "this is the new difference" in page.main()
    assert settings.read_text() == "{}"
    assert browser.post("/wiring/cursor", **read_form(page)).status == 200
    assert "cortexfs" in settings.read_text()


def test_chosen_permissions_are_part_of_what_is_shown(browser: Browser, world: Path) -> None:
    plain = browser.get("/wiring/claude-code?action=setup")
    chosen = browser.get("/wiring/claude-code?action=setup&choice=write&choice=commands")
    assert read_form(plain)["digest"] != read_form(chosen)["digest"]
    fields = {**read_form(chosen), "choice": ["write", "commands"]}
    assert "Claude Code connected" in browser.post("/wiring/claude-code", **fields).main()
    assert "Bash(cortexfs" in (world / ".claude/settings.json").read_text()


def test_what_is_no_client_no_action_or_no_token_is_refused(
    browser: Browser, settings: Path
) -> None:
    assert browser.get("/wiring/emacs").status == 400
    assert browser.get("/wiring/cursor?action=format").status == 400
    assert browser.get("/wiring/cursor?choice=write").status == 400
    fields = read_form(browser.get("/wiring/cursor?action=setup"))
    assert browser.post("/wiring/cursor", **{**fields, "csrf": "stolen"}).status == 403
    assert settings.read_text() == BEFORE


def test_settings_that_cannot_be_read_are_named(browser: Browser, settings: Path) -> None:
    settings.write_text('{"mcpServers": ')
    page = browser.get("/wiring")
    assert "Cursor cannot be read" in page.main()
    assert (
        browser.get("/wiring/cursor").status == 422 or browser.get("/wiring/cursor").status == 409
    )


def test_secrets_are_hidden_and_texts_of_settings_stay_text(
    browser: Browser, settings: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4  # not one of anybody
    servers = {payload: {"env": {"TOKEN": secret}} for payload in PAYLOADS[:40]}
    settings.write_text(json.dumps({"mcpServers": servers}, indent=2))
    for path in ("/wiring/cursor?action=setup", "/wiring"):
        page = browser.get(path)
        assert secret not in page.text
        assert find_danger(page, browser) == []
    browser.post("/wiring/cursor", **read_form(browser.get("/wiring/cursor?action=setup")))
    assert settings.read_text().count(secret) == 40


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The table of a scheduler of this machine, with a line of its own."""
    programs = tmp_path / "programs"
    programs.mkdir()
    make_crontab_program(programs)
    git = shutil.which("git")
    assert git
    (programs / "git").symlink_to(git)
    monkeypatch.setenv("PATH", f"{programs}:/bin")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    (programs / "table").write_text("# mine\n")
    return programs / "table"


def test_a_schedule_is_previewed_set_up_and_removed(tree: Place, table: Path) -> None:
    with run_server_of(tree) as running:
        browser = open_browser(running)
        assert "Schedule not set up" in browser.get("/wiring").main()
        preview = browser.get("/wiring/background/schedule?action=setup&every=30m")
        assert "*/30 * * * *" in preview.main()
        assert table.read_text() == "# mine\n"
        fields = read_form(preview)
        page = browser.post("/wiring/background/schedule", **fields)
        assert "Schedule: set up" in page.main()
        assert "*/30 * * * *" in table.read_text()
        again = browser.post("/wiring/background/schedule", **fields)
        assert again.status == 409
        assert "Nothing was written" in again.main()
        preview = browser.get("/wiring/background/schedule?action=remove")
        browser.post("/wiring/background/schedule", **read_form(preview))
        assert table.read_text() == "# mine\n"


def test_where_no_service_manager_is_the_daemon_says_so(tree: Place, table: Path) -> None:
    assert table.exists()
    with run_server_of(tree) as running:
        browser = open_browser(running)
        page = browser.get("/wiring").main()
        assert "Daemon at login not possible here does not run now" in page
        assert browser.get("/wiring/background/daemon").status == 409
        assert browser.get("/wiring/background/nothing").status == 400
        assert browser.get("/wiring/background/schedule?every=soon").status in {400, 409}
