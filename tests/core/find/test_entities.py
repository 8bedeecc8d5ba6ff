"""What a text names of the world outside: found where it is named, and nothing made of numbers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.core.find.entities import (
    ENTITY_SORTS,
    MAX_ENTITIES,
    MAX_ENTITY_CHARS,
    Entity,
    find_entities,
)

LINE = 10 * MAX_ENTITY_CHARS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://example.org/a.b?x=1), and", {"url https://example.org/a.b?x=1"}),
        ("in src/auth/store.go:42 and `pack.rs`", {"file src/auth/store.go", "file pack.rs"}),
        ("run `pip install -U numpy httpx`", {"package numpy", "package httpx"}),
        ("npm install @scope/name", {"package @scope/name"}),
        ("pandas==2.1.0, react@18.2.0", {"package pandas", "package react", "version 2.1.0"}),
        ("import os", {"package os"}),
        ("  from yaml.nodes import Node", {"package yaml"}),
        ("from the beginning import duties rose", set()),
        ("`HandleSave()` of `std::vector`", {"symbol HandleSave", "symbol std::vector"}),
        ("`plain` word", set()),
        ("POST /api/v1/users/{id} fails", {"endpoint POST /api/v1/users/{id}"}),
        ("set $HOME or ${CORTEX_HOME}, MAX_SIZE", {"variable CORTEX_HOME", "variable MAX_SIZE"}),
        ("since v1.2 and 3.11.7.", {"version 1.2", "version 3.11.7"}),
        (
            "Changed src/auth/middleware.ts and internal/store/store.go",
            {"file src/auth/middleware.ts", "file internal/store/store.go"},
        ),
        ("Added func HandleSave and type Config struct", {"symbol HandleSave", "symbol Config"}),
        ("def main(): const limit = 3", {"symbol main", "symbol limit"}),
        ("a type of error, a class of bugs, var names", set()),
        (
            "GET /api/users/:id, POST /auth/login, DELETE /api/sessions/{id}",
            {
                "endpoint GET /api/users/:id",
                "endpoint POST /auth/login",
                "endpoint DELETE /api/sessions/{id}",
            },
        ),
        (
            "$DATABASE_URL ${REDIS_HOST} $API_KEY",
            {"variable DATABASE_URL", "variable REDIS_HOST", "variable API_KEY"},
        ),
        (
            "v2.3.1 with Node 18.4.0 and Python 3.11",
            {"version 2.3.1", "version 18.4.0", "version 3.11"},
        ),
        ("--verbose --output=json -p", {"flag --verbose", "flag --output", "flag -p"}),
        ("a - b -- c, well-known, x-1, ---", set()),
        ("of github.com/spf13/viper.", {"package github.com/spf13/viper"}),
        ("uses @scope/package, too", {"package @scope/package"}),
        (
            "TypeError, java.io.IOException, error[E0382], ENOENT, ERR_TLS_CERT",
            {"error TypeError", "error IOException", "error E0382"}
            | {"error ENOENT", "error ERR_TLS_CERT"},
        ),
        ("Error and EVEN", set()),
        ("8.2 MB in 1.5 s on 2026-03-09", set()),
        ("node.js and e.g. this", set()),
    ],
)
def test_entities_of_each_sort_are_found(text: str, expected: set[str]) -> None:
    assert expected <= {f"{found.sort} {found.name}" for found in find_entities(text)}
    if not expected:
        assert find_entities(text) == []


def test_the_tables_of_a_statement_are_found_and_its_keywords_are_not() -> None:
    text = (
        "SELECT * FROM users JOIN orders ON a = b WHERE x; "
        "INSERT INTO accounts VALUES (1); UPDATE sessions SET a = 1"
    )
    found = [each.name for each in find_entities(text) if each.sort == "table"]
    assert found == ["users", "orders", "accounts", "sessions"]
    assert find_entities("FROM alpine:3 and UPDATE the docs, FROM SELECT") == []


def test_an_entity_is_found_once_with_its_first_line() -> None:
    assert find_entities("a\n`src/a.py`\nagain src/a.py\n") == [Entity("file", "src/a.py", 2)]


@given(st.text(max_size=400))
def test_entities_of_any_text_occur_in_it(text: str) -> None:
    lines = text.split("\n")
    for found in find_entities(text):
        assert found.sort in ENTITY_SORTS
        assert 1 < len(found.name) <= MAX_ENTITY_CHARS
        assert found.sort == "endpoint" or found.name in lines[found.line - 1]


def test_the_number_of_entities_is_limited() -> None:
    assert len(find_entities("\n".join(f"src/file{n}.py" for n in range(5000)))) == MAX_ENTITIES


@pytest.mark.parametrize(
    "piece",
    leave_to_soak(
        [
            "a/",
            "a.py ",
            "`a.",
            "a_b ",
            "GET /",
            "GET / ",
            "v1.",
            "pip install a ",
            "$",
            "`",
            "https://a",
            "@a/",
            "github.com/a",
            "func (a",
            "FROM ",
            "UPDATE a",
            "Aa",
            "--",
            " -a",
        ],
        every=6,
    ),
)
@pytest.mark.parametrize("is_in_lines", [False, True], ids=["a line", "lines"])
def test_hostile_text_takes_linear_time(piece: str, is_in_lines: bool) -> None:
    line = (piece * LINE)[:LINE]
    began = time.process_time()
    assert len(find_entities(f"{line}\n" * 200 if is_in_lines else piece * 100_000)) <= 2
    assert time.process_time() - began < 2


def test_a_part_of_an_entity_is_not_another_entity() -> None:
    found = find_entities("GET /a.py MAX_A.py https://b.de/MAX_B `MAX_C`")
    assert [(each.sort, each.name) for each in found] == [
        ("url", "https://b.de/MAX_B"),
        ("endpoint", "GET /a.py"),
        ("file", "MAX_A.py"),
        ("variable", "MAX_C"),
        ("symbol", "MAX_C"),
    ]
