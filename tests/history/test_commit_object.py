"""A commit has the bytes that `git commit-tree` would store in the same repository."""

from __future__ import annotations

import os
import re
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from cortexfs.history.commit_outcome import CommitMade
from cortexfs.history.find_repository import find_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from git_repository import Repository

_FALLBACK = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "cortexfs"), ("EMAIL", "cortexfs@localhost"))
}
_USER = "[user]\nemail = ada@example.org\nname = "
_NO_CRUD_AT_ENDS = ["Ada", "Ada Lovelace", "Zoë 光", "a'b\\\\c\\\"d,e.f:g;h", "(Ada)", "-", "a\x7f"]
_CRUD = ["Ada L.", ".Ada", '"  Ada "', "Ada,", "'Ada'", "A<d>a", "A\\nda", "A\\tda", "Ada\u00a0;"]
_REFUSED = ["", "...", '""', '" "', "<>"]
_SETTINGS = [
    *(f"{_USER}{name}\n" for name in (*_NO_CRUD_AT_ENDS, *_CRUD, *_REFUSED)),
    f"{_USER}Ada\n[author]\nname = Grace\n[committer]\nemail = c@example.org\n",
    f"{_USER}Ada\n[author]\nname =\nemail = \n",
    "[author]\nname = Grace\nemail = g@example.org\n",
    "[author]\nname = Grace\nemail = g@example.org\n[committer]\nname = C\nemail = c@c\n",
    "[user]\nname = Ada\n",
    "[user]\nemail = ada@example.org\n",
    f"{_USER}Ada\n[user]\nname = Grace\n[user]\nemail = .g@example.org.\n",
    f"{_USER}Ada\n[include]\npath = more\n",
    f'{_USER}Ada\n[includeIf "gitdir:**"]\npath = more\n',
    f"{_USER}Ada\n[i18n]\ncommitEncoding = ISO-8859-1\n[commit]\ngpgSign = true\n",
    f"{_USER}https://ada:secret@example.org\n",
    f"{_USER}noncharacter \ufffe\n",
    "",
]


@pytest.fixture(autouse=True)
def _zone() -> Iterator[None]:
    yield
    time.tzset()


def _make_raw_commit(repository: Repository, message: str) -> bytes:
    repository.write(repository.atom, f"{os.urandom(8).hex()}\n")
    done = repository.history.commit(message, [repository.atom])
    assert isinstance(done, CommitMade)
    assert done.id == repository.git("rev-parse", "HEAD").strip()
    return _read_raw(repository, done.id)


def _read_raw(repository: Repository, commit: str) -> bytes:
    words = ["git", "-C", str(repository.top), "cat-file", "commit", commit]
    return subprocess.run(words, capture_output=True, check=True).stdout


def _make_oracle(repository: Repository, made: bytes, message: str) -> bytes:
    """Return what git itself stores, at the time of the commit that was made."""
    tree, parent = re.findall(rb"^(?:tree|parent) ([0-9a-f]+)$", made, re.MULTILINE)
    forced = ["user.useConfigOnly=true", "i18n.commitEncoding=UTF-8"]
    options = [word for setting in forced for word in ("-c", setting)]
    words = ["git", "-C", str(repository.top), *options, "commit-tree", tree, "-p", parent]
    feed = f"{message}\n".encode()
    ran = subprocess.run(words, input=feed, capture_output=True, check=False)
    if ran.returncode:
        env = os.environ | _FALLBACK
        ran = subprocess.run(words, input=feed, env=env, capture_output=True, check=True)
    raw = _read_raw(repository, ran.stdout.decode().strip())
    now, then = (re.findall(rb"> (\d+) [+-]\d{4}$", text, re.MULTILINE)[0] for text in (raw, made))
    assert abs(int(now) - int(then)) < 60
    return raw.replace(b"> " + now, b"> " + then)


@pytest.mark.parametrize("settings", _SETTINGS)
def test_a_commit_names_whom_git_would_name(
    repository: Repository, hermetic: Path, settings: str
) -> None:
    hermetic.write_text(settings)
    (hermetic.parent / "more").write_text("[committer]\nname = included\n")
    made = _make_raw_commit(repository, "two")
    assert made == _make_oracle(repository, made, "two")


def test_a_name_may_be_in_the_repository_or_be_no_utf8(
    repository: Repository, hermetic: Path
) -> None:
    repository.git("config", "user.name", "of the repository")
    made = _make_raw_commit(repository, "two")
    assert made == _make_oracle(repository, made, "two")
    assert b"author of the repository <" in made
    repository.git("config", "--unset", "user.name")
    hermetic.write_bytes(f"{_USER}Ada\n[user]\nname = Zo".encode() + b"\xeb\n")
    made = _make_raw_commit(repository, "three")
    assert made == _make_oracle(repository, made, "three")


@pytest.mark.parametrize(
    "message",
    ["Zoë 光\n\nand why\n\nKey: value", "\ufffe", "\ufdd0 \U0010ffff", "🚨\r\n\ttab\x1b[1m", "#"],
)
def test_a_message_is_stored_as_git_would_store_it(repository: Repository, message: str) -> None:
    made = _make_raw_commit(repository, message)
    assert made == _make_oracle(repository, made, message)


@pytest.mark.parametrize(
    "zone",
    ["UTC", "Asia/Kolkata", "America/St_Johns", "XYZ+4:37:30", "XYZ-4:37:30", "No/Zone", "", None],
)
def test_the_time_zone_is_that_of_the_environment(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, zone: str | None
) -> None:
    monkeypatch.delenv("TZ")
    if zone is not None:
        monkeypatch.setenv("TZ", zone)
    made = _make_raw_commit(repository, "two")
    assert made == _make_oracle(repository, made, "two")


def test_git_makes_the_commit_if_it_does_not_say_whom_it_would_name(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git_calls: Path
) -> None:
    mute = tmp_path / "mute/git"
    mute.parent.mkdir()
    mute.write_text(f'#!/bin/sh\nunset GIT_TRACE2_EVENT\nexec {git_calls.parent}/bin/git "$@"\n')
    mute.chmod(0o755)
    made = _make_raw_commit(repository, "two")
    assert "commit-tree" not in git_calls.read_text()
    monkeypatch.setenv("PATH", f"{mute.parent}:{os.environ['PATH']}")
    assert find_repository(str(repository.top))
    mute_made = _make_raw_commit(repository, "three")
    assert git_calls.read_text().count("commit-tree") == 1
    named = [re.findall(rb"^author (.*>)", each, re.MULTILINE) for each in (made, mute_made)]
    assert named[0] == named[1] == [b"Ada <ada@example.org>"]
