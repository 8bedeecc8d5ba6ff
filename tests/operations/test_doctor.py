"""`doctor` reports what is wrong and which command fixes it, and changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import sys
from datetime import UTC
from typing import TYPE_CHECKING, Any

import pytest
from model_server import configure_model, state_file

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.language_model.call_limits import CallState, format_call_state
from cortexfs.errors import format_extra_hint
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.commands.setup import set_up_client
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.operations.doctor import doctor
from cortexfs.operations.setup import list_clients
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place


def _list_failed_checks(place: Place, code: int) -> dict[str, dict[str, Any]]:
    ran = place.run("doctor", "--json")
    assert ran.code == code, ran
    return {fact["name"]: fact for fact in json.loads(ran.out)["checks"] if not fact["ok"]}


def test_following_the_advice_of_doctor_ends_without_problems(tree: Place, world: Path) -> None:
    assert _list_failed_checks(tree, 0) == {}
    assert "ok\tclaude-code\tnot connected\tcortexfs setup claude-code" in tree.ok("doctor")
    (world / ".claude").mkdir()
    (world / ".claude/settings.json").write_text("{}")
    wrong = _list_failed_checks(tree, 1)
    assert wrong.keys() == {"claude-code"}
    tree.ok(*wrong["claude-code"]["fix"].split()[1:], "--yes")
    assert _list_failed_checks(tree, 0) == {}
    for name in ("note_event.py", "guard.py", "drain_later.py"):
        (world / ".cortex/hooks" / name).write_text("# another version\n")
        wrong = _list_failed_checks(tree, 1)
        tree.ok(*wrong["claude-code"]["fix"].split()[1:], "--yes")
        assert _list_failed_checks(tree, 0) == {}


def test_stale_indexes_are_reported_with_the_command_that_fixes_them(tree: Place) -> None:
    tree.ok("setup", "claude-code", "--yes")
    (tree.root / "projects/flywheel/experiments/index.md").write_text("old")
    wrong = _list_failed_checks(tree, 1)
    assert wrong["indexes"]["message"].startswith("1 ")
    tree.ok(*wrong["indexes"]["fix"].split()[1:])
    assert _list_failed_checks(tree, 0) == {}


def test_a_world_writable_tree_is_reported(tree: Place) -> None:
    tree.root.chmod(0o777)
    assert "chmod o-w" in _list_failed_checks(tree, 1)["tree"]["fix"]


def test_a_merge_in_progress_is_reported(tree: Place) -> None:
    (tree.root / ".git/MERGE_HEAD").write_text(tree.git("rev-parse", "HEAD"))
    assert "merge" in _list_failed_checks(tree, 1)["git"]["message"]


def test_a_repository_with_missing_objects_is_reported_with_a_command(tree: Place) -> None:
    shutil.rmtree(tree.root / ".git/objects")
    (tree.root / ".git/objects").mkdir()
    wrong = _list_failed_checks(tree, 1)["git"]
    assert "the commit that HEAD names" in wrong["message"]
    assert "git fsck" in wrong["fix"]


def test_a_damaged_git_index_is_reported(tree: Place) -> None:
    (tree.root / ".git/index").write_bytes(b"DIRC nonsense")
    assert "index" in _list_failed_checks(tree, 1)["git"]["message"]


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock", "index.lock"])
def test_an_old_git_lock_is_reported_and_a_young_one_is_not(tree: Place, name: str) -> None:
    lock = tree.root / ".git" / name
    lock.touch()
    assert _list_failed_checks(tree, 0) == {}
    os.utime(lock, (0, 0))
    wrong = _list_failed_checks(tree, 1)["git"]
    assert wrong["message"] == f"`{lock}` exists since 1970-01-01 00:00 UTC"
    assert f"rm {lock}" in wrong["fix"]
    assert lock.exists()


def test_a_dot_git_file_that_points_elsewhere_is_explained(tree: Place) -> None:
    (tree.root / ".git").rename(tree.root.parent / "elsewhere")
    (tree.root / ".git").symlink_to(tree.root.parent / "elsewhere")
    assert "core.worktree" in _list_failed_checks(tree, 1)["git"]["message"]
    ran = tree.run("log")
    assert ran.code == 3
    assert "core.worktree" in ran.err


def test_broken_client_settings_are_reported_and_not_touched(tree: Place, world: Path) -> None:
    settings = world / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text("{ not json")
    assert str(settings) in _list_failed_checks(tree, 1)["claude-code"]["message"]
    assert settings.read_text() == "{ not json"


def test_what_agents_may_not_do_without_asking_is_named_with_the_option_that_allows_it(
    tree: Place,
) -> None:
    def options() -> list[str]:
        checks = json.loads(tree.run("doctor", "--json").out)["checks"]
        return [each["fix"].split()[-1] for each in checks if each["ok"] and "fix" in each]

    tree.ok("setup", "claude-code", "--yes")
    assert options() == ["--allow-write", "--allow-commands"]
    assert "may not write to the tree without asking" in tree.ok("doctor")
    tree.ok("setup", "claude-code", "--yes", "--allow-write")
    assert options() == ["--allow-commands"]
    tree.ok("setup", "claude-code", "--yes", "--allow-commands")
    assert options() == []


def test_a_large_tree_is_told_by_what_it_is_searched(tree: Place) -> None:
    assert "find" not in tree.run("doctor").out
    large = {"CORTEXFS_LARGE_FROM": "0"}
    assert "ok\tfind\tuses tantivy from the next change on" in tree.run("doctor", **large).out
    tree.write("projects/flywheel/experiments/EXP-001.md", "---\nid: EXP-001\n---\n")
    tree.run("find", "x", **large)
    assert "ok\tfind\tuses tantivy, because" in tree.run("doctor", **large).out


def test_doctor_names_the_extra_to_install_for_a_large_tree(
    tree: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_LARGE_FROM", "0")
    monkeypatch.setitem(sys.modules, "tantivy", None)
    facts = doctor(Session.open(str(tree.root), read_clock), os.environ)
    assert [fact.fix for fact in facts if fact.subject == "find"] == [format_extra_hint("large")]


def test_extras_that_are_not_installed_are_named_and_no_failure(
    tree: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def list_missing() -> list[str]:
        facts = doctor(Session.open(str(tree.root), read_clock), os.environ)
        return [fact.fix for fact in facts if fact.subject == "extras" and fact.passed]

    codex = next(client for client in list_clients() if client.name == "codex")
    run = CommandContext(OutputPrinter(), str(tree.root), ExecutionMode.DRY_RUN)
    set_up_client(run, codex, set(), remove=False, yes=False)
    assert (list_missing(), "cannot start" in capsys.readouterr().err) == ([], False)
    for package in ("mcp", "uvicorn", "textual"):
        monkeypatch.setitem(sys.modules, package, None)
    assert list_missing() == [format_extra_hint(name) for name in ("server", "mcp", "tui")]
    set_up_client(run, codex, set(), remove=False, yes=False)
    expected = f"`cortexfs mcp` cannot start: {format_extra_hint('mcp')}"
    assert expected in capsys.readouterr().err


def test_a_tracked_private_folder_is_reported_with_the_command_that_untracks_it(
    tree: Place,
) -> None:
    tree.ok("setup", "claude-code", "--yes")
    tree.write(".cortexfs/lock", "")
    tree.git("add", "--force", ".cortexfs/lock")
    tree.git("commit", "-qm", "by mistake")
    command = _list_failed_checks(tree, 1)["git"]["fix"].split()
    assert command[:3] == ["git", "-C", str(tree.root)]
    tree.git(*command[3:])
    tree.git("commit", "-qm", "no more")
    assert _list_failed_checks(tree, 0) == {}


def test_a_tracked_bulletin_is_reported_and_a_page_of_that_name_is_not(tree: Place) -> None:
    tree.ok("setup", "claude-code", "--yes")
    tree.write("BULLETIN.md", "my own page\n")
    tree.git("add", "--force", "BULLETIN.md")
    tree.git("commit", "-qm", "a page")
    assert _list_failed_checks(tree, 0) == {}
    tree.write("BULLETIN.md", "<!-- cortexfs:bulletin -->\n")
    command = _list_failed_checks(tree, 1)["git"]["fix"].split()
    tree.git(*command[3:])
    tree.git("commit", "-qm", "no more")
    assert _list_failed_checks(tree, 0) == {}


def test_a_symlinked_private_folder_from_a_pull_is_refused_until_it_is_removed(
    tree: Place, tmp_path: Path
) -> None:
    (tmp_path / "outside/spool/new").mkdir(parents=True)
    (tree.root / ".cortexfs").rename(tmp_path / "own")
    (tree.root / ".cortexfs").symlink_to(tmp_path / "outside")
    for words in (["doctor"], ["list"], ["hook", "drain"], ["check", "--fix"]):
        ran = tree.run(*words)
        assert (ran.code, f"`rm {tree.root}/.cortexfs`" in ran.err) == (3, True), ran
    assert sorted((tmp_path / "outside").rglob("*")) == [
        tmp_path / "outside/spool",
        tmp_path / "outside/spool/new",
    ]
    (tree.root / ".cortexfs").unlink()
    tree.ok("check")


def test_doctor_changes_nothing(tree: Place) -> None:
    tree.write("projects/flywheel/experiments/EXP-001.md", "---\nid: EXP-001\n---\n")
    before = tree.git("status", "--porcelain", "-uall")
    tree.run("doctor")
    assert tree.git("status", "--porcelain", "-uall") == before


def test_a_language_model_is_shown_with_its_budget_and_its_last_failure(
    tree: Place, tmp_path: Path
) -> None:
    """It is not asked: nobody answers at this address."""

    def show(environ: dict[str, str]) -> tuple[str, bool]:
        checks = json.loads(tree.run("doctor", "--json", **environ).out)["checks"]
        (model,) = (check for check in checks if check["name"] == "model")
        return model["message"], model["ok"]

    assert show({}) == ("none configured", True)
    server = {"endpoint": "http://127.0.0.1:9/v1", "name": "tiny"}
    environ = configure_model(tmp_path, **server)
    assert show(environ) == ("tiny (127.0.0.1:9): 20 of 20 calls left today", True)
    assert not (tmp_path / "state").exists()
    state = state_file(tmp_path, "state.json")
    state.parent.mkdir(parents=True)
    now = read_clock()
    day = now.astimezone(UTC).date().isoformat()
    failed = CallState(day, 3, 1, 0, 0, "it answered with status 500")
    state.write_bytes(format_call_state(failed))
    message, passed = show(environ)
    assert passed
    assert message == (
        "tiny (127.0.0.1:9): 17 of 20 calls left today;"
        " last failure 1970-01-01 00:00 UTC: it answered with status 500"
    )
    paused = failed._replace(paused_until=now.timestamp() + 600)
    state.write_bytes(format_call_state(paused))
    message, passed = show(environ)
    assert not passed
    assert "no calls until" in message
    assert show(configure_model(tmp_path, **server, calls_per_day=0))[1]
    message, passed = show(configure_model(tmp_path, command=["llm"], timeout="soon"))
    assert (message, passed) == ("model.timeout is not a number of seconds", False)
    assert "/cortexfs/config.yaml" in tree.run("doctor", **configure_model(tmp_path, name="x")).out
    message, passed = show(configure_model(tmp_path, command=["no-such-program"]))
    assert (message, passed) == (
        "no-such-program: the program was not found, or may not be run",
        False,
    )
