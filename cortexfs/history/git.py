"""Run git so that nothing of the repository runs along: no hook, filter, pager or remote."""
# ruff: noqa: PLC0415 - to ask whether there is a repository needs no process

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen

_SETTINGS = (
    "core.hooksPath=/dev/null",
    # git 2.54 knows hooks that the configuration defines, which hooksPath does not stop;
    # since 2.55 an event can be switched off (for 2.54 see `_muted`)
    "hook.reference-transaction.enabled=false",
    "hook.post-index-change.enabled=false",
    "core.fsmonitor=false",
    "core.untrackedCache=keep",  # git drops it where the work tree seems to have moved
    "core.pager=cat",
    "core.attributesFile=/dev/null",
    "core.fsync=all",
    "core.fsyncMethod=fsync",  # `batch` loses commits on xfs
    "core.filesRefLockTimeout=1000",  # ms that a git command of the user's may take
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "log.showSignature=false",
    "log.follow=false",
    "log.mailmap=false",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "user.useConfigOnly=true",  # no name made up of login and host
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "protocol.ext.allow=never",
)

_KEPT = (
    "HOME",
    "XDG_CONFIG_HOME",
    "TZ",
    "SUDO_UID",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
)
"""Where the user's own settings are; no other variable of the caller reaches git."""

_FIXED = {
    "LANG": "C",
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",  # a missing object must not fetch itself through a remote helper
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a commit is built on what HEAD is, not on its stand-in
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


class Ran(NamedTuple):
    """How one git command ended."""

    code: int
    out: bytes
    err: str


class Git(NamedTuple):
    """The git program, bound to one repository.

    `common` differs from `git_dir` in a linked worktree. `foreign`: somebody else owns it.
    `kept` are descriptors that its commands hold open as long as they live.
    """

    program: str
    git_dir: str
    common: str
    top: str
    foreign: bool = False
    kept: tuple[int, ...] = ()

    def ask(self, *args: str, feed: bytes = b"") -> bytes:
        """Run a command in the work tree and give what it prints; raise where it fails."""
        ran = self.run(*args, feed=feed)
        if ran.code:
            raise failed(args[0], ran.err)
        return ran.out

    def run(
        self, *args: str, feed: bytes = b"", at: str = "", env: Mapping[str, str] | None = None
    ) -> Ran:
        """Run a command to its end, whatever that is; `at` stands in for the work tree."""
        child = self.start(*args, at=at, env=env, hears=True)
        out, err = child.communicate(feed)
        return Ran(child.returncode, out, err.decode("utf-8", "replace"))

    def start(
        self, *args: str, at: str = "", env: Mapping[str, str] | None = None, hears: bool = False
    ) -> Popen[bytes]:
        """Start a command that is spoken to through pipes; `hears`: also what it complains of."""
        from subprocess import DEVNULL, PIPE, Popen

        if self.foreign:
            _ask_leave(self)
        where = (f"--git-dir={self.git_dir}", f"--work-tree={at or self.top}")
        try:
            return Popen(
                [*_argv(self.program), *where, *args],
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE if hears else DEVNULL,
                cwd=at or self.top,
                env=environment() | dict(env or {}),
                pass_fds=self.kept,
            )
        except OSError as error:
            raise HistoryFailed(f"git could not be started: {error.strerror}") from None


def program() -> str | None:
    """Find git on the PATH; a relative entry of it is passed over, for it may lie in a tree."""
    for folder in os.get_exec_path():
        if os.path.isabs(folder) and os.access(found := os.path.join(folder, "git"), os.X_OK):
            return found
    return None


def environment() -> dict[str, str]:
    """Make git's environment anew: no GIT_DIR, GIT_INDEX_FILE or GIT_EDITOR of a caller."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    path = os.pathsep.join(filter(os.path.isabs, os.get_exec_path()))
    return kept | _FIXED | {"PATH": path}


def initialise(program: str, folder: str) -> None:
    """Make an empty repository in a folder: branch `main`, nothing of the user's templates."""
    import subprocess

    args = ("init", "--quiet", "--template=", "--initial-branch=main", folder)
    ran = subprocess.run(
        [*_argv(program), *args], env=environment(), capture_output=True, check=False
    )
    if ran.returncode:
        raise failed("init", ran.stderr.decode("utf-8", "replace"))


def muted(git: Git) -> dict[str, str]:
    """Make the environment that switches off each hook which the repository's settings define.

    Only git 2.54 needs it: it runs such hooks and cannot switch off an event. The common
    settings name no hook and include no file, and cost no process here.
    """
    files = (f"{git.common}/config", f"{git.git_dir}/config.worktree")
    if not any(word in _text(file) for file in files for word in (b"hook", b"include")):
        return {}
    names = ("config", "-z", "--name-only", "--get-regexp", r"^hook\..*\.event$")
    ran = git.run(*names)
    if ran.code not in {0, 1}:  # 1: there are none
        raise failed("config", ran.err)
    keys = sorted(set(os.fsdecode(ran.out).split("\0")) - {""})
    mute = {"GIT_CONFIG_COUNT": str(len(keys))}
    for number, key in enumerate(keys):
        mute[f"GIT_CONFIG_KEY_{number}"] = f"{key.removesuffix('.event')}.enabled"
        mute[f"GIT_CONFIG_VALUE_{number}"] = "false"
    return mute


def _text(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read().lower()
    except FileNotFoundError:
        return b""


def failed(verb: str, complaint: str) -> HistoryFailed:
    """Turn git's complaint into a refusal, with the way out where there is one."""
    lines = [line for line in complaint.splitlines() if line.startswith(("fatal: ", "error: "))]
    cause = (lines or complaint.splitlines() or ["it ended without a word"])[0]
    hint = None
    if ".lock'" in complaint:
        hint = "another git command is at work, or one was killed: if none is, remove that file"
    return HistoryFailed(f"git {verb}: {cause.partition(': ')[2] or cause}", hint=hint)


def _argv(program: str) -> list[str]:
    return [program, *(word for setting in _SETTINGS for word in ("-c", setting))]


def _ask_leave(git: Git) -> None:
    """Let git itself say whether a repository that somebody else owns is safe to speak to.

    A repository that is named explicitly is not asked about, so here it is looked for.
    """
    import subprocess

    ran = subprocess.run(
        [*_argv(git.program), "rev-parse", "--git-dir"],
        cwd=git.top,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if ran.returncode:
        raise HistoryFailed(
            f"the repository at `{git.top}` belongs to somebody else",
            hint=f"if you trust it: git config --global --add safe.directory {git.top}",
        )
