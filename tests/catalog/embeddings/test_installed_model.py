"""The model of the extra `vectors` on the sample: what words miss is found, no network asked."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.embeddings.embedding_model import find_installed_model

if TYPE_CHECKING:
    from place import Place

MISSED = [
    ("duplicate alarms", "lighthouse/EXP-006"),
    ("heat", "greenhouse/EXP-004"),
    ("too many pagers waking people", "lighthouse/EXP-011"),
]
NO_SOCKETS = """
import os, sys
def refuse(event, args):
    assert not event.startswith("socket."), (event, args)
sys.addaudithook(refuse)
from cortexfs.__main__ import run
try:
    run()
except SystemExit as ended:
    assert not ended.code, ended
links = [f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")]
assert not [each for each in links if os.path.lexists(each) and "socket" in os.readlink(each)]
"""


def _run_without_sockets(place: Place, *words: str) -> str:
    """Run a command in a process that ends badly if it opens a socket."""
    program = [sys.executable, "-c", NO_SOCKETS, "--root", str(place.root), *words]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout


def test_embeddings_find_what_words_miss_without_a_socket(sample: Place) -> None:
    assert json.loads(_run_without_sockets(sample, "embed", "--json"))["embedded"]["done"] > 60
    for query, best in MISSED:
        by_words = json.loads(sample.run("find", query, "--words", "--json").out)
        found_by_vectors = json.loads(_run_without_sockets(sample, "find", query, "--json"))
        assert found_by_vectors["matched-by"] == "words and vectors"
        assert found_by_vectors["found"][0]["ref"] == best
        assert [hit["ref"] for hit in by_words["found"][:1]] != [best]


def test_an_unrelated_query_finds_nothing(sample: Place) -> None:
    sample.ok("embed")
    assert sample.run("find", "quantum chromodynamics").code == 1


def test_find_starts_embedding_in_the_background(sample: Place) -> None:
    assert "found by words (0 of" in sample.run("find", "sensor").err
    sample.ok("embed")  # it waits for what the find has begun
    assert "found by words and vectors\n" in sample.run("find", "sensor").err


def test_a_model_loaded_for_one_text_or_many_gives_the_same_vectors() -> None:
    model = find_installed_model()
    assert model
    texts = ["A probe reads wetter when it is cold", "", "word " * 2000, "汉字 ünïcode 🎛"]
    each_alone, many = (model.load(many)(texts) for many in (False, True))
    for one, other in zip(each_alone, many, strict=True):
        pairs = list(zip(one, other, strict=True))
        assert sum(a * b for a, b in pairs) == pytest.approx(1.0, abs=1e-3)
