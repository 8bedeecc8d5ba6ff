"""Read the log: who changed what and when, and the content of a file in a commit."""

from __future__ import annotations

import os
import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.git import git_error
from cortexfs.history.object_reader import open_object_reader
from cortexfs.history.read_work_tree import check_path
from cortexfs.history.trees import CommitTree, open_commit_tree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.history.git import GitTreeLocation

_FIELDS = ("%H", "%ad", "%an", "%s", "%B")
_LOG_ARGUMENTS = (
    "log",
    "-z",
    f"--format=tformat:{'%x00'.join(_FIELDS)}",
    "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
    "--encoding=UTF-8",
    "--extended-regexp",
    "--root",
    "--no-color",
    "--no-decorate",
    "--no-notes",
    "--no-show-signature",
    "--no-mailmap",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
)
_MAX_MESSAGES = 1000
"""Maximum number of commits that `find_messages` returns."""

_STATUS = re.compile(r"\n?[A-Z][0-9]*")
_RENAME_STATUSES = ("R", "C")


class CommitSummary(NamedTuple):
    """Author, time (UTC) and subject of a commit; author and subject may be any text."""

    commit: str
    when: str
    author: str
    subject: str


class CommitRecord(NamedTuple):
    """A commit, the paths below the root that it touched, before and after, and its message."""

    commit: CommitSummary
    paths: tuple[tuple[str, str], ...] = ()
    message: str = ""


def list_file_commits(
    history: GitTreeLocation, path: str, limit: int, excluded_messages: Collection[str] = ()
) -> list[CommitRecord]:
    """List the commits that changed a file, newest first, under each name that it has had.

    Commits whose message has one of the lines `excluded_messages` are left out; a `limit` of 0
    means all commits.
    """
    full_path = f"{history.prefix}{check_path(path)}"
    words = (
        "--follow",
        "--find-renames",
        "--name-status",
        *_format_limit(limit),
        *_format_exclusions(excluded_messages),
    )
    return list(read_git_log(history, words, full_path))


def list_recent_commits(
    history: GitTreeLocation,
    limit: int,
    excluded_messages: Collection[str] = (),
    *,
    with_paths: bool = True,
) -> list[CommitRecord]:
    """List the last commits that changed something below the root, newest first.

    `limit` and `excluded_messages` as in `list_file_commits`. Without the paths, of which a commit
    may have thousands, git compares nothing.
    """
    words = (
        "--no-renames",
        "--name-status" if with_paths else "--no-patch",
        *_format_limit(limit),
        *_format_exclusions(excluded_messages),
    )
    return list(read_git_log(history, words, history.prefix.rstrip("/")))


def list_commits_between(
    history: GitTreeLocation, old: str, new: str, limit: int, excluded_messages: Collection[str]
) -> list[CommitRecord]:
    """List the commits of one commit that another (empty: none) does not have, newest first.

    Only those that changed something below the root; otherwise as `list_recent_commits`.
    """
    words = (
        "--no-renames",
        "--name-status",
        *_format_limit(limit),
        *_format_exclusions(excluded_messages),
        f"{old}..{new}" if old else new,
        "--",
    )
    return list(_run_log(history, (*words, *filter(None, [history.prefix.rstrip("/")]))))


def list_folder_commits(history: GitTreeLocation, folders: Sequence[str]) -> list[CommitRecord]:
    """List the commits that changed a file in some folders, newest first, with their renames.

    One run of git, however many files there are.
    """
    paths = [f"{history.prefix}{check_path(folder)}" for folder in folders]
    words = ("--find-renames", "--name-status")
    return list(read_git_log(history, words, *paths)) if paths else []


def find_commit(history: GitTreeLocation, revision: str) -> str | None:
    """Return the id of a commit, named by an id, also abbreviated, a branch, a tag, or a day.

    A day, `2026-03-01`, means the last commit until its end (UTC). None if there is no such commit.
    """
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", revision):
        return _find_commit_on_day(history, revision)
    if not re.fullmatch(r"[0-9A-Za-z][\w./~^@-]{0,255}", revision):
        return None
    with open_object_reader(history.git) as reader:
        found = reader.read_object(f"{revision}^{{commit}}")
    return found.id if found else None


def describe_commit(history: GitTreeLocation, commit: str) -> CommitSummary:
    """Return date, author and subject of a commit; raise `HistoryFailed` if it does not exist."""
    return next(_run_log(history, ("--no-walk", "--no-patch", commit))).commit


def read_contents(
    history: GitTreeLocation, wanted: Sequence[tuple[str, str]]
) -> list[bytes | None]:
    """Return the content of each (commit, path), in order; None if there is no such file.

    Raises `HistoryFailed` if git cannot read one of them.
    """
    with open_object_reader(history.git) as reader:
        return [
            CommitTree(reader, commit).read_file_bytes(f"{history.prefix}{check_path(path)}")
            for commit, path in wanted
        ]


def filter_reachable(
    history: GitTreeLocation, commit: str, steps: Sequence[CommitRecord]
) -> list[CommitRecord]:
    """Return those commits of `steps` that are reachable from a commit."""
    known = history.git.check_output("rev-list", commit).decode("ascii").split()
    reached = set(known)
    return [step for step in steps if step.commit.commit in reached]


def find_messages(history: GitTreeLocation, word: str) -> list[str]:
    """Return the messages that contain a literal text, newest first; at most `_MAX_MESSAGES`."""
    words = ("--fixed-strings", f"--grep={word}", f"--max-count={_MAX_MESSAGES}", "--no-patch")
    return [step.message for step in read_git_log(history, words)]


def list_removals(history: GitTreeLocation) -> list[tuple[str, CommitSummary]]:
    """Return the files that were removed or renamed, each with the commit, the latest first."""
    words = ("--no-renames", "--name-status", "--diff-filter=D")
    steps = read_git_log(history, words, history.prefix.rstrip("/"))
    return [(path, step.commit) for step in steps for path, _ in step.paths]


def read_git_log(
    history: GitTreeLocation, words: Sequence[str], *paths: str
) -> Iterator[CommitRecord]:
    """Yield the log of HEAD, of some paths of the repository or of all."""
    with open_commit_tree(history.git) as head:
        if not head.commit:
            return
    yield from _run_log(history, (*words, head.commit, "--", *filter(None, paths)))


def _run_log(history: GitTreeLocation, words: Sequence[str]) -> Iterator[CommitRecord]:
    with history.git.prepare() as git:  # in a folder without `.gitattributes`, which may be a pipe
        ran = git.run_unchecked(
            *_LOG_ARGUMENTS, *words, work_tree=git.settings_dir, env={"TZ": "UTC"}
        )
    if ran.exit_code:
        raise git_error("log", ran.stderr)
    yield from _parse_log(os.fsdecode(ran.stdout).split("\0"), history.prefix)


def _parse_log(fields: list[str], prefix: str) -> Iterator[CommitRecord]:
    """Yield commits from the log's fields; `M`, path, or `R97`, old, new, follow each."""
    at, width = 0, len(_FIELDS)
    while at + width <= len(fields):
        values, at = fields[at : at + width], at + width
        paths = []
        while at < len(fields) and _STATUS.fullmatch(fields[at]):
            count = 2 if fields[at].strip().startswith(_RENAME_STATUSES) else 1
            paths.append((fields[at + 1], fields[at + count]))
            at += count + 1
        inside = (pair for pair in paths if pair[1].startswith(prefix))
        below = tuple((old.removeprefix(prefix), new.removeprefix(prefix)) for old, new in inside)
        *about, body = (os.fsencode(text).decode("utf-8", "replace") for text in values)
        yield CommitRecord(CommitSummary(*about), below, body)


def _format_limit(limit: int) -> Sequence[str]:
    return [f"--max-count={limit}"] if limit else []


def _format_exclusions(messages: Collection[str]) -> Sequence[str]:
    greps = [f"--grep=^{line}$" for line in sorted(messages)]
    return ["--invert-grep", *greps] if greps else []


def _find_commit_on_day(history: GitTreeLocation, day: str) -> str | None:
    try:
        date.fromisoformat(day)
    except ValueError:
        return None
    words = ("--max-count=1", f"--before={day}T23:59:59Z", "HEAD", "--")
    ran = history.git.run_unchecked("rev-list", *words)
    return ran.stdout.decode("ascii").strip() or None
