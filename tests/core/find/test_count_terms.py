"""Terms are counted once for each text; what is known already is not counted again."""

from __future__ import annotations

from cortexfs.core.find.count_terms import (
    SearchedPatterns,
    TermCounts,
    WeightedText,
    count_terms,
    find_uncounted,
    select_counts,
)

TEXTS = [(1, WeightedText(" alpha beta ", 2)), (2, WeightedText(" beta gamma beta ", 3))]


def test_only_texts_that_may_have_an_uncounted_pattern_are_missing() -> None:
    known = TermCounts({}, {})
    searched = SearchedPatterns.from_strings(["beta"], {})
    assert find_uncounted(known, [2, 1], searched) == [2, 1]
    count_terms(known, TEXTS, searched)
    assert find_uncounted(known, [1, 2], searched) == []
    assert find_uncounted(known, [1, 3, 2], searched) == [3]
    assert find_uncounted(known, [1, 2], SearchedPatterns.from_strings(["gamma"], {})) == [1, 2]
    rare = SearchedPatterns.from_strings(["beta", "gamma"], {"gamma": {2, 9}})
    assert find_uncounted(known, [1, 2], rare) == [2]


def test_counts_are_in_the_order_of_the_texts_and_patterns() -> None:
    known = TermCounts({}, {})
    searched = SearchedPatterns.from_strings(["beta", "alph*"], {"alph*": {1}})
    count_terms(known, TEXTS, searched)
    assert select_counts(known, [2, 7, 1], searched) == ([2, 1], [3, 2], [[2, 1], [0, 1]])


def test_forms_of_a_string_share_their_patterns() -> None:
    searched = SearchedPatterns.from_strings(["haus", "haus\nhauser"], {})
    assert searched.patterns == [" haus ", " hauser "]
    assert searched.places == [[0], [0, 1]]
    assert SearchedPatterns.from_strings(["haus", "hauser"], {}).places == []
