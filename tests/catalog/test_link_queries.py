"""Links between atoms in the catalog: those of the files, found through its indexes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_strategies import open_session, write_file, write_tree

from cortexfs.catalog import link_queries as asked
from cortexfs.catalog.content_queries import TextQueries
from cortexfs.core.atoms.atom import Ref
from cortexfs.core.find.atom_filter import AtomFilter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.catalog.link_queries import LinkQueries
    from cortexfs.session.session import Session

pytestmark = pytest.mark.usefixtures("full_text")
PATHS = {
    "flywheel/EXP-001": "projects/flywheel/experiments/EXP-001.md",
    "flywheel/K-001": "projects/flywheel/knowledge/K-001.md",
    "sundial/EXP-001": "projects/sundial/experiments/EXP-001.md",
    "sundial/K-002": "projects/sundial/knowledge/K-002.md",
    "IDEA-001": "ideas/IDEA-001.md",
}
CITED = ("EXP-001", "K-001", "K-002", "flywheel/K-001", "sundial/EXP-001", "IDEA-001", "K-404")
SUMMARIES = ("Alpha wave", "ALPHA  wave", "Beta: a wave", "exp-001")
WIKIS = ("exp-001", "exp-001.md", "Sundial/exp-001", "idea-001", "alpha wave", "beta: a WAVE", "no")


TREE = {"CORTEX.md": b"# Tree\n"}


class AtomText(NamedTuple):
    """What one atom of a drawn tree says."""

    summary: str
    links: list[str]
    evidence: list[str]
    cited_in_prose: list[str]
    wiki_names: list[str]

    def text(self, ref: str) -> bytes:
        ident = ref.rpartition("/")[2]
        head = f"id: {ident}\nsummary: {json.dumps(self.summary)}\ntags: [a]\n"
        lists = f"links: [{', '.join(self.links)}]\nevidence: [{', '.join(self.evidence)}]\n"
        cited_in_prose = "".join(f"after {cited}.\n" for cited in self.cited_in_prose)
        wiki_names = "".join(f"see [[{name}]]\n" for name in self.wiki_names)
        return f"---\n{head}{lists}---\n\n{cited_in_prose}{wiki_names}".encode()


cited = st.lists(st.sampled_from(CITED), max_size=3)
atom_texts = st.builds(
    AtomText, st.sampled_from(SUMMARIES), cited, cited, cited, st.lists(st.sampled_from(WIKIS))
)
trees = st.dictionaries(st.sampled_from(sorted(PATHS)), atom_texts)


def expected_links(tree: dict[str, AtomText]) -> Iterator[tuple[str, str, str]]:
    """Compute the links of a tree without the package."""
    for source, atom_text in tree.items():
        for kind, names in (
            ("links", atom_text.links),
            ("evidence", atom_text.evidence),
            ("text", atom_text.cited_in_prose),
        ):
            yield from ((source, by_ref(tree, source, name), kind) for name in names)
        yield from ((source, by_name(tree, source, name), "wiki") for name in atom_text.wiki_names)


def by_ref(tree: dict[str, AtomText], source: str, name: str) -> str:
    in_own_project = f"{source.rpartition('/')[0]}/{name}".lstrip("/")
    return in_own_project if in_own_project in tree else name if name in tree else ""


def by_name(tree: dict[str, AtomText], source: str, name: str) -> str:
    folder, _, low = name.lower().removesuffix(".md").rpartition("/")
    by_id = [ref for ref in tree if ref.rpartition("/")[2].lower() == low]
    by_summary = [
        r for r, atom_text in tree.items() if " ".join(atom_text.summary.lower().split()) == low
    ]
    for project in [folder] if folder else [source.rpartition("/")[0], ""]:
        for candidates in (sorted(by_id), sorted(by_summary)):
            for ref in candidates:
                if ref.rpartition("/")[0] == project:
                    return ref
    every = {*by_id, *by_summary}
    return every.pop() if len(every) == 1 and not folder else ""


def link_queries(session: Session) -> LinkQueries:
    session.refresh()
    session.ingest_texts()
    return TextQueries(session.catalog, session.tree).link_queries()


def links_found_from_each_end(session: Session) -> set[tuple[str, str, str]]:
    """Query the links of each atom; both ends must report the same links."""
    queries = link_queries(session)
    links_of = {ref: queries.find_links({Ref(ref)}) for ref in PATHS}
    for ref, own in links_of.items():
        assert all(ref in (tie.source, tie.target) for tie in own)
        assert all(tie in links_of[tie.source] and tie in links_of[tie.target] for tie in own)
    return {
        (t.source, t.target, kind) for own in links_of.values() for t in own for kind in t.kinds
    }


@settings(max_examples=settings().max_examples // 2)
@given(trees, trees)
def test_links_are_those_of_the_files_before_and_after_a_change(
    before: dict[str, AtomText], after: dict[str, AtomText]
) -> None:
    with write_tree(TREE) as root:
        for tree in (before, after):
            for ref in PATHS.keys() - tree.keys():
                (root / PATHS[ref]).unlink(missing_ok=True)
            for ref, atom_text in tree.items():
                write_file(root, PATHS[ref], atom_text.text(ref))
            with open_session(root) as session:
                wanted = {tie for tie in expected_links(tree) if tie[1] and tie[0] != tie[1]}
                assert links_found_from_each_end(session) == wanted
                assert_maps_have(session, {tie[:2] for tie in wanted})


def assert_maps_have(session: Session, wanted: set[tuple[str, str]]) -> None:
    """Assert that maps of all atoms, and of those of one project, have the links among them."""
    queries = link_queries(session)
    every = queries.list_nodes(AtomFilter(), 99)
    for nodes in (every, [node for node in every if node.ref.startswith("flywheel")]):
        pairs = queries.list_inner_links(nodes)
        assert pairs == sorted(set(pairs))
        refs = [node.ref for node in nodes]
        found = {(refs[source], refs[target]) for source, target in pairs}
        assert found == {pair for pair in wanted if {*pair} <= {*refs}}


SCANS = {"MOST_LINKED_SQL"}
"""The map of all atoms needs all of them."""
PLANS = {
    name: sql
    for name, sql in vars(asked).items()
    if name.isupper() and "SELECT" in str(sql) and name not in SCANS
}


@pytest.mark.parametrize("name", PLANS)
def test_no_query_scans_a_whole_table(name: str) -> None:
    with write_tree(TREE) as root, open_session(root) as session:
        sql = PLANS[name]
        given = {0: (), 1: ("[]",), 3: ("p", "f", 1)}[sql.count("?")]
        plan = session.catalog.db.execute(f"EXPLAIN QUERY PLAN {sql}", given)
        steps = [step[3] for step in plan]
    scans = [step for step in steps if step.startswith("SCAN")]
    assert len(steps) > len(scans)
    assert all(step.startswith("SCAN w VIRTUAL TABLE") for step in scans), steps


LOG_LINE = '{"file":"%s","tool":"Read","ts":"%s","session":"%s"}\n'


def test_a_session_groups_its_reads_across_projects() -> None:
    logs = {
        "projects/flywheel/_meta/access-log.jsonl": [
            ("EXP-001.md", "2026-03-01T10:00:00Z", "one"),
            ("EXP-001.md", "2026-03-01T10:00:01Z", "one"),
            ("K-001.md", "2026-03-02T10:00:00Z", "two"),
            ("EXP-001.md", "2026-03-03T10:59:00Z", ""),
            ("K-001.md", "2026-03-03T10:01:00Z", ""),
            ("_directory_search", "2026-03-03T10:02:00Z", ""),
        ],
        "projects/sundial/_meta/access-log.jsonl": [
            ("EXP-001.md", "2026-03-01T11:00:00Z", "one"),
            ("gone.md", "2026-03-01T11:00:00Z", "one"),
            ("K-002.md", "2026-03-03T10:01:00Z", ""),
        ],
    }
    files = TREE | {path: AtomText("s", [], [], [], []).text(ref) for ref, path in PATHS.items()}
    files |= {path: "".join(LOG_LINE % row for row in rows).encode() for path, rows in logs.items()}
    with write_tree(files) as root, open_session(root) as session:
        seen = link_queries(session).find_shared_sessions(PATHS["flywheel/EXP-001"])
    assert seen == {
        "flywheel 2026-03-03T10": {"flywheel/EXP-001", "flywheel/K-001"},
        "one": {"flywheel/EXP-001", "sundial/EXP-001"},
    }
    assert list(seen) == ["flywheel 2026-03-03T10", "one"]


@pytest.mark.soak
def test_an_atom_with_thousands_of_links_has_all_of_them() -> None:
    hub = PATHS["flywheel/K-001"]
    files = TREE | {hub: AtomText("s", ["EXP-0001"], [], [], []).text("K-001")}
    for number in range(1, 1500):
        ident = f"EXP-{number:04d}"
        atom_text = AtomText("s", ["K-001"], [], [], []).text(ident)
        files[f"projects/flywheel/experiments/{ident}.md"] = atom_text
    with write_tree(files) as root, open_session(root) as session:
        own = link_queries(session).find_links({Ref("flywheel/K-001")})
    assert len(own) == 1500
    assert [tie.target for tie in own if tie.source == "flywheel/K-001"] == ["flywheel/EXP-0001"]
