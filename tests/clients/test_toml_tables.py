"""One table of a TOML document: added, changed and removed as text."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.clients.toml_tables import (
    MAX_CHARACTERS,
    TomlValue,
    read_table,
    remove_table,
    set_table,
)
from cortexfs.errors import Refused, Unreadable

PATH = ("mcp_servers", "cortexfs")
VALUES: dict[str, TomlValue] = {"command": "/usr/bin/python3", "args": ["-m", "cortexfs", "mcp"]}
BLOCK = '[mcp_servers.cortexfs]\ncommand = "/usr/bin/python3"\nargs = ["-m", "cortexfs", "mcp"]\n'
MINE = """\
# my settings
model = "gpt-5" # the large one
notify = [
  ["a"],
  "[mcp_servers.cortexfs]",
]
prompt = '''
[profile]
'''

[mcp_servers.other]
command = "x"

# about hooks
[hooks.state."/h/hooks.json:stop:0:0"]
trusted_hash = "sha256:1"
"""
texts = st.lists(
    st.sampled_from(
        [
            "# note\n",
            "\n",
            'a = "b"\n',
            "b = [\n  1,\n]\n",
            "[t]\n",
            "[t.u] # note\n",
            "c = 1\n",
            "[[list]]\n",
            "  [mcp_servers.other]\n",
            "d = '''\n[profile]\n'''\n",
        ]
    ),
    max_size=8,
).map("".join)


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", BLOCK),
        (MINE, MINE + "\n" + BLOCK),
        ("a = 1", "a = 1\n\n" + BLOCK),
        ("a = 1\r\n", "a = 1\r\n\r\n" + BLOCK.replace("\n", "\r\n")),
    ],
)
def test_a_table_is_added_at_the_end_after_a_blank_line(before: str, after: str) -> None:
    assert set_table(before, PATH, VALUES) == after
    assert set_table(after, PATH, VALUES) == after
    assert remove_table(after, PATH).rstrip("\r\n") == before.rstrip("\r\n")


@given(texts.filter(is_toml))
def test_removing_an_added_table_restores_the_bytes(text: str) -> None:
    new = set_table(text, PATH, VALUES)
    assert tomllib.loads(new)["mcp_servers"]["cortexfs"] == VALUES
    assert remove_table(new, PATH) == text


def test_new_values_replace_ours_and_keep_those_of_the_user() -> None:
    mine = BLOCK + 'startup_timeout_sec = 20 # mine\n\n[mcp_servers.cortexfs.env]\nA = "1"\n'
    new = set_table(MINE + "\n" + mine, PATH, VALUES | {"command": "/opt/python3"})
    assert new == MINE + "\n" + mine.replace("/usr/bin/", "/opt/")
    assert set_table(new.replace('args = ["-m", "cortexfs", "mcp"]\n', ""), PATH, VALUES).count(
        "args"
    )


def test_a_removed_table_takes_the_tables_below_it_along_and_no_comment() -> None:
    mine = f'{BLOCK}\n[mcp_servers.cortexfs.env]\nA = "1"\n\n# about the rest\n[rest]\n'
    assert remove_table(f"{MINE}\n{mine}", PATH) == f"{MINE}\n# about the rest\n[rest]\n"


@pytest.mark.parametrize("key", ['"cortexfs"', "'cortexfs'"])
def test_a_quoted_header_is_found(key: str) -> None:
    text = f'a = 1\n\n[ mcp_servers . {key} ] # mine\ncommand = "cortexfs"\n'
    assert read_table(text, PATH) == {"command": "cortexfs"}
    assert remove_table(text, PATH) == "a = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = {other = {command = "x"}}\n',
        "mcp_servers = 3\n",
        "[mcp_servers]\ncortexfs = 3\n",
        'mcp_servers.cortexfs.command = "cortexfs"\n',
    ],
)
def test_a_document_that_lines_do_not_explain_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="cannot be edited safely"):
        set_table(text, PATH, VALUES)


def test_an_inline_table_is_not_removed_by_halves() -> None:
    text = 'mcp_servers = {cortexfs = {command = "cortexfs"}}\n'
    with pytest.raises(Refused, match="cannot be edited safely"):
        remove_table(text, PATH)


def test_a_header_within_a_string_is_no_header() -> None:
    text = "a = '''\n[mcp_servers.cortexfs]\n'''\n"
    assert read_table(text, PATH) is None
    assert remove_table(text, PATH) == text
    with pytest.raises(Refused, match="cannot be edited safely"):
        remove_table(set_table(text, PATH, VALUES), PATH)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = \n", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
        ("#" * (MAX_CHARACTERS + 1), "too large"),
    ],
)
def test_what_is_not_toml_is_refused(text: str, reason: str) -> None:
    for edit in (lambda: set_table(text, PATH, VALUES), lambda: remove_table(text, PATH)):
        with pytest.raises(Unreadable, match=reason):
            edit()
