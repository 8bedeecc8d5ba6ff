"""What `find` says beside its results: corrected words, and matches that were excluded."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

pytestmark = pytest.mark.usefixtures("full_text")


def _write(tree: Place, ident: str, summary: str, body: str = "", project: str = "flywheel") -> str:
    path = f"projects/{project}/knowledge/{ident}.md"
    front = f"id: {ident}\ndate: 2026-04-01\nproject: {project}\nsummary: {summary}\ntags: [a]\n"
    tree.write(path, f"---\n{front}status: valid\n---\n\n{body}\n")
    return path


def _find(place: Place, *words: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(place.run("find", "--json", *words).out)
    return document


def _refs(document: dict[str, Any]) -> list[str]:
    return [hit["ref"].rpartition("/")[2] for hit in document["found"]]


def test_a_word_with_an_error_finds_its_atom_and_is_named(tree: Place) -> None:
    _write(tree, "K-001", "The receiver is reset")
    ran = tree.run("find", "recevier")
    assert "flywheel/K-001" in ran.out
    assert ran.err.splitlines()[0] == 'no text has the word "recevier"; searched for "receiver"'
    document = _find(tree, "recevier")
    assert document["corrections"] == [
        {"typed": "recevier", "searched": ["receiver"], "others": []}
    ]
    assert "excluded" not in document


def test_a_word_that_is_in_a_text_is_never_corrected(tree: Place) -> None:
    _write(tree, "K-001", "The form of the frame")
    _write(tree, "K-002", "From the frame on", "frmo is a rare word")
    document = _find(tree, "frmo")
    assert _refs(document) == ["K-002"]
    assert "corrections" not in document


def test_completed_words_are_named_as_the_texts_have_them(tree: Place) -> None:
    _write(tree, "K-001", "Configuration of the sensor", "The configuration is a file.")
    err = tree.run("find", "configur").err
    assert "no text has" not in err  # it is the stem
    err = tree.run("find", "configu").err
    assert err.splitlines()[0] == 'no text has the word "configu"; searched for "configuration"'


GERMAN = "Die Temperaturmessung in den Häusern schwankt, weil der Fühler nicht im Schatten ist."


@pytest.mark.parametrize(
    "typed", leave_to_soak(["Haus", "Häuser", "Temperatur", "welche Häuser"], every=3)
)
def test_words_in_another_form_or_in_a_compound_are_known(tree: Place, typed: str) -> None:
    _write(tree, "K-001", "Schwankende Messwerte", GERMAN)
    document = _find(tree, typed)
    assert _refs(document) == ["K-001"]
    assert "corrections" not in document


def test_an_error_in_another_language_is_corrected(tree: Place) -> None:
    _write(tree, "K-001", "Schwankende Messwerte", GERMAN)
    document = _find(tree, "Temperaturmesung")
    assert _refs(document) == ["K-001"]
    assert document["corrections"][0]["searched"] == ["temperaturmessung"]


def test_others_are_suggested_if_there_is_no_match(tree: Place) -> None:
    _write(tree, "K-001", "The mountain is high")
    ran = tree.run("find", "moutani")
    assert ran.code == 1
    assert ran.err.splitlines() == [
        'no text has the word "moutani"; did you mean "mountain"?',
        "no matches",
    ]


def test_a_term_of_a_page_is_known_unless_only_atoms_are_searched(tree: Place) -> None:
    _write(tree, "K-001", "The receiver is reset")
    tree.write("projects/flywheel/notes.md", "# Notes\n\nrecevier is how we spell it\n")
    assert "corrections" not in _find(tree, "recevier")
    assert _find(tree, "recevier", "--atoms")["corrections"]


def test_an_error_in_a_word_of_a_page_is_corrected(tree: Place) -> None:
    tree.write("projects/flywheel/notes.md", "# Notes\n\nthe turbocharger\n")
    document = _find(tree, "turbochargre")
    assert [page["path"] for page in document["pages"]] == ["projects/flywheel/notes.md"]


def test_a_term_of_a_removed_atom_is_corrected_again(tree: Place) -> None:
    _write(tree, "K-001", "The receiver is reset")
    path = _write(tree, "K-002", "recevier")
    assert "corrections" not in _find(tree, "recevier")
    (tree.root / path).unlink()
    assert _refs(_find(tree, "recevier")) == ["K-001"]


def test_a_word_that_is_only_outside_of_the_filter_is_known(tree: Place) -> None:
    """Whether a word is known does not depend on the filters: the answer would change with them."""
    _write(tree, "K-001", "The receiver is reset")
    _write(tree, "K-001", "recevier", project="gyroscope")
    document = _find(tree, "recevier", "project:flywheel")
    assert document["found"] == []
    assert "corrections" not in document
    document = _find(tree, "recieverr", "project:gyroscope")
    assert document["corrections"]


@pytest.mark.parametrize(("typed", "text"), [("-drift", "drift"), ('-"slow drift"', "slow drift")])
def test_an_exclusion_that_removes_matches_is_named(tree: Place, typed: str, text: str) -> None:
    _write(tree, "K-001", "The clock has a slow drift")
    _write(tree, "K-002", "The clock is exact")
    document = _find(tree, "--", f"clock {typed}")
    assert _refs(document) == ["K-002"]
    assert document["excluded"] == [{"text": text, "matches": 1}]
    err = tree.run("find", "--", f"clock {typed}").err
    assert err.splitlines()[0].startswith(f"{typed} excludes 1 match")


def test_an_exclusion_that_removes_nothing_is_not_named(tree: Place) -> None:
    _write(tree, "K-001", "The clock is exact")
    assert "excluded" not in _find(tree, "--", "clock -drift")


def test_the_name_of_an_excluded_word_tells_how_to_search_for_it(tree: Place) -> None:
    _write(tree, "K-001", "The clock has a drift")
    line = tree.run("find", "--", "clock -drift").err.splitlines()[0]
    assert line == '-drift excludes 1 match; to search for the word, quote it: "drift"'
    assert _refs(_find(tree, "--", 'clock "drift"')) == ["K-001"]


def test_options_of_texts_are_words(tree: Place) -> None:
    _write(tree, "K-001", "Warnings", "The build uses -Wall and --max-log-size=50Mi, `-xzf` not.")
    for typed in ("gcc -Wall", "--max-log-size", "kubelet --max-log-size", "-wall", "tar -xzf"):
        document = _find(tree, "--", typed)
        assert _refs(document) == ["K-001"], typed
        assert "excluded" not in document


def test_a_word_is_excluded_but_not_where_it_is_an_option(tree: Place) -> None:
    _write(tree, "K-001", "The clock has a Drift")
    _write(tree, "K-002", "The clock is exact")
    _write(tree, "K-003", "The clock is set with -drift")
    for typed in ("clock -drift", "clock -Drift"):
        document = _find(tree, "--", typed)
        assert _refs(document) == ["K-003", "K-002"]
        assert document["excluded"] == [{"text": typed[7:], "matches": 1}]
    assert _refs(_find(tree, "--", 'clock -"drift"')) == ["K-002"]
    assert _refs(_find(tree, "clock", "--without", "drift")) == ["K-002"]


def test_the_right_one_of_several_completions_is_beside_the_other_words(tree: Place) -> None:
    """The rarest completion does not count more than a word that was typed."""
    for number in (1, 3, 4):
        _write(tree, f"K-00{number}", "Pumps", "A pump is drained.")
    _write(tree, "K-002", "The draft of the drawing", "Draft and draw.")
    document = _find(tree, "pump dra")
    assert _refs(document)[-1] == "K-002"
    assert document["corrections"][0]["typed"] == "dra"


def test_an_option_is_completed(tree: Place) -> None:
    _write(tree, "K-001", "Old folders", "Only with `-mindepth 1`.")
    _write(tree, "K-002", "Old folders are found")
    assert _refs(_find(tree, "--", "folders -mindep"))[0] == "K-001"


def test_a_flag_is_told_from_the_word(tree: Place) -> None:
    _write(tree, "K-001", "The output of the valve is the output of the sensor")
    _write(tree, "K-002", "Tables", "Use `--output` for a file.")
    assert _refs(_find(tree, "--", "--output"))[0] == "K-002"


def test_a_phrase_that_no_text_has_is_searched_as_words_beside_others(tree: Place) -> None:
    _write(tree, "K-001", "Duplicate key", 'It violates unique constraint "users_email".')
    pasted = 'duplicate key violates constraint "orders_email"'
    document = _find(tree, pasted)
    assert _refs(document) == ["K-001"]
    assert document["corrections"] == [
        {"typed": "orders_email", "searched": ["orders", "email"], "others": []}
    ]
    line = 'no text has the phrase "orders_email"; searched for its words'
    assert tree.run("find", pasted).err.splitlines()[0] == line
    assert _find(tree, '"orders_email"')["found"] == []
    assert "corrections" not in _find(tree, 'constraint "users_email"')


def test_notes_have_no_control_characters(tree: Place) -> None:
    _write(tree, "K-001", "The clock has a drift")
    err = tree.run("find", "--", 'clock -"\x1bdrift\x07"').err
    assert "\x1b" not in err
    assert "\x07" not in err
    assert "excludes 1 match" in err


def test_a_secret_is_not_repeated_in_a_note(tree: Place) -> None:
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    _write(tree, "K-001", "A token", f"{token}")
    err = tree.run("find", token[:20]).err
    assert token not in err


@pytest.mark.parametrize(
    "typed",
    leave_to_soak(
        [
            " ".join(f"zq{chr(97 + n % 26)}{chr(97 + n // 26)}kwertz" for n in range(500)),
            "-" + " -".join(f"word{chr(97 + n % 26)}" for n in range(400)),
            "x" * 4000,
            "/".join(["seg"] * 1000),
            "a_" * 2000,
            "-" * 4000,
        ],
        every=4,
    ),
    ids=["unknown words", "exclusions", "letters", "path", "underscores", "minuses"],
)
def test_a_hostile_query_is_answered_in_time(tree: Place, typed: str) -> None:
    _write(tree, "K-001", "The receiver is reset")
    began = time.monotonic()
    ran = tree.run("find", "--", typed)
    assert ran.code in {0, 1}
    assert time.monotonic() - began < 5
    assert len(ran.err) < 10_000
