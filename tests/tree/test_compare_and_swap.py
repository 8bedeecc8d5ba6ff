"""An edit made while a plan is written is never lost, at any step of the writer."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_to_soak

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
EDITED_TEXT = "mine: nobody may lose this\n"
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


def _edit_in_place(path: Path) -> None:
    path.write_text(EDITED_TEXT)


def _edit_by_rename(path: Path) -> None:
    path.with_name("saved").write_text(EDITED_TEXT)
    path.with_name("saved").rename(path)


def _edit_in_another_process(path: Path) -> None:
    code = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    subprocess.run([sys.executable, "-I", "-S", "-c", code, str(path), EDITED_TEXT], check=True)


@contextmanager
def _edit_before_call(edit: Callable[[], None], at: int) -> Iterator[list[int]]:
    """Have somebody edit just before the writer's call number `at`; give how many there were."""
    real = {name: getattr(os, name) for name in CALLS}
    calls = [0]

    def restore() -> None:
        for name, function in real.items():
            setattr(os, name, function)

    def make_counting_call(name: str) -> Callable[..., Any]:
        def call(*args: Any, **words: Any) -> Any:
            calls[0] += 1
            if calls[0] == at:
                restore()
                edit()
                patch_calls()
            return real[name](*args, **words)

        return call

    def patch_calls() -> None:
        for name in CALLS:
            setattr(os, name, make_counting_call(name))

    exchange = compare_and_swap.exchange_files

    def count_and_exchange(*args: Any) -> bool:
        calls[0] += 1
        if calls[0] == at:
            restore()
            edit()
            patch_calls()
        return exchange(*args)

    patch_calls()
    compare_and_swap.exchange_files = count_and_exchange
    try:
        yield calls
    finally:
        restore()
        compare_and_swap.exchange_files = exchange


def _apply_plan(root: Path, edit: Callable[[], None], at: int) -> tuple[bool, int]:
    writes = [Write(path, text, OLD[path]) for path, text in NEW.items()]
    writes.insert(1, Write(MADE, "made\n", None))
    with _edit_before_call(edit, at) as calls:
        try:
            write_files(str(root), writes, [Remove("b/d.md", OLD["b/d.md"])])
        except AtomChanged:
            return False, calls[0]
    return True, calls[0]


@pytest.mark.parametrize("way", [_edit_in_place, _edit_by_rename])
@pytest.mark.parametrize("edited_path", leave_to_soak([*OLD, MADE], every=4))
def test_an_edit_at_any_step_is_kept_and_a_plan_is_applied_fully_or_not_at_all(
    root: Path, way: Callable[[Path], None], edited_path: str
) -> None:
    whole = {**NEW, MADE: "made\n"}
    for at in range(1, STEPS):
        for path in (*OLD, MADE):
            (root / path).unlink(missing_ok=True)
        for path, text in OLD.items():
            (root / path).write_text(text)
        is_applied, steps = _apply_plan(root, lambda: way(root / edited_path), at)
        found = {p: (root / p).read_text() for p in (*OLD, MADE) if (root / p).exists()}
        if steps >= at:
            assert found.pop(edited_path) == EDITED_TEXT, (at, steps)
        expected = {p: text for p, text in (whole if is_applied else OLD).items() if p in found}
        assert found == expected, (at, steps)
        rest = {*(whole if is_applied else OLD)} - {edited_path}
        assert rest <= {*found, edited_path}, (at, steps)
        assert not list(root.rglob(".cortexfs-draft*"))
    assert 20 < steps < STEPS


@pytest.mark.parametrize("edited_path", ["b/c.md", "b/d.md"])
def test_an_edit_by_another_process_makes_the_plan_fail(root: Path, edited_path: str) -> None:
    outcomes = set()
    for at in range(1, STEPS, 7):
        for path, text in OLD.items():
            (root / path).write_text(text)
        (root / MADE).unlink(missing_ok=True)
        is_applied, steps = _apply_plan(
            root, lambda: _edit_in_another_process(root / edited_path), at
        )
        outcomes.add(is_applied)
        if steps >= at:
            assert (root / edited_path).read_text() == EDITED_TEXT
    assert outcomes == {True, False}


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
