"""A configuration is read as git reads it, and only harmless settings are used."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade
from cortexfs.history.git_config import format_git_settings, parse_config, read_settings

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository

VALID = [
    "",
    "x = y\n",
    "# only a comment\n",
    "[a]\nb = c",
    "[a] b = c ; comment\n",
    "[a]\nb\n",
    "[a]\nb=\n",
    "[A.B]\nC = d\n",
    '[a "B c"]\nd = e\n',
    '[a "q\\"x\\\\y\\z"]\nd = e\n',
    '[a]\nb = "c # d" # e\n',
    "[a]\nb = c\\\nd\n",
    '[a]\nb = "c\\\nd"\n',
    '[a]\nb =   c d  "  e "  f   \n',
    '[a]\nb = \\t\\n\\b\\\\\\"\n',
    "[a]\r\nb = c\r\n",
    "\ufeff[a]\nb = c\n",
    "[a]\nb = c\nb = d\n[e]\nb = f\n",
    "[a]b=c\n",
    "[a]\n\tb-c1 = d;e\n",
    "[a]\nb = c \\",
]
INVALID = [
    "[core\n",
    "[a]\n1 = 2\n",
    '[a]\nb = "c\n',
    "[a]\nb = \\q\n",
    "[a]\nb ; c\n",
    '[a "b\n"]\n',
    '[a"b"]\n',
    "[]\nb=c\n",
]
PIECES = st.sampled_from(
    [
        "[a]",
        "[A.b]",
        '[a "B"]',
        "\n",
        " ",
        "k",
        "key-1",
        "=",
        "v",
        '"',
        "\\",
        "#",
        ";",
        "\\n",
        "\r\n",
        "é",
        "[",
        "]",
        '\\"',
        "\\\n",
    ]
)


def read_with_git(path: Path) -> list[tuple[str, str]] | None:
    words = ["git", "config", "--file", str(path), "--null", "--list"]
    ran = subprocess.run(words, capture_output=True, check=False, cwd="/")
    if ran.returncode:
        return None
    pairs = [each.partition("\n") for each in os.fsdecode(ran.stdout).split("\0")[:-1]]
    return [(key, value if equals else "true") for key, equals, value in pairs]


@pytest.mark.parametrize("text", VALID)
def test_valid_configuration_is_read_as_git_reads_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "config").write_bytes(text.encode())
    assert parse_config(text) == read_with_git(tmp_path / "config")


@pytest.mark.parametrize("text", INVALID)
def test_invalid_configuration_is_refused_as_git_refuses_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "config").write_bytes(text.encode())
    assert read_with_git(tmp_path / "config") is None
    with pytest.raises(HistoryFailed, match="bad config line"):
        read_settings(str(tmp_path))


@given(st.lists(PIECES, max_size=14).map("".join))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_read_as_git_reads_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "config").write_bytes(text.encode())
    wanted = read_with_git(tmp_path / "config")
    try:
        assert parse_config(text) == wanted
    except ValueError:
        assert wanted is None


def test_a_hostile_text_is_read_in_linear_time() -> None:
    for text in ('[a]\nb = "' + '\\"' * 300_000, "[a]\nb = " + '""' * 300_000 + '"', "[" * 600_000):
        with pytest.raises(ValueError, match=r"\d"):
            parse_config(text)


def test_only_harmless_settings_are_passed_to_git(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    given = parse_config(
        '[user]\nname = A \\"B\\" \\\\ C\nemail = a@b\n[core]\npager = evil\nhooksPath = x\n'
        "sharedRepository = evil\nignoreCase = true\nexcludesFile = pipe\n"
        "[include]\npath = pipe\n[diff]\nexternal = evil\n[alias]\nlog = !evil\n"
    )
    (tmp_path / "config").write_bytes(format_git_settings(given, str(tmp_path)))
    assert read_with_git(tmp_path / "config") == [
        ("core.repositoryformatversion", "0"),
        ("core.bare", "false"),
        ("user.name", 'A "B" \\ C'),
        ("user.email", "a@b"),
        ("core.ignorecase", "true"),
    ]


@pytest.mark.parametrize("of", ["extensions.evil", "extensions.refStorage"])
def test_an_unknown_repository_format_is_refused(repository: Repository, of: str) -> None:
    repository.git("config", "core.repositoryFormatVersion", "1")
    repository.git("config", of, "reftable")
    with pytest.raises(HistoryFailed, match="does not support"):
        repository.history.list_changes()


def test_a_configuration_of_ten_megabytes_is_refused(repository: Repository) -> None:
    (repository.top / ".git/config").write_bytes(b"#" * 10_000_000)
    with pytest.raises(HistoryFailed, match="is larger"):
        repository.history.list_changes()


def test_the_name_and_the_ignore_file_of_the_repository_are_used(
    repository: Repository, tmp_path: Path
) -> None:
    (tmp_path / "ignore").write_text("*.tmp\n")
    repository.git("config", "user.name", "Grace")
    repository.git("config", "core.excludesFile", str(tmp_path / "ignore"))
    paths = [repository.write(path, "x") for path in ("a.tmp", "a.md")]
    assert repository.history.list_changes() == ["a.md"]
    assert isinstance(repository.history.commit("new", paths), CommitMade)
    assert repository.git("show", "--format=%an", "--name-only").split() == ["Grace", "a.md"]


SETTINGS = [
    "diff.orderFile=/nowhere",
    "diff.external=false",
    "diff.renames=false",
    "diff.renames=copies",
    "diff.noprefix=true",
    "diff.algorithm=nonsense",
    "diff.relative=true",
    "diff.ignoreSubmodules=all",
    "diff.renameLimit=1",
    "diff.mnemonicPrefix=true",
    "log.date=relative",
    "log.showSignature=true",
    "log.follow=true",
    "log.mailmap=true",
    "log.decorate=full",
    "log.diffMerges=off",
    "log.showRoot=false",
    "log.excludeDecoration=*",
    "core.quotePath=true",
    "core.abbrev=4",
    "core.abbrev=nonsense",
    "core.precomposeUnicode=true",
    "core.logAllRefUpdates=nonsense",
    "core.compression=nonsense",
    "core.bare=true",
    "core.worktree=/",
    "core.fileMode=nonsense",
    "core.notesRef=x",
    "core.attributesFile=/dev/zero",
    "core.commentChar=x",
    "color.ui=always",
    "color.diff=always",
    "format.pretty=oneline",
    "format.pretty=%H",
    "i18n.commitEncoding=UTF-16",
    "i18n.logOutputEncoding=latin1",
    "grep.patternType=perl",
    "notes.displayRef=*",
    "pager.log=false",
    "user.useConfigOnly=nonsense",
    "index.version=nonsense",
    "index.threads=nonsense",
    "pack.threads=nonsense",
    "core.sharedRepository=nonsense",
    "core.packedGitWindowSize=1",
    "core.bigFileThreshold=1",
    "extensions.worktreeConfig=true",
    "feature.experimental=true",
    "core.splitIndex=true",
    "core.sparseCheckout=true",
    "status.branch=nonsense",
]


@pytest.mark.parametrize("setting", leave_to_soak(SETTINGS, every=6))
def test_no_setting_of_the_repository_changes_what_is_read_or_prevents_a_commit(
    repository: Repository, setting: str
) -> None:
    repository.git("mv", repository.atom, "projects/p/é moved.md")
    repository.git("commit", "-qm", "moved")
    history, path = repository.history, "projects/p/é moved.md"

    def read() -> object:
        return (
            history.list_file_commits(path, 9),
            history.list_recent_commits(9),
            history.list_changes(),
            history.read_file_at("HEAD", path),
        )

    before = read()
    key, _, value = setting.partition("=")
    section, _, name = key.rpartition(".")
    with (repository.top / ".git/config").open("a") as config:
        config.write(f"[{section}]\n\t{name} = {value}\n")
    assert read() == before
    repository.write(path, "three\n")
    assert isinstance(history.commit("three", [path], signed=True), CommitMade)
    last = next(history.find_undoable_changes(), None)
    assert last
    assert [*last.new] == [path]
