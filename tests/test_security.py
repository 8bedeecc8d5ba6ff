"""What docs/security.md promises and no other test holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from pages import REPOSITORY, page, rows, section, words
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

PROGRAMS = """core.fsmonitor core.pager core.editor core.askPass core.sshCommand core.gitProxy
    core.alternateRefsCommand sequence.editor diff.external diff.evil.textconv diff.evil.command
    merge.evil.driver filter.evil.clean filter.evil.smudge filter.evil.process gpg.program
    gpg.ssh.program gpg.x509.program credential.helper interactive.diffFilter pager.log pager.status
    pack.packObjectsHook uploadpack.packObjectsHook receive.procReceiveRefs trailer.evil.command
    hook.evil.command browser.evil.cmd man.evil.cmd difftool.evil.cmd mergetool.evil.cmd
    guitool.evil.cmd remote.origin.vcs"""
"""Settings of git whose value is, or becomes, a program to run."""

COLUMNS = ("ID", "Date", "Summary", "Status", "Tags", "Refs", "Last ref", "Links")

HOOKS = """applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit
    prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push
    pre-auto-gc post-rewrite fsmonitor-watchman post-index-change reference-transaction"""

ATOM = "---\nid: EXP-001\ndate: 2026-05-06\nproject: p\nsummary: {}\ntags: []\n---\n{}\n"


@pytest.fixture
def trapped(sample: Place) -> tuple[Place, Path]:
    """The sample in a repository that runs a program wherever git lets it; and its trace."""
    trace = sample.root.parent / "trace"
    trap = sample.root.parent / "trap"
    trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {trace}\ncat\n')
    trap.chmod(0o755)
    for key in PROGRAMS.split():
        sample.git("config", key, str(trap))
    for key, value in (("commit.gpgSign", "true"), ("hook.evil.event", "reference-transaction")):
        sample.git("config", key, value)
    (sample.root / ".git" / "hooks").mkdir(exist_ok=True)
    for name in HOOKS.split():
        os.symlink(trap, sample.root / ".git" / "hooks" / name)
    (sample.root / ".git" / "info").mkdir(exist_ok=True)
    (sample.root / ".git" / "info" / "attributes").write_text(
        "* filter=evil diff=evil merge=evil\n"
    )
    sample.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
    return sample, trace


def test_no_command_runs_a_program_of_the_repository(trapped: tuple[Place, Path]) -> None:
    place, trace = trapped
    place.write("projects/driftwood/STATUS.md", "# By hand\n")
    for command in (
        "init",
        "new experiment -p driftwood -s x -t t",
        "show driftwood/EXP-009",
        "hook drain",
        "index regen --all",
        "commit -m mine",
        "access rotate",
        "check --fix",
        "project new sundial --goal time",
        "access log",
        "log",
        "log driftwood/EXP-009",
        "diff driftwood/EXP-009",
        "show driftwood/EXP-009 --at HEAD",
        "undo",
    ):
        place.ok(*command.split())
    place.run("doctor")
    assert not trace.exists(), trace.read_text()
    assert "mine" in past(place)


def test_the_trap_works(trapped: tuple[Place, Path]) -> None:
    place, trace = trapped
    subprocess.run(["git", "status"], cwd=place.root, check=False, capture_output=True)
    assert trace.exists()


def past(place: Place) -> list[str]:
    """Read the subjects of the branch without asking a git that would run the trap."""
    log = (place.root / ".git" / "logs" / "HEAD").read_text()
    return re.findall(r"cortexfs: (.*)", log)


@pytest.mark.parametrize(
    "summary",
    leave_to_soak(["\x1b]0;owned\x07", "\x9b31m", "a\u202eb", "\u200bx", "\x08"], every=3),
)
def test_terminal_escapes_are_never_printed(tree: Place, summary: str) -> None:
    spelled = json.dumps(f"before{summary}after")
    text = ATOM.format(spelled, f"before{summary}after").replace("project: p", "project: flywheel")
    tree.write("projects/flywheel/experiments/EXP-001.md", text)
    commands = (["list"], ["show", "EXP-001"], ["check"], ["list", "--json"], ["commit"])
    said = "".join(ran.out + ran.err for ran in (tree.run(*words) for words in commands))
    assert "before" in said
    assert not [sign for sign in summary if not sign.isprintable() and sign in said]


def test_an_index_escapes_the_markup_of_a_summary(tree: Place) -> None:
    spelled = json.dumps("a | b `c` [d](http://e) <img src=x> \\")
    text = ATOM.format(spelled, "").replace("project: p", "project: flywheel")
    tree.write("projects/flywheel/experiments/EXP-001.md", text)
    tree.ok("index", "regen", "--all")
    row = next(
        line
        for line in tree.read("projects/flywheel/experiments/index.md").splitlines()
        if "EXP-001" in line
    )
    assert len(re.findall(r"(?<!\\)\|", row)) == len(COLUMNS) + 1
    assert not re.search(r"(?<!\\)[`<]", row)
    assert row.count("](") == 1 + row.count("\\](")


@pytest.mark.parametrize("promise", rows(section(page("docs/security.md"), "## What is promised")))
def test_each_security_promise_names_an_existing_test(promise: list[str]) -> None:
    for named in words(promise[2]):
        path, _, test = named.partition("::")
        assert f"def {test}(" in (REPOSITORY / path).read_text(), named
    assert words(promise[2])
