"""The same command with other arguments is the same; a lookup that finds nothing is no failure."""

from __future__ import annotations

import pytest

from cortexfs.core.patterns.normalize_habits import normalize_command, normalize_path


@pytest.mark.parametrize(
    ("command", "normal"),
    [
        ("uv run pytest tests/test_a.py -x", "uv run pytest"),
        ("cd src && UV_CACHE=/x uv run pytest --lf", "uv run pytest"),
        ("sudo timeout 60 /usr/bin/make test", "make test"),
        ("cargo build 2>&1 | tail -5", "cargo build"),
        ("grep -r foo src", ""),
        ("cd src; rg foo", ""),
        ("npm run build:prod", "npm run build:prod"),
        ("python script.py", "python"),
        ("", ""),
        ("\x1b[31m", ""),
    ],
)
def test_a_command_is_its_program_and_subcommands(command: str, normal: str) -> None:
    assert normalize_command(command) == normal


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("src/store.py", "src/store.py"),
        ("./src//store.py", "src/store.py"),
        ("/home/ada/code/flywheel/src/store.py", "src/store.py"),
        ("/home/ada/work/other/src/a/store.py", "other/src/a/store.py"),
        ("C:\\code\\flywheel\\src\\store.py", "src/store.py"),
        ("/", ""),
    ],
)
def test_a_path_is_below_its_project(path: str, normal: str) -> None:
    assert normalize_path(path, "flywheel") == normal
