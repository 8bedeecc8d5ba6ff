from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bench.story_entities import PASSAGES, measure, predict
from bench.story_sets import Named, normalize_form, read_sets

if TYPE_CHECKING:
    from pathlib import Path


def test_litbank_and_pdnc_are_read(tmp_path: Path) -> None:
    brat = tmp_path / "coref" / "brat"
    brat.mkdir(parents=True)
    (brat / "one.txt").write_text("Mr. Oak went to Bath .\nOak 's dog ran .\n")
    (brat / "one.ann").write_text(
        "MENTION\tT0\t0\t0\t0\t1\tMr. Oak\tPER\tPROP\n"
        "MENTION\tT1\t0\t4\t0\t4\tBath\tGPE\tPROP\n"
        "MENTION\tT2\t1\t0\t1\t0\tOak\tPER\tPROP\n"
        "MENTION\tT3\t1\t2\t1\t2\tdog\tPER\tNOM\n"
        "COREF\tT0\tOak-1\nCOREF\tT2\tOak-1\nCOREF\tT1\tBath-2\n"
    )
    novel = tmp_path / "Two"
    novel.mkdir()
    (novel / "novel_text.txt").write_text("Mr. Oak\nsaid. Mr. Oak met Anne. Anne ran.")
    (novel / "character_info.csv").write_text(
        "Character ID,Main Name,Aliases\n0,Gabriel Oak,\"{'Mr. Oak', 'Oak'}\"\n1,Anne,\n2,Bess,\n"
    )
    one, two = read_sets(tmp_path)
    assert one.text == "Mr. Oak went to Bath.\nOak's dog ran.\n"
    assert set(one.named) == {
        Named(frozenset({"mr oak", "oak"}), 2, "character"),
        Named(frozenset({"bath"}), 1, "location"),
    }
    assert set(two.named) == {
        Named(frozenset({"mr oak"}), 2, "character"),
        Named(frozenset({"anne"}), 2, "character"),
    }


def test_tokens_are_put_together_as_they_are_printed(tmp_path: Path) -> None:
    (tmp_path / "one.ann").write_text("")
    (tmp_path / "one.txt").write_text('" Is n\'t it , Anne - May ? " said he .\n" No . "\n')
    [annotated] = read_sets(tmp_path)
    assert annotated.text == '"Isn\'t it, Anne-May?" said he.\n"No."\n'
    assert normalize_form("the Anne - May 's") == "anne-may"


def test_what_is_wrong_is_counted(tmp_path: Path) -> None:
    novel = tmp_path / "Two"
    novel.mkdir()
    (novel / "novel_text.txt").write_text(
        "Mr. Oak said it. Oak went to Bath. Oak sighed. Kael said so. Then Kael saw Kael."
    )
    (novel / "character_info.csv").write_text(
        "Main Name,Aliases\nOak,\"{'Mr. Oak', 'Gabriel'}\"\nZed,\n"
    )
    (novel / "places.txt").write_text("Bath\nLyme\n")
    [annotated] = read_sets(tmp_path)
    totals: Counter[str] = Counter()
    measure(annotated, predict(annotated.text), totals, show=False)
    assert (totals["predicted"], totals["right"]) == (2, 1)
    assert (totals["gold"], totals["found"], totals["typed"]) == (1, 1, 1)
    assert (totals["alias_gold"], totals["alias_guess"], totals["alias_right"]) == (1, 1, 1)
    assert (totals["place_gold"], totals["place_found"], totals["place_guess"]) == (1, 1, 1)


def test_people_and_places_of_the_passages_are_found_as_well_as_they_were() -> None:
    """Floors of what is found in passages of many styles."""
    totals: Counter[str] = Counter()
    passages = list(read_sets(PASSAGES))
    for annotated in passages:
        measure(annotated, predict(annotated.text), totals, show=False)
    assert len(passages) == 49
    assert totals["gold"] == 399
    assert totals["right"] / totals["predicted"] >= 0.97
    assert totals["found"] / totals["gold"] >= 0.98
    assert totals["typed"] / totals["found"] >= 0.98
    precise = totals["alias_right"] / totals["alias_guess"]
    complete = totals["alias_right"] / totals["alias_gold"]
    assert 2 * precise * complete / (precise + complete) >= 0.79
    assert totals["place_right"] / totals["place_guess"] >= 0.92
    assert totals["place_found"] / totals["place_gold"] >= 0.9
