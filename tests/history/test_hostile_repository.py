"""No program that a hostile repository names is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade
from cortexfs.history.find_repository import find_repository, init_repository

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository

COMMANDS = [
    "core.fsmonitor",
    "core.editor",
    "core.pager",
    "core.sshCommand",
    "core.askPass",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "core.hooksPath",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "diff.evil.command",
    "diff.evil.textconv",
    "diff.external",
    "merge.evil.driver",
    "credential.helper",
    "gpg.program",
    "gpg.openpgp.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.x509.program",
    "sequence.editor",
    "interactive.diffFilter",
    "alias.cat-file",
    "alias.ls-files",
    "alias.update-ref",
    "alias.update-index",
    "alias.log",
    "pager.log",
    "pager.config",
    "uploadpack.packObjectsHook",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "remote.evil.vcs",
    "trailer.evil.command",
    "trailer.evil.cmd",
    "browser.evil.cmd",
    "man.evil.cmd",
    "difftool.evil.cmd",
    "mergetool.evil.cmd",
    "sendemail.toCmd",
    "hook.evil.command",
]

PLAIN = """
[core]
	repositoryFormatVersion = 1
	attributesFile = {top}/.gitattributes
	untrackedCache = true
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[log]
	showSignature = true
[gpg]
	format = ssh
[filter "evil"]
	required = true
[diff]
	renames = copies
[hook "evil"]
	event = reference-transaction
	event = post-index-change
[remote "origin"]
	url = {top}/nowhere
	promisor = true
	partialCloneFilter = blob:none
[extensions]
	partialClone = origin
[submodule "evil"]
	update = !{canary} submodule
	url = ext::{canary} ext
[protocol "ext"]
	allow = always
[init]
	templateDir = {top}/template
[include]
	path = {top}/included
[includeIf "gitdir:/"]
	path = {top}/included
"""

HOOKS = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "update",
]

ATTRIBUTES = "* filter=evil diff=evil merge=evil ident text eol=crlf working-tree-encoding=UTF-16\n"


def write_program(path: Path, trace: Path) -> Path:
    """Write a program that records that it was run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "$0 $*" >> {trace}\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "trace"


@pytest.fixture
def hostile(repository: Repository, tmp_path: Path, trace: Path) -> Repository:
    """Set every known trap in settings, hooks, attributes and a planted repository."""
    top, canary = repository.top, write_program(tmp_path / "evil/canary", trace)
    (repository.write("lost.md", "lost\n"), repository.write("bare/.keep", ""))
    repository.git("add", ".")
    repository.git("commit", "-qm", "traps")
    lost = repository.git("rev-parse", "HEAD:lost.md").strip()
    (top / f".git/objects/{lost[:2]}/{lost[2:]}").unlink()
    (top / "lost.md").unlink()
    (top / ".gitattributes").write_text(ATTRIBUTES)
    (top / ".git/info").mkdir(exist_ok=True)
    (top / ".git/info/attributes").write_text(ATTRIBUTES)
    for name in HOOKS:
        write_program(top / f".git/hooks/{name}", trace)
        write_program(top / f"template/hooks/{name}", trace)
    with (top / ".git/config").open("a") as config:
        config.write(PLAIN.format(top=top, canary=canary))
    for key in COMMANDS:
        value = f"{top}/.git/hooks" if key == "core.hooksPath" else f"{canary} {key}"
        value = f"!{value}" if key.startswith("alias.") else value
        with (top / "included").open("a") as included:
            section, _, name = key.rpartition(".")
            first, _, inner = section.partition(".")
            head = f'[{first} "{inner}"]' if inner else f"[{first}]"
            included.write(f"{head}\n\t{name} = {value}\n")
    shutil.copytree(top / ".git", top / "bare", dirs_exist_ok=True)
    trace.unlink(missing_ok=True)
    return repository


def make_racy(repository: Repository, path: str) -> None:
    """Give a file the time of the index: git reads such a file whenever it can."""
    index = repository.top / ".git/index"
    stamp = index.stat().st_mtime_ns
    os.utime(repository.top / path, ns=(stamp, stamp))


def use_everything(repository: Repository) -> None:
    """Call every function, and commit an edit, a new file and a removal."""
    history = init_repository(str(repository.top))
    assert find_repository(str(repository.top / "bare")) is not None
    assert history.busy_reason() is None
    new = repository.write("projects/p/knowledge/K-002.md", "new\n")
    repository.write(repository.atom, "two\n")
    paths = [repository.atom, new, "mine.md", "lost.md"]
    assert repository.atom in history.find_user_changes(paths).changed
    assert new in history.list_changes()
    (repository.top / "mine.md").unlink()
    assert isinstance(history.commit("all", paths), CommitMade)
    (repository.top / ".git/index.lock").touch()
    repository.write(repository.atom, "three\n")
    assert isinstance(history.commit("behind", [repository.atom]), CommitMade)
    (repository.top / ".git/index.lock").unlink()
    history.commit("mended", [repository.atom])
    assert len(history.list_file_commits(repository.atom, 9)) == 3
    assert history.read_file_at("HEAD", repository.atom) == b"three\n"
    with pytest.raises(HistoryFailed, match=r"`lost.md`: its object [0-9a-f]{40} is damaged"):
        history.read_file_at("HEAD~2", "lost.md")


def test_git_itself_would_run_the_hostile_programs(hostile: Repository, trace: Path) -> None:
    make_racy(hostile, "mine.md")  # else git status may read no file
    hostile.git("status", check=False)
    hostile.git("cat-file", "-p", "HEAD:lost.md", check=False)
    hostile.git("update-ref", "refs/heads/x", "HEAD", check=False)
    heard = trace.read_text()
    for trap in ("core.fsmonitor", "filter.evil", "uploadpack", "hooks/reference-transaction"):
        assert trap in heard


def test_no_program_of_a_hostile_repository_is_run(hostile: Repository, trace: Path) -> None:
    make_racy(hostile, "mine.md")
    use_everything(hostile)
    assert not trace.exists(), trace.read_text()


def test_no_program_named_in_the_repository_settings_is_run(
    hostile: Repository, trace: Path
) -> None:
    config = (hostile.top / ".git/config").read_text().partition("[include]")[0]
    (hostile.top / ".git/config").write_text(config + (hostile.top / "included").read_text())
    use_everything(hostile)
    assert not trace.exists(), trace.read_text()


def test_a_hostile_branch_without_commits_runs_nothing(hostile: Repository, trace: Path) -> None:
    hostile.git("-c", "core.hooksPath=/dev/null", "symbolic-ref", "HEAD", "refs/heads/other")
    trace.unlink(missing_ok=True)
    assert isinstance(hostile.history.commit("first", [hostile.atom]), CommitMade)
    assert not trace.exists(), trace.read_text()


def test_a_signed_history_is_read_without_running_gpg(hostile: Repository, trace: Path) -> None:
    signed = hostile.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN SSH CHANGE-----\n x\n -----END SSH CHANGE-----\n\n", 1
    )
    done = subprocess.run(
        ["git", "-C", hostile.top, "hash-object", "-t", "commit", "-w", "--stdin"],
        input=signed,
        capture_output=True,
        text=True,
        check=True,
    )
    (hostile.top / ".git/refs/heads/main").write_text(done.stdout)
    trace.unlink(missing_ok=True)
    assert hostile.history.list_file_commits("mine.md", 5)
    assert not trace.exists(), trace.read_text()


def test_a_file_planted_at_an_expected_missing_path_is_not_read(
    hostile: Repository, trace: Path
) -> None:
    planted = hostile.top / ".git/cortexfs/empty/mine.md"
    planted.parent.mkdir(parents=True)
    shutil.copy2(hostile.top / "mine.md", planted)
    hostile.write(hostile.atom, "two\n")
    with pytest.raises(HistoryFailed, match="should be an empty"):
        hostile.history.commit("two", [hostile.atom])
    assert not trace.exists()


def test_replacement_objects_are_ignored(repository: Repository) -> None:
    repository.write("mine.md", "swapped\n")
    repository.git("commit", "-qam", "swapped")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.git("replace", "HEAD", "HEAD@{1}")
    repository.write(repository.atom, "two\n")
    assert isinstance(repository.history.commit("two", [repository.atom]), CommitMade)
    assert repository.git("--no-replace-objects", "show", "HEAD:mine.md") == "one\n"
