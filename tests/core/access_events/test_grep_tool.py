"""The client's own search tool, in the forms that its versions answer in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from recorded_home import RecordedHome

FOLDER = "projects/flywheel/experiments"
MENTION = "see /x/EXP-004.md:3: and projects/flywheel/knowledge/K-003.md:12:bottleneck"


def grep(
    recorded: RecordedHome, content: str = "", mode: str = "content", **more_input: object
) -> str:
    """Search from within the tree, and give what that tells of."""
    response = {"mode": mode, "filenames": [], "numFiles": 0, "content": content}
    more_input = {"pattern": "x", "path": FOLDER, "output_mode": mode} | more_input
    return recorded.tool("Grep", more_input, response, cwd=".cortex/context")


@pytest.mark.parametrize("separator", [":12:", ":", "-12-", "-"])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_line_belongs_to_the_file_named_at_its_start(
    recorded: RecordedHome, separator: str, *, absolute: bool
) -> None:
    folder = f"{recorded.context}/{FOLDER}" if absolute else FOLDER
    assert grep(recorded, f"{folder}/EXP-002.md{separator}{MENTION}\n--\n{MENTION}") == "EXP-002"


def test_a_file_name_may_contain_the_separator(recorded: RecordedHome) -> None:
    name = "projects/flywheel/decisions/0012-a:12:b-12-c.md"
    (recorded.context / name).parent.mkdir()
    (recorded.context / name).touch()
    for line in (f"{name}:3:{MENTION}", f"{name}-4-{MENTION}", f"{name}:{MENTION}"):
        assert grep(recorded, line, path="projects") == "0012-a:12:b-12-c"


def test_text_that_looks_like_a_path_upwards_is_not_a_read(recorded: RecordedHome) -> None:
    assert grep(recorded, f"{FOLDER}/CORTEX.md:3:/../EXP-004.md:1:x") == "_directory_search"
    assert grep(recorded, f"{FOLDER}/gone.md:3:/../EXP-004.md:1:x") == "_directory_search"


def test_only_a_newline_separates_lines(recorded: RecordedHome) -> None:
    odd = "".join(f"{FOLDER}/EXP-003.md:1:x{separator}" for separator in "\x0b\x0c\x1c\x85\u2028\r")
    assert grep(recorded, f"{FOLDER}/EXP-002.md:1:{odd}\r\n") == "EXP-002"


def test_a_path_outside_the_searched_folder_is_not_a_read(recorded: RecordedHome) -> None:
    assert grep(recorded, "projects/flywheel/knowledge/K-001.md:1:x") == "_directory_search"


@pytest.mark.parametrize("content", ["1", "2\n", f"{FOLDER}/EXP-002.md:1"])
def test_a_count_for_one_file_is_a_read_of_it(recorded: RecordedHome, content: str) -> None:
    assert grep(recorded, content, "count", path=f"{FOLDER}/EXP-002.md") == "EXP-002"


@pytest.mark.parametrize("content", ["", "0", f"{FOLDER}/EXP-002.md:0"])
def test_a_count_of_zero_is_not_a_read(recorded: RecordedHome, content: str) -> None:
    assert grep(recorded, content, "count", path=f"{FOLDER}/EXP-002.md") == ""
    assert grep(recorded, content, "count") == "_directory_search"


def test_a_search_in_one_file_reads_only_that_file(recorded: RecordedHome) -> None:
    for name, expected in {"EXP-002": "EXP-002", "index": "", "CORTEX": "", "EXP-404": ""}.items():
        assert grep(recorded, MENTION, path=f"{FOLDER}/{name}.md") == expected


def test_a_list_of_file_names_is_a_read_of_each(recorded: RecordedHome) -> None:
    names = [f"{FOLDER}/EXP-002.md", f"{recorded.context}/{FOLDER}/EXP-003.md", "app.py", 7]
    response = {"filenames": names, "numFiles": 4}  # no mode: an old client, or the default
    assert recorded.tool("Grep", {"pattern": "x"}, response, ".cortex/context") == "EXP-002 EXP-003"


@pytest.mark.parametrize(
    ("path", "expected"),
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
    recorded: RecordedHome, path: str, expected: str
) -> None:
    assert grep(recorded, path=path) == expected


def test_a_search_without_a_response_is_not_a_read(recorded: RecordedHome) -> None:
    assert (
        recorded.tool("Grep", {"pattern": "x", "path": str(recorded.context / FOLDER)}, None) == ""
    )
