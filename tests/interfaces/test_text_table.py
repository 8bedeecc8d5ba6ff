"""Tables on a terminal: they fit, whatever the cells hold, and one row is one line."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

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
def test_the_cells_of_a_text_are_those_of_a_terminal(text: str, cells: int) -> None:
    assert display_width(text) == cells


@given(st.text(st.characters(categories=["L", "N", "P"], max_codepoint=0xFFFF), max_size=40))
def test_another_measure_agrees_on_letters(text: str) -> None:
    conjoining = sum("\u1160" <= c <= "\u11ff" or "\ud7b0" <= c <= "\ud7ff" for c in text)
    assert abs(display_width(text) - cell_len(text)) <= conjoining


@given(st.text(max_size=60), st.integers(1, 40))
def test_a_cut_text_fits_and_begins_alike(text: str, width: int) -> None:
    cut = truncate_to_width(text, width)
    assert display_width(cut) <= width
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))
    assert display_width(pad_to_width(cut, width)) == width


ROWS = st.lists(st.lists(st.text(max_size=80), min_size=4, max_size=4), min_size=1, max_size=8)


@given(ROWS, st.integers(60, 120))
def test_a_table_fits_and_has_a_line_for_each_row(rows: list[list[str]], width: int) -> None:
    lines = list(render_table(("Ref", "Date", "Refs", "Summary"), rows, width))
    assert len(lines) == 1 + len(rows)
    assert all(display_width(line) <= width for line in lines)


def test_what_is_short_is_not_cut_for_the_last_column() -> None:
    assert fit_columns([20, 10, 4, 300], 64) == [20, 10, 4, 30]
    assert fit_columns([90, 10, 4, 300], 64) == [30, 10, 4, 20]
    assert fit_columns([20, 10, 18, 300], 64, kept={0, 1}) == [20, 10, 14, 20]
    assert fit_columns([50, 10, 18, 300], 64, kept={0, 1}) == [26, 10, 8, 20]
    assert fit_columns([5, 5, 5, 5], 64) == [5, 5, 5, 5]


def _on_a_terminal(place: Place, *words: str, **env: str) -> str:
    """Run a command on a terminal of its own, and return all that reached it."""
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "cortexfs", "--root", str(place.root), *words]
    given = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "70", "LINES": "10", **env}
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=given) as running:
        os.close(its)
        chunks = []
        while chunk := _read(ours):
            chunks.append(chunk)
        os.close(ours)
        assert running.wait() == 0
    return b"".join(chunks).decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


def test_a_list_takes_a_line_for_each_atom_within_70_columns(sample: Place) -> None:
    lines = _on_a_terminal(sample, "list").splitlines()
    atoms = json.loads(sample.ok("list", "--json"))["atoms"]
    assert len(lines) == 1 + len(atoms)
    assert max(map(display_width, lines)) <= 70
    for line, atom in zip(lines[1:], atoms, strict=True):
        assert line.startswith(atom["ref"])


def test_a_head_is_bold_but_not_without_colour(sample: Place) -> None:
    assert "\x1b[" not in _on_a_terminal(sample, "list", NO_COLOR="1")
    assert "\x1b[" not in _on_a_terminal(sample, "list", NO_COLOR="", TERM="dumb")
    assert _on_a_terminal(sample, "list", NO_COLOR="").startswith("\x1b[1mRef")


def test_long_output_goes_through_the_users_pager_and_short_output_does_not(
    sample: Place, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    pager = f"cat > '{seen}'"
    assert _on_a_terminal(sample, "list", PAGER="false", CORTEXFS_PAGER=pager) == ""
    assert seen.read_text().startswith("Ref")
    seen.unlink()
    for words in (["list", "-n", "3"], ["list", "--no-pager"], ["list", "--json"]):
        assert _on_a_terminal(sample, *words, PAGER=pager) != ""
    assert _on_a_terminal(sample, "--no-pager", "list", PAGER=pager) != ""
    assert not seen.exists()


def test_a_pager_that_is_not_there_or_ends_early_is_no_error(sample: Place) -> None:
    assert "driftwood/K-005" in _on_a_terminal(sample, "list", PAGER="no-such-pager-at-all")
    assert "driftwood/K-005" in _on_a_terminal(sample, "list", PAGER="head -3")


def test_a_setting_of_the_tree_cannot_name_a_pager(sample: Place, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    sample.write("cortexfs.yaml", f"pager: cat > {seen}\n")
    assert "driftwood/K-005" in _on_a_terminal(sample, "list", PAGER="cat")
    assert not seen.exists()
