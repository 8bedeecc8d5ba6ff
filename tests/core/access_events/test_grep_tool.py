"""The client's own search tool, in the forms that its versions answer in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from desk import Desk

FOLDER = "projects/flywheel/experiments"
MENTION = "see /x/EXP-004.md:3: and projects/flywheel/knowledge/K-003.md:12:bottleneck"


def grep(desk: Desk, content: str = "", mode: str = "content", **asked: object) -> str:
    """Search from within the tree, and give what that tells of."""
    answer = {"mode": mode, "filenames": [], "numFiles": 0, "content": content}
    asked = {"pattern": "x", "path": FOLDER, "output_mode": mode} | asked
    return desk.tool("Grep", asked, answer, cwd=".cortex/context")


@pytest.mark.parametrize("sign", [":12:", ":", "-12-", "-"])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_line_belongs_to_the_file_named_at_its_start(
    desk: Desk, sign: str, *, absolute: bool
) -> None:
    folder = f"{desk.context}/{FOLDER}" if absolute else FOLDER
    assert grep(desk, f"{folder}/EXP-002.md{sign}{MENTION}\n--\n{MENTION}") == "EXP-002"


def test_a_file_name_may_contain_the_separator(desk: Desk) -> None:
    name = "projects/flywheel/decisions/0012-a:12:b-12-c.md"
    (desk.context / name).parent.mkdir()
    (desk.context / name).touch()
    for line in (f"{name}:3:{MENTION}", f"{name}-4-{MENTION}", f"{name}:{MENTION}"):
        assert grep(desk, line, path="projects") == "0012-a:12:b-12-c"


def test_text_that_looks_like_a_path_upwards_is_not_a_read(desk: Desk) -> None:
    assert grep(desk, f"{FOLDER}/CORTEX.md:3:/../EXP-004.md:1:x") == "_directory_search"
    assert grep(desk, f"{FOLDER}/gone.md:3:/../EXP-004.md:1:x") == "_directory_search"


def test_only_a_newline_separates_lines(desk: Desk) -> None:
    odd = "".join(f"{FOLDER}/EXP-003.md:1:x{sign}" for sign in "\x0b\x0c\x1c\x85\u2028\r")
    assert grep(desk, f"{FOLDER}/EXP-002.md:1:{odd}\r\n") == "EXP-002"


def test_a_path_outside_the_searched_folder_is_not_a_read(desk: Desk) -> None:
    assert grep(desk, "projects/flywheel/knowledge/K-001.md:1:x") == "_directory_search"


@pytest.mark.parametrize("content", ["1", "2\n", f"{FOLDER}/EXP-002.md:1"])
def test_a_count_for_one_file_is_a_read_of_it(desk: Desk, content: str) -> None:
    assert grep(desk, content, "count", path=f"{FOLDER}/EXP-002.md") == "EXP-002"


@pytest.mark.parametrize("content", ["", "0", f"{FOLDER}/EXP-002.md:0"])
def test_a_count_of_zero_is_not_a_read(desk: Desk, content: str) -> None:
    assert grep(desk, content, "count", path=f"{FOLDER}/EXP-002.md") == ""
    assert grep(desk, content, "count") == "_directory_search"


def test_a_search_in_one_file_reads_only_that_file(desk: Desk) -> None:
    for name, seen in {"EXP-002": "EXP-002", "index": "", "CORTEX": "", "EXP-404": ""}.items():
        assert grep(desk, MENTION, path=f"{FOLDER}/{name}.md") == seen


def test_a_list_of_file_names_is_a_read_of_each(desk: Desk) -> None:
    names = [f"{FOLDER}/EXP-002.md", f"{desk.context}/{FOLDER}/EXP-003.md", "app.py", 7]
    answer = {"filenames": names, "numFiles": 4}  # no mode: an old client, or the default
    assert desk.tool("Grep", {"pattern": "x"}, answer, ".cortex/context") == "EXP-002 EXP-003"


@pytest.mark.parametrize(
    ("path", "seen"),
    {
        FOLDER: "_directory_search",
        f"./{FOLDER}/": "_directory_search",
        f"~/.cortex/context/{FOLDER}": "_directory_search",
        "projects/tactile-reasoning/patterns": "tactile-reasoning/_directory_search",
        "projects/flywheel": "",
        "projects/flywheel/notes": "",
        "projects/nowhere/experiments": "",
        ".": "",
        "..": "",
        "../../app": "",
    }.items(),
)
def test_a_search_without_matches_counts_for_a_folder_of_atoms_only(
    desk: Desk, path: str, seen: str
) -> None:
    assert grep(desk, path=path) == seen


def test_a_search_without_a_response_is_not_a_read(desk: Desk) -> None:
    assert desk.tool("Grep", {"pattern": "x", "path": str(desk.context / FOLDER)}, None) == ""
