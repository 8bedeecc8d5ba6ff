"""The command line: JSON documents, exit codes, suggestions, and pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak, leave_to_soak

from cortexfs.interfaces.cli.app import COMMANDS as NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

SUCCESS: dict[str, tuple[str, ...]] = {
    "init": (),
    "init --dry-run": (),
    "project new": ("sundial", "--goal", "Know the time"),
    "project new --dry-run": ("moondial", "--goal", "Know the time at night"),
    "project list": (),
    "brief": ("-p", "driftwood"),
    "chat": ("what is stuck?",),
    "project show": ("driftwood",),
    "new": ("experiment", "-p", "driftwood", "-s", "One more", "-t", "codec"),
    "new --dry-run": ("experiment", "-p", "driftwood", "-s", "One more", "-t", "codec"),
    "export": (),
    "bridge": ("--in",),
    "audit": ("--project", "greenhouse"),
    "list": (),
    "tag list": (),
    "tag rename --dry-run": ("residuals", "rest"),
    "tag rename": ("residuals", "rest"),
    "stats": (),
    "show": ("driftwood/EXP-009",),
    "find": ("presence bitmap", "--explain"),
    "graph": ("driftwood/K-005", "--depth", "2"),
    "backlinks": ("driftwood/K-005",),
    "path": ("driftwood/K-005", "lighthouse/EXP-009"),
    "related": ("driftwood/K-005",),
    "entities": ("src/pack.rs",),
    "index regen": ("--all",),
    "index regen --check": ("--all",),
    "index regen --dry-run": ("--all",),
    "check": (),
    "check --fix": (),
    "commit": (),
    "commit --dry-run": (),
    "mark --dry-run": ("driftwood/EXP-012", "superseded", "--by", "driftwood/EXP-014"),
    "mark": ("driftwood/EXP-012", "superseded", "--by", "driftwood/EXP-014"),
    "undo --dry-run": (),
    "undo": (),
    "redo --dry-run": (),
    "redo": (),
    "open --print": ("driftwood/EXP-009",),
    "restore": ("driftwood/EXP-012", "--at", "HEAD"),
    "log": ("driftwood/EXP-005",),
    "diff": ("driftwood/EXP-005",),
    "status show": ("-p", "driftwood"),
    "status set": ("-p", "driftwood", "--next", "Release 0.4"),
    "issue add": ("Clock drifts", "-p", "driftwood", "--problem", "3 s a day"),
    "issue list": ("-p", "driftwood"),
    "issue resolve": ("No board", "-p", "driftwood"),
    "mission show": ("-p", "driftwood"),
    "roadmap show": ("-p", "driftwood"),
    "roadmap tick": ("Cost of frames by time", "-p", "driftwood"),
    "decision new": ("-s", "Dates in UTC", "--alternative", "UTC", "--alternative", "Local"),
    "decision list": (),
    "idea new": ("-s", "Tides as a clock", "-t", "time"),
    "idea promote": ("IDEA-001", "echo", "--goal", "Corrections reach all that cite"),
    "scan list": (),
    "user show": (),
    "user learn": ("Spelling", "British", "--type", "Communication"),
    "maintain": (),
    "patterns": (),
    "check --fresh": (),
    "task list": (),
    "task next": (),
    "task claim": ("51e0",),
    "task lint": (),
    "access log": (),
    "access top": (),
    "access rotate": (),
    "access rotate --dry-run": (),
    "hook drain": (),
    "hook status": (),
    "daemon stop": (),
    "event": ("prompt", "--session", "s"),
    "ps": (),
    "rename --dry-run": ("driftwood/EXP-003", "EXP-300"),
    "rename": ("driftwood/EXP-003", "EXP-300"),
    "move --dry-run": ("driftwood/EXP-300", "greenhouse"),
    "move": ("driftwood/EXP-300", "greenhouse"),
    "rm --dry-run": ("greenhouse/EXP-300", "--force"),
    "rm": ("greenhouse/EXP-300", "--force"),
    "story list": ("-p", "driftwood"),
    "setup claude-code --dry-run": (),
    "setup schedule --using cron --dry-run": (),
}
KEYS = {
    "init": {"tree", "added"},
    "project new": {"created", "commit"},
    "project list": {"projects"},
    "project show": {"project", "content"},
    "new": {"created", "commit"},
    "list": {"atoms"},
    "tag list": {"tags"},
    "tag rename": {"renamed", "commit"},
    "stats": {"stats"},
    "brief": {"brief"},
    "chat": {"message"},
    "show": {"atom", "content", "backlinks", "history"},
    "find": {"found", "matched-by"},
    "graph": {"ref", "atoms"},
    "entities": {"mentions"},
    "index regen": {"indexes"},
    "index regen --check": {"indexes"},
    "check": {"findings", "errors", "warnings"},
    "check --fix": {"findings", "errors", "warnings"},
    "task list": {"tasks"},
    "task claim": {"tasks", "commit"},
    "task lint": {"findings", "errors", "warnings"},
    "access log": {"access-events"},
    "access top": {"atoms"},
    "hook drain": {"drained"},
    "hook status": {"spool"},
    "daemon stop": {"daemon"},
    "event": {"recorded"},
    "ps": {"processes"},
}


def _parse_document(out: str) -> dict[str, object]:
    """Parse stdout, which must be one document on one line."""
    assert out.count("\n") == 1, out
    read = json.loads(out)
    assert read.pop("format") == 1
    return read


def test_every_command_is_tested_with_json() -> None:
    tried = {words.partition(" ")[0] for words in SUCCESS}
    elsewhere = {"watch", "doctor", "embed", "import", "edit", "renumber", "help"}
    assert tried | elsewhere | {"mcp", "serve", "ui", "tui"} == set(NAMES)


def test_json_prints_exactly_one_document_and_nothing_on_stderr(sample: Place, world: Path) -> None:
    crontab = world / "crontab"
    crontab.write_text("#!/bin/sh\n")
    crontab.chmod(0o700)
    path = f"{world}:{os.environ['PATH']}"
    for words, more in SUCCESS.items():
        ran = sample.run(*words.split(), *more, "--json", PATH=path)
        assert (ran.code, ran.err) == (0, ""), words
        document = _parse_document(ran.out)
        if "--dry-run" in words and not words.startswith("commit"):
            assert document.keys() == {"plan"}, words
        assert KEYS.get(words, set()) <= document.keys(), words
        assert None not in document.values(), words


def test_json_prints_one_document_for_an_error_too(tmp_path: Path, sample: Place) -> None:
    nowhere = str(tmp_path / "nowhere")
    tried = [words for words in SUCCESS if not words.startswith("init")]

    def refused(words: str) -> tuple[int, str, str]:
        ran = sample.run(*words.split(), *SUCCESS.get(words, ()), "--json", "--root", nowhere)
        error = _parse_document(ran.out)["error"]
        assert {"kind", "message", "hint"} == error.keys()
        return ran.code, error["kind"], ran.err

    with ThreadPoolExecutor(2) as pool:
        for words, answer in zip(tried, pool.map(refused, tried), strict=True):
            assert answer == (3, "no-tree", ""), words
    for words in (["doctor"], ["watch"]):
        assert sample.run(*words, "--json", "--root", nowhere).code == 3
    for words in (["list", "--colour"], ["lits"], ["index", "regen"], ["project", "new"]):
        ran = sample.run(*words, "--json")
        assert (ran.code, _parse_document(ran.out)["error"]["kind"]) == (2, "usage"), words
    ran = sample.run("init", "/dev/null/tree", "--json")
    assert (ran.code, _parse_document(ran.out)["error"]["kind"]) == (3, "system")


def test_every_failure_has_its_exit_code(sample: Place) -> None:
    codes = {
        ("list",): 0,
        ("list", "--status", "refined", "--project", "greenhouse"): 1,
        ("list", "--tag", "nobody-uses-this"): 3,
        ("index", "regen"): 2,
        ("list", "--colour"): 2,
        ("show", "driftwood/EXP-999"): 3,
        ("new", "experiment", "-p", "driftwood"): 3,
        ("project", "new", "../out", "--goal", "x"): 3,
    }
    for words, code in codes.items():
        ran = sample.run(*words)
        assert ran.code == code, ran
        if code > 1:
            assert ran.out == ""
            assert [line[:7] for line in ran.err.splitlines()] == ["error: ", " hint: "], ran


def test_a_bug_writes_a_report_and_exits_with_70(sample: Place, tmp_path: Path) -> None:
    broken = "import difflib\ndifflib.get_close_matches = None\n"
    (tmp_path / "sitecustomize.py").write_text(broken)
    words = ["--root", str(sample.root), "show", "driftwood/EXP-999"]
    argv = [sys.executable, "-m", "cortexfs", *words]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 70
    (report,) = (sample.root / ".cortexfs/crash").glob("*.txt")
    assert str(report) in ran.stderr
    assert "Traceback" in report.read_text()
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("words", "nearest"),
    leave_rows_to_soak(
        [
            (["lits"], "list"),
            (["index", "regan"], "regen"),
            (["list", "experimnt"], "`experiment`"),
            (["new", "knowlege", "-p", "driftwood"], "`knowledge`"),
            (["project", "show", "driftwod"], "`driftwood`"),
            (["list", "--project", "green-house"], "`greenhouse`"),
            (["show", "driftwood/EXP-0009"], "`driftwood/EXP-009`"),
            (["show", "driftwood/K-0009"], "K-009`"),
            (["list", "--projct", "driftwood"], "`--project`"),
            (["list", "--status", "challanged"], "`challenged`"),
            (["list", "--kind", "experimnt,idea"], "`experiment`"),
            (["list", "--tag", "residual"], "`residuals`"),
            (["list", "--sort", "dat"], "`date`"),
            (["find", "tag:residual drift"], "`residuals`"),
            (["find", "drift -status:challanged"], "`challenged`"),
            (["task", "list", "--status", "blokced"], "`blocked`"),
            (["entities", "--sort", "packge"], "`package`"),
        ],
        every=4,
    ),
)
def test_a_typing_error_is_answered_with_the_nearest_name(
    sample: Place, words: list[str], nearest: str
) -> None:
    ran = sample.run(*words)
    assert ran.code in {2, 3}
    assert nearest in ran.err


@pytest.mark.parametrize(
    "words",
    leave_to_soak(
        [
            ["zzz"],
            ["index", "zzz"],
            ["list", "--zzz"],
            ["list", "zzz"],
            ["list", "-p", "zzz"],
            ["list", "--tag", "zzz"],
            ["list", "--status", "zzz"],
            ["show", "zzz"],
        ],
        every=3,
    ),
)
def test_an_unlike_name_gets_no_suggestion(sample: Place, words: list[str]) -> None:
    ran = sample.run(*words)
    assert ran.code in {2, 3}
    assert "did you mean" not in ran.err
    assert " hint: " in ran.err


def test_an_id_without_zeros_or_hyphen_is_found_if_one_atom_has_it(sample: Place) -> None:
    path = sample.ok("open", "driftwood/K-009", "--print")
    for typed in ("K9", "k-9", "driftwood/k9"):
        assert sample.ok("open", typed, "--print") == path, typed
    ran = sample.run("show", "k1")
    assert (ran.code, "`driftwood/K-001`, `greenhouse/K-001`" in ran.err) == (3, True), ran
    ran = sample.run("show", "driftwood/k99")
    assert "no atom named `driftwood/K-099`" in ran.err
    assert "driftwood has K-001 to K-009" in ran.err


def test_an_unknown_number_is_answered_with_the_existing_range(sample: Place) -> None:
    assert "driftwood has EXP-001 to EXP-016" in sample.run("show", "driftwood/EXP-099").err
    assert "greenhouse has no idea" in sample.run("show", "greenhouse/IDEA-009").err


def test_the_help_page_groups_the_commands_and_hides_internal_ones(sample: Place) -> None:
    page = sample.ok("--help")
    heads = [line[:-1] for line in page.splitlines() if line.endswith(":") and line[0] != " "]
    assert heads == [
        *("Options", "Start", "Write", "Read", "Connections", "Plan", "Upkeep", "Services")
    ]
    assert "\n  hook " not in page
    assert "Usage: cortexfs hook" in sample.ok("hook", "--help")


def test_help_prints_what_h_prints_for_every_kind_of_command(sample: Place) -> None:
    for words in ([], ["task"], ["task", "add"], ["list"], ["hook", "drain"]):
        page = sample.ok(*words, "--help")
        assert sample.ok(*words, "-h") == sample.ok("help", *words) == page, words
    for words, hint in (
        (["tsk"], "did you mean `task`?"),
        (["task", "ad"], "did you mean `add`?"),
        (["list", "all"], "`cortexfs list -h` shows its help"),
    ):
        ran = sample.run("help", *words)
        assert (ran.code, hint in ran.err) == (2, True), ran


def test_an_unknown_subcommand_is_answered_with_those_that_exist(sample: Place) -> None:
    ran = sample.run("setup", "vim")
    assert (ran.code, ran.out) == (2, "")
    assert "`cortexfs setup` takes claude-code, codex, gemini, opencode, cursor, vscode" in ran.err
    assert "did you mean `claude-code`?" in sample.run("setup", "claud-code").err


def test_an_option_of_all_commands_is_sent_to_its_place(sample: Place) -> None:
    ran = sample.run("task", "list", "--version")
    assert (ran.code, ran.out) == (2, "")
    assert " hint: it comes before the command: `cortexfs --version task list`\n" in ran.err


def test_an_alias_runs_its_command(sample: Place) -> None:
    assert sample.ok("ls", "-n", "3") == sample.ok("list", "-n", "3")
    assert sample.ok("search", "drift", "-n", "1") == sample.ok("find", "drift", "-n", "1")


def test_an_error_before_any_change_promises_no_completion(tree: Place) -> None:
    shutil.rmtree(tree.root / ".cortexfs")
    (tree.root / ".cortexfs").write_text("")
    ran = tree.run("list")
    assert (ran.code, "half-way" in ran.err) == (3, False)
    assert ran.err.startswith(f"error: {tree.root}/.cortexfs is not a folder\n")


@pytest.mark.parametrize(
    "words",
    leave_to_soak([["list"], ["check"], ["access", "log", "-n", "500"], ["--help"]], every=2),
)
def test_a_closed_output_pipe_is_no_error(sample: Place, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "cortexfs", "--root", str(sample.root), *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_removed_working_directory_stops_no_command_with_a_root(sample: Place) -> None:
    (sample.root.parent / "gone").mkdir()
    script = 'cd ../gone && rmdir ../gone && exec "$@"'
    command = [sys.executable, "-m", "cortexfs", "--root", str(sample.root), "index", "regen"]
    for words, code in (([*command, "--all"], 0), (command, 2)):
        (sample.root.parent / "gone").mkdir(exist_ok=True)
        done = subprocess.run(
            ["sh", "-c", script, "sh", *words],
            cwd=sample.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done


def test_quiet_prints_only_data(sample: Place) -> None:
    nothing = ("list", "--since", "9999")
    loud = sample.run(*nothing)
    quiet = sample.run(*nothing, "--quiet")
    assert loud.err == "no matches\n"
    assert (quiet.code, quiet.out, quiet.err) == (1, "", "")
    assert sample.run("--quiet", *nothing).err == ""


def test_the_version_is_the_installed_one(sample: Place) -> None:
    assert sample.ok("--version") == f"cortexfs {version('cortexfs')}\n"
