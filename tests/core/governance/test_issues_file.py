"""ISSUES.md: entries of both styles are found, added in the style that stands, and taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES

from cortexfs.core.governance.issues import add_issue, parse_issues, resolve_issue
from cortexfs.errors import Refused

HEADED = "## {} (2026-03-05)\n\n- Problem: it is slow.\n- When: always.\n\n"
LISTED = "- **{}** (2026-03-05): symptom\n  - Investigation: see EXP-001\n    and more\n"
PLAIN = "## {}\n\n* Problem: no date\n\n"
TITLES = ("Alpha", "Beta gamma", "Delta", "Ünïcode 🎛", "a (b) c")
FIELDS = {"Problem": "p", "When": "", "Investigation": "i"}

titles = st.lists(st.sampled_from(TITLES), unique=True, max_size=5)


def _page(names: list[str], form: str, end: str) -> str:
    text = "# p issues\n\nAn introduction.\n\n" + "".join(form.format(name) for name in names)
    return (text.rstrip() + "\n").replace("\n", end)


@given(titles, st.sampled_from([HEADED, LISTED, PLAIN]), st.sampled_from(NEWLINES))
def test_every_issue_is_found(names: list[str], form: str, end: str) -> None:
    found = parse_issues(_page(names, form, end))
    assert [issue.title for issue in found] == names
    assert {issue.date for issue in found} <= {"" if form is PLAIN else "2026-03-05"}


@given(titles.filter(bool), st.sampled_from([HEADED, LISTED]), st.sampled_from(NEWLINES), st.data())
def test_resolving_removes_one_issue_and_no_other_byte(
    names: list[str], form: str, end: str, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(names))
    others = [other for other in names if other != name]
    text = _page(names, form, end)
    for wanted in (name, name.upper(), str(names.index(name) + 1)):
        issue, after = resolve_issue(text, wanted)
        assert (issue.title, after) == (name, _page(others, form, end))


@given(titles, st.sampled_from([HEADED, LISTED]), st.sampled_from(NEWLINES))
def test_resolving_an_added_issue_restores_the_bytes(names: list[str], form: str, end: str) -> None:
    text = _page(names, form, end)
    after = add_issue(text, "Brand new", "2026-05-06", FIELDS)
    assert after.startswith(text.rstrip("\r\n"))
    assert [issue.title for issue in parse_issues(after)] == [*names, "Brand new"]
    assert resolve_issue(after, "brand new")[1] == text


def test_a_new_issue_has_the_style_of_its_file() -> None:
    new = add_issue("# i\n", "New", "2026-05-06", FIELDS)
    assert new == "# i\n\n## New (2026-05-06)\n\n- Problem: p\n- Investigation: i\n"
    starred = "## A (2026-01-01)\n\n* Problem: x\n"
    assert add_issue(starred, "New", "2026-05-06", FIELDS).endswith(
        "\n\n* Problem: p\n* Investigation: i\n"
    )
    old = add_issue(
        "# i\n\n* **Old** (2026-01-01)\n  * Problem: x\n\nEnd.\n", "New", "2026-05-06", FIELDS
    )
    assert "* **New** (2026-05-06)\n  * Problem: p\n  * Investigation: i\n\nEnd.\n" in old


def test_an_existing_title_is_refused() -> None:
    with pytest.raises(Refused, match="issue `Alpha` already exists") as refused:
        add_issue(_page(["Alpha"], HEADED, "\n"), "alpha!", "2026-05-06", FIELDS)
    assert refused.value.hint == "it is number 1"


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("0", "number 0"),
        ("3", "number 3"),
        ("board", "matches 2 issues"),
        ("x", "matches `x`"),
        ("", "matches ``"),
    ],
)
def test_words_that_match_no_or_several_issues_are_refused_with_the_list(
    wanted: str, message: str
) -> None:
    with pytest.raises(Refused, match=message) as refused:
        resolve_issue(_page(["No board", "Board broken"], HEADED, "\n"), wanted)
    assert refused.value.hint == "choose from 1 `No board`, 2 `Board broken`"


def test_an_exact_title_is_chosen_before_one_that_contains_it() -> None:
    text = _page(["Board broken", "Board"], HEADED, "\n")
    assert resolve_issue(text, "board")[0].title == "Board"


def test_other_headings_and_code_are_not_issues() -> None:
    text = "# i\n\n## How to write here\n\nShortly.\n\n```\n## Code (2026-01-01)\n```\n"
    assert parse_issues(text) == []
    assert parse_issues("## A (2026-01-01)\n\n- **Bold** (2026-01-02)\n")[0].title == "A"
