"""Tables on a terminal fit its width, and one row is one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from terminal import talk

from cortexfs.core.text.display_width import display_width, pad_to_width, truncate_to_width
from cortexfs.interfaces.cli.text_table import fit_columns, render_table

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("abc", 3),
        ("量子", 4),
        ("é", 1),
        ("e\u0301", 1),
        ("한국", 4),
        ("\u1112\u1161\u11ab", 2),
        ("🎉", 2),
        ("❤\ufe0f", 2),
        ("👩\u200d🚀", 2),
        ("\uff46\uff55", 4),
        ("…", 1),
    ],
)
def test_the_width_of_a_text_is_that_on_a_terminal(text: str, cells: int) -> None:
    assert display_width(text) == cells


def test_a_text_that_is_cut_at_its_own_ellipsis_ends_in_one() -> None:
    assert truncate_to_width("config/flags.y… and more", 16) == "config/flags.y…"
    assert truncate_to_width("config/flags … and more", 15) == "config/flags…"


@given(st.text(st.characters(categories=["L", "N", "P"], max_codepoint=0xFFFF), max_size=40))
def test_the_width_of_letters_agrees_with_the_unicode_database(text: str) -> None:
    conjoining = sum("\u1160" <= c <= "\u11ff" or "\ud7b0" <= c <= "\ud7ff" for c in text)
    assert abs(display_width(text) - cell_len(text)) <= conjoining


@given(st.text(max_size=60), st.integers(1, 40))
def test_a_cut_text_fits_and_keeps_its_beginning(text: str, width: int) -> None:
    cut = truncate_to_width(text, width)
    assert display_width(cut) <= width
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))
    assert display_width(pad_to_width(cut, width)) == width


ROWS = st.lists(st.lists(st.text(max_size=80), min_size=4, max_size=4), min_size=1, max_size=8)


@given(ROWS, st.integers(60, 120))
def test_a_table_fits_and_has_one_line_per_row(rows: list[list[str]], width: int) -> None:
    lines = list(render_table(("Ref", "Date", "Refs", "Summary"), rows, width))
    assert len(lines) == 1 + len(rows)
    assert all(display_width(line) <= width for line in lines)


def test_short_columns_are_not_cut_for_the_last_one() -> None:
    assert fit_columns([20, 10, 4, 300], 64) == [20, 10, 4, 30]
    assert fit_columns([90, 10, 4, 300], 64) == [30, 10, 4, 20]
    assert fit_columns([20, 10, 18, 300], 64, kept={0, 1}) == [20, 10, 14, 20]
    assert fit_columns([50, 10, 18, 300], 64, kept={0, 1}) == [38, 10, 8, 8]
    assert fit_columns([5, 5, 5, 5], 64) == [5, 5, 5, 5]


def _run_on_a_terminal(place: Place, *words: str, **env: str) -> str:
    """Run a command on a terminal of 70 columns; return all that reached it."""
    size = {"TERM": "xterm-256color", "COLUMNS": "70", "LINES": "10"}
    done = talk(place, *words, **{**size, **env})
    assert done.code == 0
    return done.output


def test_a_list_has_one_line_per_atom_within_70_columns(sample: Place) -> None:
    lines = _run_on_a_terminal(sample, "list").splitlines()
    atoms = json.loads(sample.ok("list", "--json"))["atoms"]
    assert len(lines) == 1 + len(atoms)
    assert max(map(display_width, lines)) <= 70
    for line, atom in zip(lines[1:], atoms, strict=True):
        assert line.startswith(atom["ref"])


def test_a_narrow_table_cuts_other_columns_than_refs_and_statuses(sample: Place) -> None:
    for words in (["list"], ["related", "driftwood/K-005"], ["graph", "driftwood/K-005"]):
        output = _run_on_a_terminal(sample, *words, CORTEXFS_PAGER="cat")
        assert output.count("\n") > 2
        assert not [line for line in output.splitlines() if "…" in line.split()[0]]
    assert "superseded:DR-0002 " in _run_on_a_terminal(sample, "list", CORTEXFS_PAGER="cat")


def test_a_narrow_log_has_days_and_messages_without_authors(sample: Place) -> None:
    sample.ok("edit", "driftwood/EXP-012", "-t", "codec")
    sample.ok("mark", "driftwood/EXP-012", "superseded", "--by", "driftwood/EXP-014")
    lines = _run_on_a_terminal(sample, "log", CORTEXFS_PAGER="cat", NO_COLOR="1").splitlines()
    assert lines[0].split() == ["Commit", "When", "Change"]
    assert "edit driftwood/EXP-012: tags" in lines[2]
    assert "Author" in _run_on_a_terminal(sample, "log", COLUMNS="120")


def test_a_hint_breaks_between_words_only(sample: Place) -> None:
    done = talk(sample, "show", "driftwood/EXP-099", COLUMNS="32")
    assert done.output.splitlines() == [
        "error: no atom named",
        "       `driftwood/EXP-099`",
        " hint: driftwood has EXP-001 to",
        "       EXP-016",
    ]


def test_doctor_prints_each_fix_in_full(sample: Place) -> None:
    done = talk(sample, "doctor", COLUMNS="70", CORTEXFS_PAGER="cat")
    fixes = [each.get("fix") for each in json.loads(sample.run("doctor", "--json").out)["checks"]]
    assert any(fixes)
    assert all(fix in done.output for fix in fixes if fix)


def test_a_heading_is_bold_only_with_colour(sample: Place) -> None:
    assert "\x1b[" not in _run_on_a_terminal(sample, "list", NO_COLOR="1")
    assert "\x1b[" not in _run_on_a_terminal(sample, "list", NO_COLOR="", TERM="dumb")
    assert _run_on_a_terminal(sample, "list", NO_COLOR="").startswith("\x1b[1mRef")


def test_long_output_goes_through_the_users_pager_and_short_output_does_not(
    sample: Place, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    pager = f"cat > '{seen}'"
    assert _run_on_a_terminal(sample, "list", PAGER="false", CORTEXFS_PAGER=pager) == ""
    assert seen.read_text().startswith("Ref")
    seen.unlink()
    for words in (["list", "-n", "3"], ["list", "--no-pager"], ["list", "--json"]):
        assert _run_on_a_terminal(sample, *words, PAGER=pager) != ""
    assert _run_on_a_terminal(sample, "--no-pager", "list", PAGER=pager) != ""
    assert not seen.exists()


def test_a_missing_pager_or_one_that_ends_early_is_no_error(sample: Place) -> None:
    assert "driftwood/K-005" in _run_on_a_terminal(sample, "list", PAGER="no-such-pager-at-all")
    assert "driftwood/K-005" in _run_on_a_terminal(sample, "list", PAGER="head -3")


def test_a_setting_of_the_tree_cannot_name_a_pager(sample: Place, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    sample.write("cortexfs.yaml", f"pager: cat > {seen}\n")
    assert "driftwood/K-005" in _run_on_a_terminal(sample, "list", PAGER="cat")
    assert not seen.exists()
