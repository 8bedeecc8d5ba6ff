"""A world of its own for every test: home, git identity, time zone, colour."""

from __future__ import annotations

import fcntl
import gc
import hashlib
import itertools
import os
import shutil
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.tmpdir import tmppath_result_key
from crash_scene import Scene, memory_folder
from hypothesis import settings
from place import Place, Ran, build_sample, build_tree, copy_file
from share_work import keep_together, pytest_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from place import CopyTree

    Pick = Callable[[Sequence[Any], int], Sequence[Any]]

__all__ = ["Place", "Ran", "pytest_collection"]

REAL_HOME = Path.home().resolve()
_NUMBERS = itertools.count()
NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)

# a shell starts its background jobs with SIGINT ignored, and every command here would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)
# hundreds of processes import the same modules: without their bytecode each compiles all of them
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what the docs should show")
    parser.addoption("--soak", action="store_true", help="run what takes minutes, more of it")
    parser.addoption("--every", action="store_true", help="with --soak: every case, for hours")


def pytest_configure(config: pytest.Config) -> None:
    """Try a law on a few examples, and on many with `--soak`; make trees in memory."""
    if folder := memory_folder():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)
    examples = 300 if config.getoption("--soak") else 10
    settings.register_profile("ours", max_examples=examples, deadline=None)
    settings.load_profile("ours")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what costs most to `--soak`; there, begin with what takes minutes."""
    if config.getoption("--soak"):
        items.sort(key=_order_in_soak)
    else:
        config.hook.pytest_deselected(items=[each for each in items if _is_left_to_soak(each)])
        items[:] = [each for each in items if not _is_left_to_soak(each)]
        items.sort(key=lambda item: item.path.name != "test_transcripts.py")  # the longest
    keep_together(items)


def _is_left_to_soak(item: pytest.Item) -> bool:
    return item.get_closest_marker("soak") is not None


def _order_in_soak(item: pytest.Item) -> int:
    """Begin with tests that try more cases with `--soak`: at the end one worker would wait."""
    fixtures = getattr(item, "fixturenames", ())
    return 0 if "pick" in fixtures else 1 if "soak" in fixtures else 2


def pytest_collectstart() -> None:
    """Collect no garbage until all tests are there: nearly all that is made is kept."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Spare each later garbage collection the thousands of tests: a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--soak"))


@pytest.fixture(scope="session")
def pick(request: pytest.FixtureRequest) -> Pick:
    """Choose among thousands of cases: a part that changes every day, or all with `--every`."""
    if request.config.getoption("--every"):
        return lambda cases, _: cases
    day = datetime.now(UTC).toordinal()
    return lambda cases, part: cases[day % part :: part]


@pytest.fixture(scope="session")
def temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where commands of tests make temporary files, and where killed ones leave them."""
    return tmp_path_factory.mktemp("temporary")


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A folder of its own, kept if the test fails; pytest's costs five times as much."""
    folder = tmp_path_factory.mktemp(f"test-{next(_NUMBERS)}", numbered=False)
    yield folder
    if request.node.stash[tmppath_result_key].get("call", True):
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _world_of_all(
    tmp_path_factory: pytest.TempPathFactory, temporary_folder: Path
) -> Iterator[None]:
    """The environment of all tests, and the home of what is built once for many."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        _set_environment(patch, temporary_folder)
        _make_home(patch, home)
        _guard(patch, home)
        yield


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a git identity and nothing else; whoever touches the real one fails."""
    home = tmp_path / "home"
    home.mkdir()
    _make_home(monkeypatch, home)
    return home


def _set_environment(patch: pytest.MonkeyPatch, temporary_folder: Path) -> None:
    """Set all that the environment says, the home aside."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "CORTEX", "XDG_", "CLAUDE", "LC_")):
            patch.delenv(name)
    patch.setenv("TMPDIR", str(temporary_folder))
    patch.setenv("TZ", "UTC")
    patch.setenv("LANG", "C.UTF-8")
    patch.setenv("NO_COLOR", "1")
    patch.setenv("PAGER", "cat")  # nobody is there to turn pages
    patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    patch.setenv("CORTEXFS_DRAIN_QUIET", "off")
    patch.setenv("CORTEXFS_VECTORS", "off")  # an installed model changes what is found
    own = str(Path(sys.executable).parent)
    if not os.environ["PATH"].startswith(f"{own}:"):
        patch.setenv("PATH", f"{own}:{os.environ['PATH']}")


def _make_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Write a git identity into a folder, which is the home from then on."""
    patch.setenv("HOME", str(home))
    identity = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
    (home / ".gitconfig").write_text(identity)


@pytest.fixture
def git_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with one line per call of git by this process and its children."""
    calls, git = tmp_path / "git-calls", tmp_path / "bin/git"
    calls.touch()
    git.parent.mkdir()
    git.write_text(f'#!/bin/sh\necho "$@" >> "{calls}"\nexec {shutil.which("git")} "$@"\n')
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{git.parent}:{os.environ['PATH']}")
    return calls


@pytest.fixture(params=["SQLite", "tantivy"])
def full_text(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which full text is used, however many atoms there are; run with each."""
    monkeypatch.setenv("CORTEXFS_LARGE_FROM", "0" if request.param == "tantivy" else "999999999")
    return str(request.param)


def _guard(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Raise where this process would write below the real home, the checkout aside."""
    real_open = os.open

    def watched(path: object, flags: int, *rest: object, **words: object) -> int:
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes and isinstance(path, str) and path.startswith(f"{REAL_HOME}/."):
            pytest.fail(f"a test would write to the real home: {path}")
        return real_open(path, flags, *rest, **words)  # type: ignore[arg-type]

    if REAL_HOME.parent != REAL_HOME and home.resolve() != REAL_HOME:
        monkeypatch.setattr(os, "open", watched)


@pytest.fixture(scope="session")
def copy_tree(tmp_path_factory: pytest.TempPathFactory) -> CopyTree:
    """Return what puts a tree somewhere: one worker builds it for each environment, all copy it."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def copy(root: Path, build: Callable[[Place], None]) -> Place:
        settings = sorted(pair for pair in os.environ.items() if pair[0].startswith("CORTEX"))
        key = repr((build.__module__, build.__qualname__, settings))
        built = shared / f"built-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        if not built.exists():
            with open(f"{built}.lock", "w", encoding="utf-8") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not built.exists():
                    _build(Place(tmp_path_factory.mktemp("built") / "tree"), build, built)
        shutil.copytree(built, root, symlinks=True, copy_function=copy_file)
        return Place(root)

    return copy


def _build(place: Place, build: Callable[[Place], None], built: Path) -> None:
    """Build a tree and move it to where it is copied from."""
    build(place)
    if (place.root / ".git").is_dir():
        place.git("repack", "-adq")  # one file in place of a folder for each object
    place.root.rename(built)


@pytest.fixture(scope="session")
def scene() -> Iterator[Scene]:
    """The tree in which commands are killed; a test that asks for it is of the group `kills`."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-kills-", dir=memory_folder()) as folder:
        yield Scene(Path(folder, "scene")).build(())


@pytest.fixture
def sample(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A copy of the sample tree in a repository of its own, all of it committed."""
    return copy_tree(tmp_path / "tree", build_sample)


@pytest.fixture
def tree(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A new tree with one project, `flywheel`."""
    return copy_tree(tmp_path / "tree", build_tree)
