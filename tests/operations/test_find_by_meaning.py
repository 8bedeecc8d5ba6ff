"""`find` with vectors: one process embeds each text once, and the answer states the progress."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tiny_model
from soak_cases import leave_to_soak
from tiny_model import TINY
from unprivileged import run_unprivileged

from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
from cortexfs.catalog.embeddings.text_embeddings import LOCK_FILE, start_detached
from cortexfs.errors import Refused
from cortexfs.operations.embed import embed, open_embeddings
from cortexfs.operations.find import find
from cortexfs.session.session import Session
from cortexfs.session.view import NeededContents
from cortexfs.tree.try_lock import try_private_lock

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from place import Place

    from cortexfs.catalog.embeddings.model_types import Vector

ASK = """
import sys
sys.path.insert(0, sys.argv[1])
import tiny_model
from cortexfs.operations.find import find
answer = find(tiny_model.opened("."), "car")
print(answer.method, len(answer.hits))
"""
ATOM = "---\nid: {id}\nproject: flywheel\nsummary: {summary}\ntags: [{tag}]\n---\n\n{body}\n"


def _write(tree: Place, ident: str, message: str, body: str = "", tag: str = "a") -> Path:
    text = ATOM.format(id=ident, summary=message, body=body, tag=tag)
    return tree.write(f"projects/flywheel/experiments/{ident}.md", text)


def _embed(tree: Place, model: EmbeddingModel = TINY) -> tuple[int, int, int]:
    """Return how many texts were embedded now, how many are embedded, and how many there are."""
    done = embed(tiny_model.opened(str(tree.root), model))
    return done.new_count, *done.embedded


def _ask(tree: Place, typed: str, *, by_words: bool = False) -> tuple[list[str], str]:
    answer = find(tiny_model.opened(str(tree.root)), typed, full_text_only=by_words)
    return [hit.match.atom.ref.rpartition("/")[2] for hit in answer.hits], answer.method


def _write_atoms(tree: Place, count: int) -> None:
    for number in range(1, count + 1):
        _write(tree, f"EXP-{number:03}", f"walrus {number}", f"body {number}")


def test_a_search_with_an_exclusion_compares_the_vectors_once(tree: Place) -> None:
    compared: list[int] = []

    def multiply(rows: bytearray, scales: array[float], vector: Vector) -> Sequence[float]:
        compared.append(len(scales))
        return TINY.multiply(rows, scales, vector)

    _write_atoms(tree, 3)
    _write(tree, "EXP-004", "walrus tusk")
    _embed(tree)
    model = TINY._replace(multiply=multiply)
    answer = find(tiny_model.opened(str(tree.root), model), "walrus -tusk")
    assert [each.removed for each in answer.notes.excluded] == [1]
    assert len(compared) == 1


def test_a_synonym_is_found_by_its_vector(tree: Place) -> None:
    _write(tree, "EXP-001", "automobile")
    _write(tree, "EXP-002", "walrus")
    assert _ask(tree, "car") == ([], "words (0 of 2 embedded)")
    assert _embed(tree) == (2, 2, 2)
    assert _ask(tree, "car") == (["EXP-001"], "words and vectors")
    assert _ask(tree, "car", by_words=True) == ([], "words")


def test_an_atom_without_vectors_is_found_by_its_words(tree: Place) -> None:
    _write(tree, "EXP-001", "a vehicle")
    _embed(tree)
    _write(tree, "EXP-002", "a car")
    assert _ask(tree, "car") == (["EXP-002", "EXP-001"], "words and vectors (1 of 2 embedded)")


def test_filters_apply_to_results_found_by_vectors(tree: Place) -> None:
    _write(tree, "EXP-001", "automobile", tag="sea")
    _write(tree, "EXP-002", "vehicle")
    _embed(tree)
    assert set(_ask(tree, "car")[0]) == {"EXP-001", "EXP-002"}
    assert _ask(tree, "car tag:sea")[0] == ["EXP-001"]
    assert _ask(tree, "car since:2030")[0] == []


def test_phrases_and_excluded_words_are_answered_by_text_search(tree: Place) -> None:
    _write(tree, "EXP-001", "automobile")
    _write(tree, "EXP-002", "car red")
    _write(tree, "EXP-003", "car blue")
    _embed(tree)
    assert _ask(tree, '"car red"')[0] == ["EXP-002"]
    assert _ask(tree, "car -blue")[0] == ["EXP-002"]
    assert _ask(tree, '"car green"')[0] == []


def test_a_result_has_its_text_score_and_its_similarity(tree: Place) -> None:
    _write(tree, "EXP-001", "automobile")
    _embed(tree)
    (hit,) = find(tiny_model.opened(str(tree.root)), "car").hits
    assert hit.match.fused
    assert hit.match.fused.text_score == 0.0
    assert hit.match.fused.similarity == pytest.approx(1.0)


def test_vectors_that_the_user_has_off_are_not_called_missing(
    tree: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_VECTORS", "off")
    with pytest.raises(Refused, match="vectors are switched off") as refusal:
        embed(Session.open(str(tree.root), lambda: datetime.now(UTC)))
    assert "CORTEXFS_VECTORS" in (refusal.value.hint or "")


def test_a_move_a_mark_and_a_new_catalog_embed_nothing(tree: Place) -> None:
    _write_atoms(tree, 3)
    assert _embed(tree) == (3, 3, 3)
    path = tree.root / "projects/flywheel/experiments/EXP-001.md"
    path.write_text(path.read_text().replace("tags: [a]", "tags: [b]\nstatus: valid\nrefs: 3"))
    path.rename(path.with_name("EXP-009.md"))
    for catalog in (tree.root / ".cortexfs").glob("catalog-*"):
        catalog.unlink()
    assert _embed(tree) == (0, 3, 3)


def test_changed_texts_are_embedded_and_removed_ones_are_deleted(tree: Place) -> None:
    _write_atoms(tree, 3)
    _embed(tree)
    _write(tree, "EXP-001", "otter", "body 1")
    (tree.root / "projects/flywheel/experiments/EXP-002.md").unlink()
    assert _embed(tree) == (1, 2, 2)
    _write_atoms(tree, 3)
    assert _embed(tree) == (2, 3, 3)


def test_equal_texts_are_embedded_once(tree: Place) -> None:
    for number in range(1, 6):
        _write(tree, f"EXP-00{number}", "walrus", "same")
    assert _embed(tree) == (1, 5, 5)
    assert len(_ask(tree, "walrus")[0]) == 5


def test_the_model_is_loaded_only_when_it_is_needed(tree: Place) -> None:
    _write_atoms(tree, 2)
    loaded = []

    def load(many: bool) -> object:
        loaded.append(many)
        return tiny_model.embed

    model = EmbeddingModel("tiny", load)  # type: ignore[arg-type]
    session = tiny_model.opened(str(tree.root), model)
    find(session, "walrus")
    find(session, "kind:experiment")
    assert loaded == []
    embed(session)
    embed(session)
    find(session, "walrus")
    find(session, "walrus", full_text_only=True)
    assert loaded == [True, False]


def test_a_damaged_vector_file_is_rebuilt(tree: Place) -> None:
    _write_atoms(tree, 2)
    _embed(tree)
    (tree.root / ".cortexfs/vectors-v1.sqlite").write_bytes(b"broken" * 1000)
    assert _ask(tree, "walrus")[1] == "words (0 of 2 embedded)"
    assert _embed(tree) == (2, 2, 2)


def test_a_symlink_in_place_of_the_vector_file_is_not_followed(tree: Place, tmp_path: Path) -> None:
    _write_atoms(tree, 1)
    (tree.root / ".cortexfs/vectors-v1.sqlite").symlink_to(tmp_path / "elsewhere")
    assert _ask(tree, "walrus") == (["EXP-001"], "words")
    assert not (tmp_path / "elsewhere").exists()


def test_the_settings_can_turn_vectors_off(tree: Place) -> None:
    _write_atoms(tree, 1)
    tree.write("cortexfs.yaml", "find:\n  vectors: no\n")
    assert _ask(tree, "walrus") == (["EXP-001"], "words")
    with pytest.raises(Refused, match="vectors are switched off"):
        _embed(tree)
    assert tree.run("embed").code == 3
    ran = "import sys; from cortexfs.__main__ import run\ntry: run()\nexcept SystemExit: pass\n"
    ran += "assert not {'numpy', 'onnxruntime', 'tokenizers'} & sys.modules.keys()"
    words = [sys.executable, "-c", ran, "--root", str(tree.root), "find", "walrus", "--explain"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "found by words\n" in done.stderr
    assert "found by" not in tree.run("find", "walrus").err


def _start_embedding(tree: Place) -> subprocess.Popen[str]:
    """Start another process that embeds and prints its progress."""
    here = Path(__file__).parent.parent / "tiny_model.py"
    words = [sys.executable, str(here), str(tree.root)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def _read_lines(running: subprocess.Popen[str]) -> Sequence[str]:
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    return out.splitlines()


@pytest.mark.parametrize("after", leave_to_soak([0, 1, 7, 30], every=4))
def test_a_killed_embedding_run_loses_nothing(tree: Place, after: int) -> None:
    _write_atoms(tree, 40)
    running = _start_embedding(tree)
    assert running.stdout
    output = [running.stdout.readline() for _ in range(after)]
    running.send_signal(signal.SIGKILL)
    running.communicate()
    now, done, total = _embed(tree)
    assert (done, total) == (40, 40)
    assert now <= 40 - len(output)
    refs = _ask(tree, "walrus 17")[0]
    shutil.rmtree(tree.root / ".cortexfs")
    _embed(tree)
    assert _ask(tree, "walrus 17")[0] == refs


def test_concurrent_runs_embed_each_text_once(tree: Place) -> None:
    _write_atoms(tree, 30)
    find(tiny_model.opened(str(tree.root)), "walrus")
    every = [_start_embedding(tree) for _ in range(3)]
    assert sum(int(_read_lines(running)[-1].split()[1]) for running in every) == 30


def test_a_run_that_waits_for_another_reports_its_progress_and_end(tree: Place) -> None:
    _write_atoms(tree, 3)
    progress: list[tuple[int, int]] = []
    finished = threading.Event()

    def tell(done: int, total: int) -> None:
        progress.append((done, total))
        finished.set()

    with ThreadPoolExecutor(1) as pool:
        with try_private_lock(str(tree.root), LOCK_FILE):
            ended = pool.submit(lambda: embed(tiny_model.opened(str(tree.root)), tell))
            assert finished.wait(60)
            other = tiny_model.opened(str(tree.root))
            with other.read(NeededContents.TEXTS) as view:
                meaning = open_embeddings(view, view.text_queries())
            assert meaning
            with meaning._open_store() as store:
                meaning._embed_texts(store, None)
        assert ended.result(60).new_count == 0
    assert progress[0] == (0, 3)
    assert progress[-1][0] == progress[-1][1]


def test_vectors_in_a_read_only_folder_are_used(tree: Place) -> None:
    _write(tree, "EXP-001", "automobile")
    _embed(tree)
    (tree.root / ".cortexfs").chmod(0o500)
    ran = run_unprivileged(tree, sys.executable, "-c", ASK, str(Path(__file__).parent.parent))
    assert ran.stdout == "words and vectors 1\n", ran.stderr
    (tree.root / ".cortexfs").chmod(0o700)
    os.utime(tree.root / ".cortexfs/vectors-v1.sqlite")  # changed by another process
    (tree.root / ".cortexfs").chmod(0o500)
    ran = run_unprivileged(tree, sys.executable, "-c", ASK, str(Path(__file__).parent.parent))
    assert ran.stdout == "words (0 of 1 embedded) 0\n", ran.stderr


def test_a_background_command_is_not_a_child_of_the_process_that_starts_it(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    program = (
        "import os, sys\n"
        "open(sys.argv[1], 'w').write(f'{os.getpid()} {os.getcwd()} {os.getsid(0)}')\n"
    )
    start_detached([sys.executable, "-c", program, str(pipe)])
    pid, cwd, session = pipe.read_text().split()
    assert cwd == "/"
    assert int(session) != os.getsid(0)
    with pytest.raises(ChildProcessError):
        os.waitpid(int(pid), os.WNOHANG)
