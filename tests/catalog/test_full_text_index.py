"""What is found does not depend on how the tree came to be as it is."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak_cases import leave_to_soak
from tree_strategies import open_session, write_file, write_tree

from cortexfs.catalog import ingest_texts
from cortexfs.catalog.fts5_index import Fts5Index
from cortexfs.errors import NoSuchProject, NoSuchTag
from cortexfs.operations.find import find

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
QUERIES = (
    *("alpha", "beta gamma", '"alpha beta"', "alpha -beta", "handlesave", "tag:one", "EXP-002"),
    *("alpha kind:knowledge", "gamma status:superseded", "beta project:sundial", "since:2026-04"),
    *("alpha -tag:two", "-kind:knowledge -since:2026-04"),
)
PATHS = [
    f"projects/{project}/{folder}-00{number}.md"
    for project in ("flywheel", "sundial")
    for folder in ("experiments/EXP", "knowledge/K")
    for number in range(1, 5)
]
bodies = st.lists(
    st.sampled_from(
        ["alpha", "beta", "Gamma", "HandleSave", "## alpha\n", "EXP-002", "[[K-001]]", "量检"]
    ),
    max_size=8,
).map(" ".join)


@st.composite
def atoms(draw: st.DrawFn) -> bytes:
    """Write an atom for any of the paths; some cannot be read."""
    status = draw(st.sampled_from(["valid", "superseded: EXP-002", "[", "challenged"]))
    fields = (
        f"id: EXP-001\ndate: 2026-0{draw(st.integers(3, 5))}-02\nproject: flywheel\n"
        f"summary: about {draw(bodies)!r}\ntags: [one, two]\nstatus: {status}\n"
    )
    return f"---\n{fields}---\n\n{draw(bodies)}\n".encode()


steps = st.tuples(st.sampled_from(["write", "remove", "move", "look"]), st.integers(0, 15), atoms())
Step = tuple[str, int, bytes]


def _apply_step(root: Path, step: Step) -> None:
    action, number, content = step
    path = PATHS[number]
    if action == "write" or not (root / path).exists():
        write_file(root, path, content)
    elif action == "remove":
        (root / path).unlink()
    elif action == "move":
        other = root / PATHS[(number + 5) % len(PATHS)]
        other.parent.mkdir(parents=True, exist_ok=True)
        (root / path).rename(other)
    else:
        look = b'{"file":"%s","ts":"2026-05-01T00:00:00Z"}\n' % (root / path).name.encode()
        write_file(root, f"{path.rsplit('/', 2)[0]}/_meta/access-log.jsonl", look * number)


def _answers(session: Session) -> list[object]:
    return [_answer(session, query) for query in QUERIES]


def _answer(session: Session, query: str) -> list[object]:
    """Give what is found; the engine for large trees lets what is gone weigh for a while."""
    try:
        hits = find(session, query, limit=50).hits
    except (NoSuchProject, NoSuchTag) as error:
        return [str(error)]
    if isinstance(session.catalog.full_text, Fts5Index):
        return [(hit.match.atom, round(hit.match.score, 9), hit.snippet) for hit in hits]
    return sorted((hit.match.atom, hit.snippet) for hit in hits)


def _answers_after_rebuild(root: Path) -> list[object]:
    shutil.rmtree(root / ".cortexfs")
    with open_session(root) as session:
        return _answers(session)


class _KilledError(BaseException):
    """Somebody pulls the plug."""


def _check_incremental_ingestion(history: list[list[Step]]) -> None:
    """Ingest step by step, with interruptions, and compare with ingesting all at once."""
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root:
        for number, step in enumerate(history):
            for change in step:
                _apply_step(root, change)
            with open_session(root) as session:
                if number % 3 == 1:
                    _interrupt_ingestion(session, after=number)
                stepwise = _answers(session)
        assert stepwise == _answers_after_rebuild(root)


def _interrupt_ingestion(session: Session, after: int) -> None:
    """Begin to take the texts in, and stop somewhere."""

    def stop(done: int, _: int) -> None:
        if done > after:
            raise _KilledError

    session.refresh()
    try:
        ingest_texts.ingest_texts(session.catalog, session.tree, stop, batch_size=1)
    except _KilledError:
        return


histories = st.lists(st.lists(steps, min_size=1, max_size=5), min_size=1, max_size=6)


def test_incremental_ingestion_equals_a_full_one(soak: bool) -> None:
    examples = 1000 if soak else 4
    settings(max_examples=examples)(given(histories)(_check_incremental_ingestion))()


@settings(max_examples=settings().max_examples // 2)
@given(histories)
def test_a_refresh_of_changed_paths_equals_a_full_refresh(history: list[list[Step]]) -> None:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root, open_session(root) as session:
        session.refresh()
        for step in history:
            before = _on_disk(root)
            for change in step:
                _apply_step(root, change)
            after = _on_disk(root)
            changed = {path for path in before | after if before.get(path) != after.get(path)}
            session.refresh({*changed, "README.md", "projects/../CORTEX.md", "nowhere/EXP-001.md"})
            after_partial_refresh = _catalog_rows(session)
            session.refresh()
            assert after_partial_refresh == _catalog_rows(session)


def _on_disk(root: Path) -> dict[str, bytes]:
    files = (path for path in root.glob("projects/**/*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def _catalog_rows(session: Session) -> list[object]:
    db = session.catalog.db
    selections = ("path, digest FROM files", "* FROM atoms", "* FROM waiting", "* FROM looks")
    return [db.execute(f"SELECT {what}").fetchall() for what in selections]


@pytest.mark.parametrize("batch_size", leave_to_soak([1, 2, 1000], every=3))
def test_the_batch_size_does_not_change_the_answers(batch_size: int) -> None:
    files = {
        path: f"---\nid: x\nsummary: alpha {n}\n---\nbeta ".encode() * (n + 1)
        for n, path in enumerate(PATHS)
    }
    with write_tree({"CORTEX.md": b"", **files}) as root, open_session(root) as session:
        session.refresh()
        assert ingest_texts.ingest_texts(
            session.catalog, session.tree, batch_size=batch_size
        ) == len(PATHS)
        assert ingest_texts.ingest_texts(session.catalog, session.tree) == 0
        stepwise = _answers(session)
        assert stepwise == _answers_after_rebuild(root)


def test_an_unchanged_text_is_not_ingested_again() -> None:
    files = {"CORTEX.md": b"", PATHS[0]: b"---\nid: EXP-001\n---\nalpha\n"}
    with write_tree(files) as root, open_session(root) as session:
        assert len(find(session, "alpha").hits) == 1
        session.refresh()
        assert ingest_texts.ingest_texts(session.catalog, session.tree) == 0
        write_file(root, PATHS[1], b"---\nid: EXP-002\n---\nalpha\n")
        session.refresh()
        assert ingest_texts.ingest_texts(session.catalog, session.tree) == 1
