"""Unknown words of a query: which are replaced, and by what."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.correct_query import Correction, correct_query, list_typed_words
from cortexfs.core.find.parse_query import parse_query
from cortexfs.core.find.query_parts import MAX_QUERY_CHARS
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

TODAY = date(2026, 5, 6)
TEXTS = (
    "autovacuum keeps up with the events table; autovacuum_vacuum_scale_factor = 0.01",
    "the kubelet rotates container logs: --container-log-max-size",
    "refresh_token is stored hashed in src/auth/token_store.py",
    "the garbage collector pauses for seconds",
    "a certificate expired, and the receiver was reset",
    "log4j-core 2.17.1 fixes CVE-2021-44228",
    "configuration of the clock drift sensor",
    "the BMP280 measures the pressure",
)


class TextVocabulary(NamedTuple):
    """The terms of some texts."""

    counts: Counter[str]

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        return {term for term in terms if term in self.counts}

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        known = [term for term in candidates if term in self.counts]
        return {term: self.counts[term] for term in known[:limit]}

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        terms = [term for term in self.counts if term.startswith(prefix)]
        return sorted(terms, key=lambda term: (len(term), term))[:limit]


def make_vocabulary(texts: Iterable[str], language: str = "") -> TextVocabulary:
    terms = (set(" ".join(tokenize(text, language)).split()) for text in texts)
    return TextVocabulary(Counter(term for each in terms for term in each))


VOCABULARY = make_vocabulary(TEXTS)


def _correct(typed: str) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    text, corrections = correct_query(typed, parse_query(typed, TODAY), TODAY, VOCABULARY)
    return text, [(each.typed, each.searched) for each in corrections]


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("recevier", "receiver"),
        ("recevier reset", "receiver reset"),
        ("certifcate", "certificate"),
        ("xertificate", "certificate"),
        ("garbage colector", "garbage collector"),
        ("'Certifcate', he said", "'certificate', he said"),
        ('"garbage colector" pauses', '"garbage collector" pauses'),
        ("refresh_tokn", "refresh_token"),
        ("resetRecevier", "resetReceiver"),
        ("kubele logs", "kubelet logs"),
        ("--certifcate", "--certificate"),
        ("cerxtificae", "certificate"),
    ],
)
def test_an_unknown_word_is_replaced_in_its_place(typed: str, searched: str) -> None:
    text, corrections = _correct(typed)
    assert text == searched
    assert len(corrections) == 1


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "clock drift",
        "drifting clocks",
        "the clock",
        "clock -certifcate",
        "clock tag:certifcate",
        '"certifcate"',
        "certifcat*",
        "driftwood/EXP-009",
        "EXP-009",
        "deadbef",
        "2.17.1",
        "12345",
        "log4",
        "cl",
        "清除",
        "a" * 40,
        "clock zzzzqqqq",
    ],
)
def test_what_is_known_or_meant_exactly_stays(typed: str) -> None:
    assert _correct(typed) == (typed, [])


def test_a_word_typed_by_half_is_replaced_by_the_words_that_begin_with_it() -> None:
    text, corrections = _correct("autovac")
    assert text == "autovacuum autovacuum_vacuum_scale_factor"
    assert corrections == [("autovac", ("autovacuum", "autovacuum_vacuum_scale_factor"))]


def test_the_last_word_may_be_short_others_not() -> None:
    assert _correct("log kub") == ("log kubelet", [("kub", ("kubelet",))])
    assert _correct("kub log") == ("kub log", [])
    assert _correct("log kub ") == ("log kub ", [])


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("--container-log-max", "container-log-max-size"),
        ("src/auth", "src/auth/token_store.py"),
        ("autovacuum_vac", "autovacuum_vacuum_scale_factor"),
        ("CVE-2021-4422", "cve-2021-44228"),
        ("BMP28", "bmp280"),
    ],
)
def test_an_identifier_typed_by_half_is_also_searched_as_a_whole(typed: str, name: str) -> None:
    assert _correct(typed) == (f"{typed} {name}", [(typed, (name,))])


def test_beside_known_words_only_usual_errors_are_corrected() -> None:
    assert _correct("xertificate")[0] == "certificate"
    assert _correct("clock xertificate")[0] == "clock xertificate"
    assert _correct("clock certifcate")[0] == "clock certificate"


def test_alone_a_word_is_replaced_by_the_two_likeliest_ones() -> None:
    words = make_vocabulary(["stack", "stock", "stick"])
    text, corrections = correct_query("stuck", parse_query("stuck", TODAY), TODAY, words)
    assert text == "stack stick"
    assert corrections == (Correction("stuck", ("stack", "stick"), ("stock",)),)


def test_beside_known_words_others_as_likely_are_suggested() -> None:
    words = make_vocabulary(["stack", "stock", "queue"])
    text, corrections = correct_query(
        "stuck queue", parse_query("stuck queue", TODAY), TODAY, words
    )
    assert text == "stack queue"
    assert corrections == (Correction("stuck", ("stack",), ("stock",)),)


def test_a_letter_missing_in_a_short_word_is_corrected_unless_others_are_known() -> None:
    words = make_vocabulary(["json", "queue"])
    assert correct_query("jsn", parse_query("jsn", TODAY), TODAY, words)[0] == "json"
    typed = "jsn queue"
    assert correct_query(typed, parse_query(typed, TODAY), TODAY, words) == (typed, ())


def test_an_ending_typed_by_half_is_completed() -> None:
    words = make_vocabulary(["the configuration of it"])
    for typed in ("configurat", "configura"):
        text, _ = correct_query(typed, parse_query(typed, TODAY), TODAY, words)
        assert parse_query(text, TODAY).terms == ("configur",)


def test_far_words_of_a_single_word_are_only_suggested() -> None:
    words = make_vocabulary(["mountain"])
    text, corrections = correct_query("moutani", parse_query("moutani", TODAY), TODAY, words)
    assert text == "moutani"
    assert corrections == (Correction("moutani", (), ("mountain",)),)


@pytest.mark.parametrize(
    ("text", "typed", "language"),
    [
        ("die Häuser der Stadt", "Häusern", "de"),
        ("los agentes escribieron", "escribir", "es"),
    ],
)
def test_a_word_with_a_known_form_in_a_language_of_the_texts_stays(
    text: str, typed: str, language: str
) -> None:
    words = make_vocabulary([text], language)
    query = parse_query(typed, TODAY, [language])
    assert correct_query(typed, query, TODAY, words) == (typed, ())
    assert correct_query(typed, parse_query(typed, TODAY), TODAY, words)[1]  # not in English


def test_a_frequent_word_of_the_language_of_the_query_stays() -> None:
    words = make_vocabulary(["die Weiche klemmt", "der Zug wartet auf der Strecke"], "de")
    typed = "welche Strecke ist es, auf der der Zug wartet"
    query = parse_query(typed, TODAY, ["de"])
    assert query.language == "de"
    assert correct_query(typed, query, TODAY, words) == (typed, ())


def test_an_error_in_a_word_of_another_language_is_corrected() -> None:
    words = make_vocabulary(["Die Temperaturmessung schwankt"], "de")
    query = parse_query("Temperaturmesung", TODAY, ["de"])
    assert correct_query("Temperaturmesung", query, TODAY, words)[0] == "temperaturmessung"


@given(st.text("abcdé -\"*:/_'\n", max_size=60))
def test_any_text_is_a_query_and_a_corrected_one_has_no_other_filters(typed: str) -> None:
    query = parse_query(typed, TODAY)
    text, corrections = correct_query(typed, query, TODAY, VOCABULARY)
    changed = parse_query(text, TODAY)
    assert changed.excluded == query.excluded
    assert changed.filters == query.filters
    assert len(changed.phrases) == len(query.phrases)
    assert corrections or text == typed


def test_the_words_are_those_at_their_places() -> None:
    typed = "it's \"HandleSave now\" foobar2 -excluded tag:x 'quoted'"
    words = list_typed_words(typed, TODAY)
    assert [typed[word.start :].startswith(word.text) for word in words] == [True] * len(words)
    assert [word.text for word in words] == ["Handle", "Save", "quoted"]


def test_very_many_unknown_words_are_bounded() -> None:
    asked: list[int] = []

    class Counting(NamedTuple):
        words: TextVocabulary

        def find_terms(self, terms: Iterable[str]) -> set[str]:
            return self.words.find_terms(terms)

        def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
            every = list(candidates)
            asked.append(len(every))
            return self.words.count_candidates(every, limit)

        def list_terms(self, prefix: str, limit: int) -> list[str]:
            return self.words.list_terms(prefix, limit)

    typed = " ".join(f"zq{chr(97 + n % 26)}{chr(97 + n // 26)}kwertz" for n in range(600))
    assert len(typed) > MAX_QUERY_CHARS
    correct_query(typed, parse_query(typed, TODAY), TODAY, Counting(VOCABULARY))
    assert sum(asked) < 5_000


def test_a_word_that_is_right_elsewhere_is_only_completed() -> None:
    for typed, searched in (("clack drift", "clack drift"), ("autovac", "autovacuum")):
        query = parse_query(typed, TODAY)
        right = correct_query(typed, query, TODAY, VOCABULARY, lambda _: True)[0]
        assert right.startswith(searched)
    typed = "clack"
    assert correct_query(typed, parse_query(typed, TODAY), TODAY, VOCABULARY)[0] == "clock"
