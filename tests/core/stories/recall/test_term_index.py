"""The terms of a chunk, and the names in it, are what a search of its texts finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.message import Message
from cortexfs.core.stories.recall.named_entities import (
    AskedEntities,
    EntityNames,
    NamedEntity,
    drop_longer_names,
)
from cortexfs.core.stories.recall.score_messages import MAX_FOUND, index_terms

WORDS = ["kael", "melina", "voss", "mill", "anna"]
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
forms = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
messages = st.lists(
    st.builds(Message, st.just(""), st.just(""), st.sampled_from(WORDS), st.just("user"), words),
    max_size=6,
)


def count_runs(words: list[str], wanted: list[str]) -> int:
    """Return how often some words follow each other."""
    return sum(words[at : at + len(wanted)] == wanted for at in range(len(words)))


@given(messages, st.sampled_from(WORDS), st.integers(0, 6))
def test_a_term_is_where_it_is_said(said: list[Message], term: str, count: int) -> None:
    places = [
        place
        for place, each in enumerate(said)
        for _ in range(f"{each.speaker} {each.text}".split().count(term))
    ]
    terms = index_terms(said)
    assert [*map(ord, terms.find(term))] == places
    assert terms.cut_after(count) == index_terms(said[:count])


@given(messages, forms)
def test_words_that_follow_each_other_are_found_together(said: list[Message], form: str) -> None:
    texts = [f"{each.speaker} {each.text}".split() for each in said]
    places = {place for place, text in enumerate(texts) if count_runs(text, form.split())}
    terms = index_terms(said)
    assert {*map(ord, terms.find(form))} == places
    assert terms.has_any((form,)) == terms.has_any((form,)) == bool(places)


def test_a_prefix_is_found_in_each_word_that_begins_with_it() -> None:
    said = [Message("", "", "", "user", text) for text in ("migrate migrating", "no", "migrant")]
    assert [*map(ord, index_terms(said).find("migra*"))] == [0, 0, 2]


def test_a_chunk_remembers_few_names() -> None:
    terms = index_terms([Message("", "", "Kael", "user", "The mill.")])
    for number in range(3 * MAX_FOUND):
        assert not terms.has_any((f"name{number}",))
    assert len(terms.found) <= MAX_FOUND
    assert terms.has_any(("mill",))


@given(st.lists(st.lists(forms, min_size=1, max_size=4), max_size=4), messages)
def test_who_is_named_is_who_has_a_name_in_the_text(
    names: list[list[str]], said: list[Message]
) -> None:
    entities = [
        NamedEntity(f"p/ENT-{n}", "", tuple(each), 0, 0.0, "") for n, each in enumerate(names)
    ]
    terms = index_terms(said)
    texts = [text.split() for text in terms.texts]
    named = {
        each.ref
        for each in entities
        if any(count_runs(text, name.split()) for name in each.names for text in texts)
    }
    known = EntityNames.from_entities(entities)
    assert {*known.find_in_terms(terms.lines)} == named
    for each in entities:
        one = EntityNames.from_entities([each])
        asked = AskedEntities.from_texts(one, [" . ".join(each.names)], ())
        assert asked.measure_overlap(terms) == (each.ref in named)
        shares = [any(count_runs(text, name.split()) for name in each.names) for text in texts]
        assert asked.measure_messages(terms) == shares


def test_a_longer_name_says_no_more_than_the_shorter_one_in_it() -> None:
    assert drop_longer_names(("kael", "kael voss", "lord of mill", "kaels")) == (
        "kael",
        "lord of mill",
        "kaels",
    )
