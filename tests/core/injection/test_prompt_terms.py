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


def test_a_table_that_is_cut_off_or_forged_ends_and_raises_nothing() -> None:
    items = [PromptItem(f"p/K-{n}", f"varint delta{n} filler{n}") for n in range(20)]
    table = render_prompt_terms(items)
    terms = ["varint", "delta7", "filler7", "zzz"]
    assert prompt_matches.find_matches(table, terms, "p") == [("p/K-7", "varint delta7 filler7")]
    for end in range(len(table)):
        prompt_matches.find_matches(table[:end], terms, "p")
    for size in range(0, len(table), 7):
        head = b"cortexfs-prompt-terms 1 300 %d\n" % size
        prompt_matches.find_matches(head + table.partition(b"\n")[2], terms, "p")
    for cell in (b"-1", b"x", b"\xb2", b"9" * 5000, b""):
        block = b"delta7\t%b\t%b\nfiller7\t900\t%b,0\n" % (cell, cell, cell)
        head = b"cortexfs-prompt-terms 1 300 %d\n" % len(block)
        assert prompt_matches.find_matches(head + block + b"p/K-7\tx\n", terms, "p") == []
    head = b"cortexfs-prompt-terms 1 %b 9\n" % (b"9" * 4000)
    assert prompt_matches.find_matches(head + block, terms, "p") == []


def test_a_row_without_an_end_is_cut() -> None:
    block = b"delta\t900\t0\nvarint\t900\t0\n"
    table = b"cortexfs-prompt-terms 1 300 %d\n%bp/K-1\t" % (len(block), block) + b"x" * 5_000_000
    ((_, summary),) = prompt_matches.find_matches(table, ["varint", "delta"], "p")
    assert len(summary) < 1000


def test_the_table_has_no_secret_and_no_private_part() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    summary = f"token {secret} gh\u200bp{secret[3:]} <private>salary</private> of the relay"
    table = render_prompt_terms([PromptItem("p/K-1", summary, f"{secret} relay")]).decode()
    assert "token [secret] [secret] [REDACTED] of the relay\n" in table
    assert "ghp" not in table
    assert "salary" not in table
