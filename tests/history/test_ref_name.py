"""A ref name is valid when git accepts it."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortexfs.history.ref_name import is_object_id, is_ref_name

PARTS = st.sampled_from(
    [
        "a",
        "heads",
        "main",
        ".",
        "..",
        "/",
        "@",
        "{",
        "@{",
        ".lock",
        "~",
        "^",
        ":",
        "?",
        "*",
        "[",
        "\\",
        " ",
        "\t",
        "\x7f",
        "-",
        "é",
        "refs/",
        "x.lock",
        ".x",
        "x.",
        "//",
        "HEAD",
    ]
)


def git_agrees(name: str) -> bool:
    return not subprocess.run(["git", "check-ref-format", name], check=False).returncode


@given(st.lists(PARTS, max_size=6).map("".join))
@settings(deadline=None)
def test_a_ref_name_is_valid_when_git_accepts_it(tail: str) -> None:
    assert is_ref_name(f"refs/{tail}") == git_agrees(f"refs/{tail}")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "HEAD",
        "main",
        "/refs/heads/main",
        "heads/main",
        "refs",
        "refs/",
        "refs/x\x00",
        "refs/x\n",
        "refs/heads/../../../../.bashrc",
        "refs/heads/" + "x" * 2000,
    ],
)
def test_a_name_outside_of_refs_is_not_a_ref(name: str) -> None:
    assert not is_ref_name(name)


def test_an_object_id_is_complete_and_lower_case() -> None:
    assert is_object_id("a" * 40)
    assert is_object_id("0" * 64)
    assert not any(map(is_object_id, ["a" * 39, "A" * 40, "a" * 41, f"{'a' * 40}\n", ""]))
