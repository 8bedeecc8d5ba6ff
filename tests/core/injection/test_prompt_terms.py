"""The table of prompt terms, and the agreement of its two readers about what a term is."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.injection import prompt_tokens
from cortexfs.core.injection.prompt_terms import (
    MAX_ITEMS,
    MAX_PLACES,
    PromptItem,
    render_prompt_terms,
)

sys.path.insert(0, str(Path(__file__).parents[3] / "hooks"))
import prompt_matches
import prompt_tokens as hook_tokens

WORDS = st.text(st.sampled_from("abeginrstuy 09-é\t\n'İß"), max_size=60)


@given(WORDS)
def test_the_hook_splits_a_prompt_as_the_table_was_split(text: str) -> None:
    assert hook_tokens.split_terms(text) == prompt_tokens.split_terms(text)
    assert hook_tokens.STOP_WORDS == prompt_tokens.STOP_WORDS


def test_a_common_term_leads_to_the_best_atoms_only() -> None:
    table = render_prompt_terms([PromptItem(f"p/K-{n}", "codec") for n in range(MAX_PLACES + 9)])
    head = table[: table.index(b"\n") + 1]
    span = (len(head), len(head) + int(head.split()[-1]))
    places = prompt_matches.look_up(table, span, b"codec")[1]
    assert len(places) == MAX_PLACES
    assert places[0] == b"0"


@given(st.lists(WORDS, min_size=1, max_size=12))
def test_each_term_of_the_table_is_found_with_its_items(texts: list[str]) -> None:
    table = render_prompt_terms([PromptItem(f"p/K-{n}", text) for n, text in enumerate(texts)])
    head = table[: table.index(b"\n") + 1]
    span = (len(head), len(head) + int(head.split()[-1]))
    expected: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        for term in dict.fromkeys(prompt_tokens.split_terms(text)):
            expected.setdefault(term, []).append(number)
    for term, numbers in expected.items():
        if term.isprintable():
            places = prompt_matches.look_up(table, span, term.encode())[1]
            refs = [table[span[1] + int(place) :].partition(b"\t")[0] for place in places]
            assert refs == [b"p/K-%d" % number for number in numbers]
    for missing in (b"", b"\xff", b"zzz", b"a", b"\n"):
        assert prompt_matches.look_up(table, span, missing) == (0, [])


def test_inflected_words_are_one_term() -> None:
    texts = ("merging alerts", "merged alert", "merge ALERTS!")
    assert {tuple(prompt_tokens.split_terms(text)) for text in texts} == {("merg", "alert")}


def test_the_table_is_bounded_and_a_row_is_one_line() -> None:
    items = [PromptItem(f"p/K-{n}", "a\tb\nrare words " * 50) for n in range(MAX_ITEMS + 5)]
    table = render_prompt_terms(items)
    rows = table.decode().splitlines()[1:]
    assert len([row for row in rows if row.startswith("p/K-")]) == MAX_ITEMS
    assert all(row.count("\t") == 1 and len(row) < 220 for row in rows if row.startswith("p/"))
    assert render_prompt_terms(items) == table


def test_a_damaged_table_gives_nothing() -> None:
    for table in (b"", b"x", b"cortexfs-prompt-terms 1 \n", b"cortexfs-prompt-terms 1 5 -4\n"):
        assert prompt_matches.find_matches(table, ["varint", "delta"], "p") == []


def test_the_table_has_no_secret_and_no_private_part() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    summary = f"token {secret} gh\u200bp{secret[3:]} <private>salary</private> of the relay"
    table = render_prompt_terms([PromptItem("p/K-1", summary, f"{secret} relay")]).decode()
    assert "token [secret] [secret] [REDACTED] of the relay\n" in table
    assert "ghp" not in table
    assert "salary" not in table
