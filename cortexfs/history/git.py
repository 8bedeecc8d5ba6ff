"""Run git with fixed settings and a deadline: no hook, filter, pager or remote runs."""
# ruff: noqa: PLC0415 - finding a repository needs no process

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.errors import HistoryFailed
from cortexfs.history.check_git_dir import check_git_dir
from cortexfs.history.git_environment import build_git_arguments, build_git_environment
from cortexfs.history.read_work_tree import wrap_os_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from subprocess import Popen

    from cortexfs.history.shared_resources import SharedResources

_DEADLINE_S = 60.0
"""Seconds for one git command, unless CORTEXFS_GIT_TIMEOUT is set."""


class GitResult(NamedTuple):
    """The exit code and output of one git command."""

    exit_code: int
    stdout: bytes
    stderr: str


class Git(NamedTuple):
    """The git program, bound to one repository.

    `common_dir` differs from `git_dir` in a linked worktree. `is_foreign` means that another
    user owns it. The `inherited_fds` stay open in its commands as long as they run. `settings_dir`
    replaces `common_dir` for git (see `prepare`). Several runs may use `resources` together.
    """

    program: str
    git_dir: str
    common_dir: str
    top: str
    is_foreign: bool = False
    inherited_fds: tuple[int, ...] = ()
    settings_dir: str = ""
    resources: SharedResources | None = None

    @property
    def shared(self) -> SharedResources | None:
        """The resources that this run shares with others; None if it shares none."""
        return self.resources if self.resources and self.resources.is_active else None

    @contextmanager
    def prepare(self) -> Iterator[Git]:
        """Check the git directory and write the settings for git, once for several runs.

        Raises `HistoryFailed` if git must not be run.
        """
        if self.settings_dir:
            yield self
        elif shared := self.shared:
            unlocked = self._replace(inherited_fds=())
            ready = shared.keep(Git, unlocked.make_settings)
            yield ready._replace(inherited_fds=self.inherited_fds)
        else:
            with self.make_settings() as ready:
                yield ready

    @contextmanager
    def make_settings(self) -> Iterator[Git]:
        """Check and write as `prepare`, for this run alone."""
        from cortexfs.history.substitute_common_dir import make_git_common_dir

        with ExitStack() as stack:
            with wrap_os_errors("git was not run"):
                check_git_dir(self.git_dir, self.common_dir)
                if self.is_foreign:
                    _require_safe_owner(self)
                folder = stack.enter_context(make_git_common_dir(self.common_dir, self.top))
            yield self._replace(settings_dir=folder)

    def check_output(self, *args: str, feed: bytes = b"") -> bytes:
        """Return the output of a command in the work tree; raise `HistoryFailed` if it fails."""
        ran = self.run_unchecked(*args, feed=feed)
        if ran.exit_code:
            raise git_error(args[0], ran.stderr)
        return ran.stdout

    def run_unchecked(
        self,
        *args: str,
        feed: bytes = b"",
        work_tree: str = "",
        env: Mapping[str, str] | None = None,
    ) -> GitResult:
        """Run a command to its end, whatever its exit code; `work_tree` replaces the work tree.

        Raises `HistoryFailed` if it exceeds the deadline.
        """
        from subprocess import TimeoutExpired

        with (
            self.prepare() as git,
            git.start_process(*args, work_tree=work_tree, env=env, errors=True) as child,
        ):
            try:
                out, err = child.communicate(feed, timeout=git_timeout_s())
            except TimeoutExpired:
                raise timeout_error(args[0]) from None
            message = err.decode("utf-8", "replace").replace(
                f"{git.settings_dir}/", f"{git.common_dir}/"
            )
        return GitResult(child.returncode, out, message)

    @contextmanager
    def start_process(
        self,
        *args: str,
        work_tree: str = "",
        env: Mapping[str, str] | None = None,
        errors: bool = False,
    ) -> Iterator[Popen[bytes]]:
        """Start a command with pipes to it, and kill it if it still runs at the end.

        With `errors`, standard error is a pipe too.
        """
        from subprocess import DEVNULL, PIPE, Popen

        with self.prepare() as git:
            location = (f"--git-dir={git.git_dir}", f"--work-tree={work_tree or git.top}")
            try:
                child = Popen(
                    [*build_git_arguments(git.program), *location, *args],
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=PIPE if errors else DEVNULL,
                    cwd=work_tree or git.top,
                    env=build_git_environment() | _folder_variables(git) | dict(env or {}),
                    pass_fds=git.inherited_fds,
                )
            except OSError as error:
                raise HistoryFailed(f"git could not be started: {error.strerror}") from None
            try:
                yield child
            except BaseException:
                child.kill()
                raise
            finally:
                with child:  # closes the pipes and waits
                    pass


class GitTreeLocation(Protocol):
    """A tree and the repository around it: the attributes needed to read and write its history."""

    @property
    def root(self) -> str:
        """The root of the tree."""

    @property
    def prefix(self) -> str:
        """Path from the top of the repository to the root (`context/`, or empty)."""

    @property
    def git(self) -> Git:
        """The repository."""

    @property
    def top(self) -> str:
        """The top folder of the repository."""


def git_timeout_s() -> float:
    """Return the deadline in seconds for one git command, or for one of its answers."""
    wanted = os.environ.get("CORTEXFS_GIT_TIMEOUT", "")
    return float(wanted) if wanted.isdecimal() and int(wanted) else _DEADLINE_S


def timeout_error(command: str) -> HistoryFailed:
    """Return the error for a command that was killed because it took too long."""
    return HistoryFailed(
        f"git {command} did not end within {git_timeout_s():.0f} s and was stopped",
        hint="`cortexfs doctor` checks the repository; CORTEXFS_GIT_TIMEOUT allows more seconds",
    )


def init_empty_repository(program: str, folder: str) -> None:
    """Create an empty repository in a folder: branch `main`, without the user's templates."""
    import subprocess

    words = ("init", "--quiet", "--template=", "--initial-branch=main", folder)
    try:
        ran = subprocess.run(
            [*build_git_arguments(program), *words],
            env=build_git_environment(),
            capture_output=True,
            check=False,
            timeout=git_timeout_s(),
        )
    except subprocess.TimeoutExpired:
        raise timeout_error("init") from None
    if ran.returncode:
        raise git_error("init", ran.stderr.decode("utf-8", "replace"))


def git_error(command: str, complaint: str) -> HistoryFailed:
    """Return the error for git's error message, with a hint if there is one."""
    lines = [line for line in complaint.splitlines() if line.startswith(("fatal: ", "error: "))]
    cause = (lines or complaint.splitlines() or ["it ended without a message"])[0]
    hint = None
    if ".lock'" in complaint:
        hint = "another git command is running, or one was killed: if none is, remove that file"
    return HistoryFailed(f"git {command}: {cause.partition(': ')[2] or cause}", hint=hint)


def _folder_variables(git: Git) -> dict[str, str]:
    return {
        "GIT_COMMON_DIR": git.settings_dir,
        "GIT_OBJECT_DIRECTORY": f"{git.common_dir}/objects",
    }


def _require_safe_owner(git: Git) -> None:
    """Let git itself decide whether a repository owned by another user is safe to use.

    Git does not check a repository that is named explicitly, so this run lets git discover it.
    """
    from subprocess import DEVNULL, TimeoutExpired, run

    words = [*build_git_arguments(git.program), "rev-parse", "--git-dir"]
    try:
        ran = run(
            words,
            cwd=git.top,
            env=build_git_environment(),
            stdin=DEVNULL,
            capture_output=True,
            check=False,
            timeout=git_timeout_s(),
        )
    except TimeoutExpired:
        raise timeout_error("rev-parse") from None
    if ran.returncode:
        raise HistoryFailed(
            f"the repository at `{git.top}` belongs to another user",
            hint=f"if you trust it: git config --global --add safe.directory {git.top}",
        )
