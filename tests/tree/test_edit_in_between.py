"""Whoever edits a file while a plan is written loses nothing, at whatever step the edit falls."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cortexfs.core.changes.plan import Remove, Write
from cortexfs.errors import AtomChanged
from cortexfs.tree import compare_and_swap
from cortexfs.tree.write_files import write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CALLS = ("open", "read", "rename", "link", "unlink", "fsync", "stat", "close", "fchmod", "mkdir")
"""What the writer asks the system for: before each of these calls somebody may edit."""
OLD = {"a.md": "one\n", "b/c.md": "two\n", "b/d.md": "three\n"}
NEW = {"a.md": "ONE\n", "b/c.md": "TWO\n"}
MADE = "b/e.md"
EDIT = "mine: nobody may lose this\n"
STEPS = 130
"""More than the plan takes."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CORTEX.md").write_text("# Tree\n")
    (tmp_path / "projects").mkdir()
    for path, text in OLD.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def _in_place(path: Path) -> None:
    path.write_text(EDIT)


def _by_rename(path: Path) -> None:
    path.with_name("saved").write_text(EDIT)
    path.with_name("saved").rename(path)


def _in_another_process(path: Path) -> None:
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    subprocess.run([sys.executable, "-I", "-S", "-c", code, str(path), EDIT], check=True)


@contextmanager
def _disturbed(edit: Callable[[], None], at: int) -> Iterator[list[int]]:
    """Have somebody edit just before the writer's call number `at`; give how many there were."""
    real = {name: getattr(os, name) for name in CALLS}
    count = [0]

    def restore() -> None:
        for name, function in real.items():
            setattr(os, name, function)

    def disturbing(name: str) -> Callable[..., Any]:
        def call(*args: Any, **words: Any) -> Any:
            count[0] += 1
            if count[0] == at:
                restore()
                edit()
                replace()
            return real[name](*args, **words)

        return call

    def replace() -> None:
        for name in CALLS:
            setattr(os, name, disturbing(name))

    exchange = compare_and_swap.exchange_files

    def exchanging(*args: Any) -> bool:
        count[0] += 1
        if count[0] == at:
            restore()
            edit()
            replace()
        return exchange(*args)

    replace()
    compare_and_swap.exchange_files = exchanging
    try:
        yield count
    finally:
        restore()
        compare_and_swap.exchange_files = exchange


def _carried_out(root: Path, edit: Callable[[], None], at: int) -> tuple[bool, int]:
    writes = [Write(path, text, OLD[path]) for path, text in NEW.items()]
    writes.insert(1, Write(MADE, "made\n", None))
    with _disturbed(edit, at) as count:
        try:
            write_files(str(root), writes, [Remove("b/d.md", OLD["b/d.md"])])
        except AtomChanged:
            return False, count[0]
    return True, count[0]


@pytest.mark.parametrize("way", [_in_place, _by_rename])
@pytest.mark.parametrize("victim", [*OLD, MADE])
def test_an_edit_at_any_step_is_kept_and_a_plan_is_applied_fully_or_not_at_all(
    root: Path, way: Callable[[Path], None], victim: str
) -> None:
    whole = {**NEW, MADE: "made\n"}
    for at in range(1, STEPS):
        for path in (*OLD, MADE):
            (root / path).unlink(missing_ok=True)
        for path, text in OLD.items():
            (root / path).write_text(text)
        done, steps = _carried_out(root, lambda: way(root / victim), at)
        found = {p: (root / p).read_text() for p in (*OLD, MADE) if (root / p).exists()}
        if steps >= at:
            assert found.pop(victim) == EDIT, (at, steps)
        wanted = {p: text for p, text in (whole if done else OLD).items() if p in found}
        assert found == wanted, (at, steps)
        rest = {*(whole if done else OLD)} - {victim}
        assert rest <= {*found, victim}, (at, steps)
        assert not list(root.rglob(".cortexfs-draft*"))
    assert 20 < steps < STEPS


@pytest.mark.parametrize("victim", ["b/c.md", "b/d.md"])
def test_an_edit_by_another_process_makes_the_plan_fail(root: Path, victim: str) -> None:
    seen = set()
    for at in range(1, STEPS, 7):
        for path, text in OLD.items():
            (root / path).write_text(text)
        (root / MADE).unlink(missing_ok=True)
        done, steps = _carried_out(root, lambda: _in_another_process(root / victim), at)
        seen.add(done)
        if steps >= at:
            assert (root / victim).read_text() == EDIT
    assert seen == {True, False}


def test_without_exchange_a_file_is_compared_directly_before_the_rename(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_and_swap, "exchange_files", lambda *_: False)
    write_files(str(root), [Write("a.md", "ONE\n", "one\n")])
    assert (root / "a.md").read_text() == "ONE\n"
    with pytest.raises(AtomChanged):
        write_files(str(root), [Write("a.md", "more\n", "one\n")])
    assert (root / "a.md").read_text() == "ONE\n"


def test_a_replaced_file_keeps_its_mode(root: Path) -> None:
    (root / "a.md").chmod(0o640)
    write_files(str(root), [Write("a.md", "ONE\n", "one\n")])
    assert (root / "a.md").stat().st_mode & 0o777 == 0o640
