"""The model of the extra `vectors` on the sample: what words miss is found, no network asked."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tokenizers import Tokenizer

from cortexfs.catalog.embeddings import embedding_model
from cortexfs.catalog.embeddings.embedding_model import (
    DIMENSIONS,
    MAX_TOKENS,
    SWITCH_VARIABLE,
    find_installed_model,
    multiply_with_numpy,
)
from cortexfs.catalog.embeddings.model_types import InstalledFiles
from cortexfs.catalog.embeddings.onnx_library import OnnxError, open_library
from cortexfs.catalog.embeddings.prepared_model import cache_folder_path, prepare_model
from cortexfs.catalog.embeddings.query_model import QueryModel
from cortexfs.core.find.split_word_pieces import split_word_pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from place import Place

MISSED = [
    ("electricity", "greenhouse/K-001"),
    ("heat", "greenhouse/EXP-004"),
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


IMPORTED = """
import sys
from cortexfs.__main__ import run
try:
    run()
except SystemExit as ended:
    assert not ended.code, ended
assert "cortexfs.catalog.embeddings.query_model" in sys.modules
assert not {"numpy", "onnxruntime", "tokenizers"} & sys.modules.keys()
"""
TEXTS = [
    "Café naïve",
    "[SEP] x",
    "über-groß",
    "水の中 water",
    "a\u200bb\x00c",
    "Σίσυφος",
    "word " * 300,
]


def _find_files() -> InstalledFiles:
    return InstalledFiles(
        embedding_model._find_package_file(*embedding_model._MODEL_FILE),
        embedding_model._find_package_file(*embedding_model._TOKENIZER_FILE),
        embedding_model._find_library(),
    )


def _open_model() -> QueryModel:
    return QueryModel(_find_files(), MAX_TOKENS, DIMENSIONS)


def test_a_query_imports_none_of_the_packages_that_embed_texts(sample: Place) -> None:
    sample.ok("embed")
    program = [sys.executable, "-c", IMPORTED, "--root", str(sample.root), "find", "sensor"]
    subprocess.run(program, capture_output=True, check=True)


def test_a_user_can_switch_the_model_off(monkeypatch: pytest.MonkeyPatch, sample: Place) -> None:
    assert find_installed_model()
    monkeypatch.setenv(SWITCH_VARIABLE, "off")
    assert find_installed_model() is None
    assert json.loads(sample.ok("find", "sensor", "--json"))["matched-by"] == "words"


def test_the_installed_model_is_searched_once_while_its_files_exist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert find_installed_model()
    with monkeypatch.context() as patched:
        patched.setattr(embedding_model, "find_spec", None)  # to call it would be an error
        assert find_installed_model()
        patched.setattr(os.path, "isfile", lambda _: False)
        assert find_installed_model() is None
    assert find_installed_model()


def test_a_query_is_embedded_once_by_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    model = find_installed_model()
    assert model
    embed = model.load(False)  # noqa: FBT003 - one text
    (first,) = embed(["wetter probe"])
    monkeypatch.setattr(embedding_model, "_read_or_embed", None)  # as above
    assert [*embed(["wetter probe"])] == [first]


def test_a_query_has_the_word_pieces_of_the_tokenizer() -> None:
    path = _find_files().tokenizer
    numbers = json.loads(Path(path).read_text())["model"]["vocab"]
    tokenizer = Tokenizer.from_file(path)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    draw = random.Random(1)  # noqa: S311 - the same texts every time
    ranges = [range(0x20, 0x250), range(0x370, 0x530), range(0x3040, 0x3100), range(0x4E00, 0x9F00)]
    drawn = ["".join(chr(draw.choice(draw.choice(ranges))) for _ in range(30)) for _ in range(300)]
    for text in (*TEXTS, *drawn):
        assert split_word_pieces(text, numbers.get, MAX_TOKENS) == tokenizer.encode(text).ids


def test_a_query_has_the_vector_that_the_package_gives() -> None:
    files, model = _find_files(), _open_model()
    expected = embedding_model._load_model(files.model, files.tokenizer, many=True)
    for one, other in zip(model.embed(TEXTS * 2), expected(TEXTS * 2), strict=True):
        pairs = zip(one, other, strict=True)
        assert sum(a * float(b) for a, b in pairs) == pytest.approx(1.0, abs=1e-3)


def test_several_threads_share_a_model() -> None:
    model = _open_model()
    (expected,) = model.embed(["sensor drift"])
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: list(model.embed(["sensor drift", "other"])), range(8))
    assert [one[0] for one in found] == [expected] * 8


def test_rows_are_multiplied_as_by_numpy() -> None:
    model = find_installed_model()
    assert model
    draw = random.Random(2)  # noqa: S311 - the same texts every time
    for count in (0, 1, 300):
        rows, vector = (
            bytearray(draw.randbytes(count * 64)),
            [draw.uniform(-1, 1) for _ in range(64)],
        )
        scales = array("f", [draw.uniform(0, 2) for _ in range(count)])
        expected = multiply_with_numpy(rows, scales, vector)
        found = model.multiply(rows, scales, vector)
        assert list(found) == pytest.approx(list(expected), abs=1e-2)


def _rewrite(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _link(path: Path) -> None:
    path.rename(path.with_suffix(".there"))
    path.symlink_to(path.with_suffix(".there"))


@pytest.mark.parametrize("harm", [_rewrite, _link, Path.unlink])
def test_a_prepared_model_that_somebody_else_changed_is_made_again(
    harm: Callable[[Path], None],
) -> None:
    files = _find_files()
    library = open_library(files.runtime)
    folder = Path(prepare_model(files, library).folder)
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    before = (folder / "model.ort").stat()
    harm(folder / "model.ort")
    assert prepare_model(files, library).folder == str(folder)
    after = (folder / "model.ort").lstat()
    assert after.st_mode == before.st_mode
    assert abs(after.st_size - before.st_size) < 1000  # it has a different padding each time
    list(_open_model().embed(["sensor"]))


def test_no_link_is_followed_to_a_prepared_model(tmp_path: Path) -> None:
    files = _find_files()
    library = open_library(files.runtime)
    folder = Path(prepare_model(files, library).folder)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert prepare_model(files, library).folder == str(folder)
    assert not folder.is_symlink()
    assert len([*folder.iterdir()]) == len([*(tmp_path / "elsewhere").iterdir()])


def test_a_cache_that_others_can_write_is_not_used(sample: Place) -> None:
    os.makedirs(cache_folder_path())
    Path(cache_folder_path()).chmod(0o777)
    with pytest.raises(PermissionError):
        _open_model()
    sample.ok("embed")
    assert "found by words and vectors\n" in sample.run("find", "sensor").err
    assert os.listdir(cache_folder_path()) == []


def test_a_library_that_is_none_is_refused(tmp_path: Path) -> None:
    for name in ("missing", "text"):
        (tmp_path / "text").write_text("no library")
        with pytest.raises(OnnxError):
            open_library(str(tmp_path / name))
