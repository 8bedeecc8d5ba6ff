"""What of an atom is read for its meaning."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.embedding_passages import (
    MAX_PASSAGES,
    PASSAGE_WORDS,
    hash_passages,
    split_passages,
)

texts = st.text(max_size=300) | st.lists(st.just("word"), max_size=900).map(" ".join)


@given(texts, texts)
def test_passages_hold_the_title_and_the_text_in_order_up_to_a_length(
    title: str, body: str
) -> None:
    passages = split_passages(title, body.split())
    assert 1 <= len(passages) <= MAX_PASSAGES
    assert all(passage.startswith(title) for passage in passages)
    words = [word for passage in passages for word in passage[len(title) :].split()]
    assert words == body.split()[: PASSAGE_WORDS * MAX_PASSAGES]
    assert all(len(passage[len(title) :].split()) <= PASSAGE_WORDS for passage in passages)


@given(texts, texts, texts)
def test_equal_passages_have_equal_hashes_and_others_do_not(
    title: str, body: str, other: str
) -> None:
    one, two = split_passages(title, body.split()), split_passages(title, other.split())
    assert (hash_passages(one) == hash_passages(two)) == (one == two)


def test_white_space_does_not_change_the_hash() -> None:
    spread, plain = "a  b\n\nc\n", "a b c"
    hashes = {hash_passages(split_passages("t", each.split())) for each in (spread, plain)}
    assert len(hashes) == 1
    assert hash_passages(("a", "b")) != hash_passages(("a b",))
