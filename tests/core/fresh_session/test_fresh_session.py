"""What a session learns by walking from CORTEX.md, and what it is told to be missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from cost import cost_of
from hypothesis import given
from hypothesis import strategies as st
from pages import page, rows, section, words

from cortexfs.core.fresh_session.criteria import CRITERIA
from cortexfs.core.fresh_session.page_links import find_page_links
from cortexfs.core.fresh_session.project_view import KnownAtom, ProjectView
from cortexfs.core.fresh_session.score import FreshSessionScore, score_fresh_session
from cortexfs.core.fresh_session.walk import CHARS_PER_TOKEN, ReadBudget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HOME = "projects/p"
DECISION = "# DR-0001\n\n## Context\n\nx\n\n## Alternatives\n\n1. a\n2. b\n\n## Decision\n\na\n"
PAGES = {
    "CORTEX.md": "# p\n\n- [STATUS.md](STATUS.md)\n- `mission.md`\n- [Decisions](decisions/)\n",
    "mission.md": "# p mission\n\n## Goal\n\nTo spin.\n\n- [x] Spun once (EXP-001)\n- [ ] Twice\n",
    "STATUS.md": "# p status\n\nUpdated: 2026-05-01\n\n## Current phase\n\nTwo.\n\n"
    "## Recent progress\n\n- It spins (EXP-001).\n- It hums (`bench/hum.csv`).\n\n"
    "## Open blockers\n\nNone.\n\n## Next steps\n\n1. Spin faster.\n",
    "decisions/CORTEX.md": "# Decisions\n\n- [Plain](0001-plain.md)\n",
    "decisions/0001-plain.md": DECISION,
    "experiments/EXP-001.md": "---\nid: EXP-001\n---\n",
}
ATOMS = {
    "p/EXP-001": KnownAtom(f"{HOME}/experiments/EXP-001.md"),
    "p/DR-0001": KnownAtom(f"{HOME}/decisions/0001-plain.md", is_decision=True),
}


class Atoms(NamedTuple):
    """The atoms of a tree by ref, and its newest."""

    by_ref: Mapping[str, KnownAtom]
    newest: tuple[str, str] = ("2026-04-30", "p/EXP-001")

    def find(self, ref: str) -> KnownAtom | None:
        return self.by_ref.get(ref)

    def list_decisions(self, project: str) -> list[KnownAtom]:
        named = (each for ref, each in self.by_ref.items() if ref.startswith(f"{project}/"))
        return [each for each in named if each.is_decision]

    def find_newest(self, project: str) -> tuple[str, str]:
        assert project == "p"
        return self.newest

    def tell_decisions(self, paths: Iterable[str]) -> dict[str, bool]:
        every = {each.path: each.is_decision for each in self.by_ref.values()}
        return {path: every[path] for path in paths if path in every}


NEWEST = Atoms({}).newest


def _project(
    changes: Mapping[str, str | None] | None = None,
    atoms: Mapping[str, KnownAtom] = ATOMS,
    newest: tuple[str, str] = NEWEST,
) -> ProjectView:
    """Make a project of the pages above; a change of None takes one away."""
    pages = {name: text for name, text in {**PAGES, **(changes or {})}.items() if text is not None}
    paths = {name if name.startswith("../") else f"{HOME}/{name}": t for name, t in pages.items()}
    files = {path.removeprefix("../"): text for path, text in paths.items()}
    return ProjectView("p", files.get, files.__contains__, Atoms(atoms, newest))


def _missing_parts(found: FreshSessionScore) -> dict[str, str]:
    return {part.name: part.missing for part in found.criteria if part.missing}


def test_a_complete_project_scores_100_within_five_reads() -> None:
    found = score_fresh_session(_project(), ReadBudget())
    assert (found.score, _missing_parts(found)) == (100, {})
    assert [read.path.removeprefix(f"{HOME}/") for read in found.reads] == [
        *("CORTEX.md", "STATUS.md", "mission.md", "decisions/CORTEX.md", "decisions/0001-plain.md")
    ]
    assert found.tokens == sum(read.tokens for read in found.reads)


def test_the_weights_sum_to_100_and_match_the_page() -> None:
    assert sum(part.weight for part in CRITERIA) == 100
    message = rows(section(page("docs/fresh.md"), "## The score"))
    assert [(words(cells[0])[0], int(cells[1])) for cells in message] == [
        (part.name, part.weight) for part in CRITERIA
    ]
    for cells, part in zip(message, CRITERIA, strict=True):
        assert cells[2] == part.description
        assert cells[3].replace("`", "") == f"{part.expected_file} {part.expected_section}".replace(
            "`", ""
        )
    text = " ".join(page("docs/fresh.md").split())
    budget = ReadBudget()
    assert f"{budget.reads} reads and {budget.tokens} tokens" in text
    assert f"{CHARS_PER_TOKEN} characters a token" in text


@pytest.mark.parametrize(
    ("changes", "part", "message"),
    [
        ({"mission.md": "# p mission\n"}, "goal", "write it in projects/p/mission.md § Goal"),
        ({"mission.md": "## Goal\n\n{{goal}}\n"}, "goal", "write it in"),
        ({"mission.md": "## Goal\n\n<!-- say it -->\n- [ ]\n"}, "goal", "write it in"),
        ({"CORTEX.md": "`STATUS.md` `decisions/`"}, "goal", "no link leads there"),
        ({"STATUS.md": "## Next steps\n\n- x\n"}, "state", "§ Current phase"),
        ({"STATUS.md": "## Current phase\n\nTwo.\n"}, "blockers", "§ Open blockers"),
        ({"STATUS.md": "## Current phase\n\nTwo.\n"}, "next", "§ Next steps"),
        ({"STATUS.md": "## Current phase\n\nTwo.\n"}, "date", "`Updated: YYYY-MM-DD`"),
        ({"decisions/0001-plain.md": "## Decision\n\na\n"}, "why", "§ Context, § Alternatives"),
        (
            {"CORTEX.md": "`STATUS.md` `mission.md`"},
            "decisions",
            "no page that was read links",
        ),
        ({"CORTEX.md": "`STATUS.md` `mission.md`"}, "why", "no link leads there"),
    ],
)
def test_a_missing_part_is_reported_with_its_expected_place(
    changes: Mapping[str, str], part: str, message: str
) -> None:
    found = score_fresh_session(_project(changes), ReadBudget())
    assert message in _missing_parts(found)[part]
    assert next(p.points for p in found.criteria if p.name == part) == 0


@pytest.mark.parametrize("part", [part.name for part in CRITERIA])
def test_a_project_without_cortex_md_scores_0(part: str) -> None:
    found = score_fresh_session(_project({"CORTEX.md": None}), ReadBudget())
    assert (found.score, found.reads) == (0, ())
    assert _missing_parts(found)[part]


def test_a_project_without_decisions_loses_both_their_criteria() -> None:
    removed = {"decisions/CORTEX.md": None, "decisions/0001-plain.md": None}
    found = score_fresh_session(_project(removed, {"p/EXP-001": ATOMS["p/EXP-001"]}), ReadBudget())
    assert found.score == 80
    assert "there is none yet" in _missing_parts(found)["decisions"]


def test_an_unlinked_decision_costs_its_share() -> None:
    hidden = KnownAtom(f"{HOME}/decisions/0002-hidden.md", is_decision=True)
    found = score_fresh_session(_project(atoms={**ATOMS, "p/DR-0002": hidden}), ReadBudget())
    assert found.score == 95
    assert "0002-hidden.md" in _missing_parts(found)["decisions"]


def test_a_status_older_than_an_atom_is_out_of_date() -> None:
    project = _project(newest=("2026-05-02", "p/EXP-002"))
    found = score_fresh_session(project, ReadBudget())
    assert "is dated 2026-05-01, p/EXP-002 2026-05-02" in _missing_parts(found)["date"]


def test_a_claim_needs_a_current_atom_or_a_file() -> None:
    outdated = {**ATOMS, "p/EXP-001": ATOMS["p/EXP-001"]._replace(is_current=False)}
    found = score_fresh_session(_project(atoms=outdated), ReadBudget())
    evidence = found.criteria[-1]
    assert (evidence.found_at, evidence.points) == ("1 of 3 claims", 3)
    assert "It spins (EXP-001)." in evidence.missing
    none = {"STATUS.md": PAGES["STATUS.md"].replace("EXP-001", "EXP-099")}
    last = score_fresh_session(_project(none), ReadBudget()).criteria[-1]
    assert last.found_at == "2 of 3 claims"


def test_a_row_of_knowledge_needs_something_in_its_evidence_column() -> None:
    table = "| ID | Status | Evidence |\n|---|---|---|\n"
    table += "| [K-001](K-001.md) | valid | EXP-001 |\n| [K-002](K-002.md) | by EXP-001 | — |\n"
    changes = {
        "CORTEX.md": PAGES["CORTEX.md"] + "- [known](knowledge/)\n",
        "knowledge/index.md": table,
    }
    evidence = score_fresh_session(_project(changes), ReadBudget()).criteria[-1]
    assert evidence.found_at == "4 of 5 claims"
    assert "K-002" in evidence.missing


@pytest.mark.parametrize(
    "status",
    [
        "## Current Phase\n\nx\n\n## Unresolved Issues\n\n* y\n\n## Next Steps\n\n* z\n",
        "## Current Situation\n\nx\n\n## Blockers & Pending Decisions\n\ny\n\n## Next Step\n\nz\n",
        "### Current phase\r\n\r\nx\r\n\r\n### Open blockers\r\n\r\nNone\r\n\r\n### Next\r\n\r\nz",
    ],
)
def test_older_forms_of_the_status_page_count(status: str) -> None:
    missing = _missing_parts(
        score_fresh_session(
            _project({"STATUS.md": f"# p Status\n\nUpdated: 2026-05-01\n\n{status}"}), ReadBudget()
        )
    )
    assert not missing.keys() & {"state", "date", "blockers", "next"}


def test_issues_and_tasks_can_replace_sections_of_the_status() -> None:
    changes = {
        "CORTEX.md": PAGES["CORTEX.md"] + "- [ISSUES.md](ISSUES.md)\n- [TASKS.yaml](TASKS.yaml)\n",
        "STATUS.md": "## Current phase\n\nTwo.\n",
        "ISSUES.md": "# p issues\n\n- **Lost packets** (2026-03-15)\n",
        "TASKS.yaml": "tasks:\n  - id: 3fa9\n    text: x\n    status: open\n",
    }
    missing = _missing_parts(score_fresh_session(_project(changes), ReadBudget()))
    assert not missing.keys() & {"blockers", "next"}
    done = {**changes, "TASKS.yaml": "tasks:\n  - id: 3fa9\n    status: done\n", "ISSUES.md": "#\n"}
    assert {"blockers", "next"} <= _missing_parts(
        score_fresh_session(_project(done), ReadBudget())
    ).keys()


def test_a_legacy_decision_gives_its_reasons() -> None:
    old = "# DR-0001: Plain\n\nDate: 2026-04-01\nStatus: accepted\n\n## Context\n\nx\n\n"
    old += "## Options Considered\n\n1. a\n\n## Decision\n\na\n\n## Consequences\n\nb\n"
    assert "why" not in _missing_parts(
        score_fresh_session(_project({"decisions/0001-plain.md": old}), ReadBudget())
    )


def test_headings_of_an_experiment_do_not_count_for_the_project() -> None:
    changes = {
        "CORTEX.md": "EXP-001 and the goal, state, blockers and next steps of it",
        "experiments/EXP-001.md": "## Goal\n\nx\n\n## Status\n\nx\n\n## Next steps\n\nx\n",
    }
    assert score_fresh_session(_project(changes), ReadBudget()).score == 0


def test_links_and_headings_in_code_blocks_do_not_count() -> None:
    changes = {"CORTEX.md": "```\n[STATUS.md](STATUS.md)\n## Goal\n\nx\n```\n"}
    found = score_fresh_session(_project(changes), ReadBudget())
    assert (found.score, len(found.reads)) == (0, 1)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("[x](STATUS.md)", ["STATUS.md"]),
        ("[x](<STATUS.md>) and [y](./mission.md#goal)", ["STATUS.md", "mission.md"]),
        ("[x](decisions) [y](decisions/CORTEX.md)", ["decisions/CORTEX.md"] * 2),
        ('[x](STATUS%2Emd "now")', ["STATUS.md"]),
        ("`STATUS.md`, `projects/p/mission.md`", ["STATUS.md", "mission.md"]),
        ("| mission.md | Stable | x |", ["mission.md"]),
        ("as EXP-001, p/EXP-001", ["experiments/EXP-001.md"] * 2),
        ("[x](../../../etc/passwd) [y](/STATUS.md) [z](https://x.org/STATUS.md)", []),
        ("[x](mailto:STATUS.md) STATUS.md `gone.md` EXP-099", []),
    ],
)
def test_only_links_that_a_reader_could_follow_are_followed(text: str, paths: list[str]) -> None:
    found = find_page_links(f"{HOME}/CORTEX.md", text, _project())
    assert [link.path.removeprefix(f"{HOME}/") for link in found] == paths


def test_a_line_with_thousands_of_links_is_kept_once_for_each_page() -> None:
    line = "[a](mission.md) " * 20_000
    view = _project({"CORTEX.md": f"`STATUS.md`\n{line}\n"})
    cost = cost_of(lambda: score_fresh_session(view, ReadBudget(tokens=250_000)))
    assert cost.is_allowed, cost


def test_the_walk_stays_within_its_budget_and_reports_it() -> None:
    short_walk = score_fresh_session(_project(), ReadBudget(reads=2))
    assert len(short_walk.reads) == 2
    assert "not reached within 2 reads" in _missing_parts(short_walk)["goal"]
    truncated = score_fresh_session(
        _project({"STATUS.md": "x" * 4000 + PAGES["STATUS.md"]}), ReadBudget(tokens=500)
    )
    assert truncated.tokens == 500
    assert truncated.reads[-1].is_cut
    assert "beyond the budget of 500 tokens" in _missing_parts(truncated)["next"]


names = st.sampled_from(sorted(PAGES))
texts = st.text(alphabet="#[]()`|-x*: \n.EXP01/", max_size=200)


@given(st.dictionaries(names, st.one_of(texts, st.none())), st.integers(1, 9), st.integers(1, 300))
def test_any_pages_give_a_score_within_any_budget(
    changes: dict[str, str | None], reads: int, tokens: int
) -> None:
    found = score_fresh_session(_project(changes), ReadBudget(reads, tokens))
    assert found.score == sum(part.points for part in found.criteria)
    assert all(0 <= part.points <= part.weight for part in found.criteria)
    assert all(bool(part.missing) or part.points for part in found.criteria)
    assert len(found.reads) <= reads
    assert found.tokens <= tokens
    assert len({read.path for read in found.reads}) == len(found.reads)


@given(st.lists(names, unique=True))
def test_removing_a_page_never_raises_the_score(removed: list[str]) -> None:
    removed_pages = dict.fromkeys(removed)
    for name in removed:
        with_one_more = {key: None for key in removed_pages if key != name}
        assert (
            score_fresh_session(_project(removed_pages), ReadBudget()).score
            <= score_fresh_session(_project(with_one_more), ReadBudget()).score
        )


def test_names_of_criteria_are_unique_words() -> None:
    assert len({part.name for part in CRITERIA}) == len(CRITERIA)
    assert all(re.fullmatch("[a-z]+", part.name) for part in CRITERIA)
