"""What a change of status asks for, decided on texts alone."""

from __future__ import annotations

import pytest
from soak_cases import leave_to_soak

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.lifecycle import (
    OVERTURNED_STATUSES,
    STATUS_SECTIONS,
    STATUS_TRANSITIONS,
    STATUSES_WITH_CAUSE,
    SUCCESSOR_STATUSES,
    IndexMdSection,
)
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.citing_lines import CitingFile, find_citing_lines
from cortexfs.core.status_change.plan_status_change import plan_status_change
from cortexfs.core.status_change.status_change import LoadedAtom, StatusChange, StatusChangePlan
from cortexfs.errors import Refused

KINDS = Kinds()
FOLDERS = {"EXP": "experiments", "K": "knowledge", "PAT": "patterns", "OBS": "observations"}
BODY = "\n# Title\n\n## Results\n\nSome.\n"


def _load(ref: str, body: str = BODY, **fields: str) -> LoadedAtom:
    project, ident = ref.split("/")
    path = f"projects/{project}/{FOLDERS[ident.partition('-')[0]]}/{ident}.md"
    present = {"id": ident, "date": "2026-05-01", "project": project, "summary": "s", "tags": "[a]"}
    entries = {**present, **{key.replace("_", "-"): value for key, value in fields.items()}}
    text = "---\n" + "".join(f"{key}: {value}\n" for key, value in entries.items()) + f"---\n{body}"
    place = parse_atom_path(path, KINDS)
    assert place
    return LoadedAtom(parse_atom(path, place, text), text, place.kind)


def _citing_file(party: LoadedAtom, ref: str) -> CitingFile:
    atom, text, _ = party
    return CitingFile(atom.path, text, find_citing_lines(text, atom.project, ref), atom)  # type: ignore[arg-type]


def _plan(
    old: LoadedAtom,
    word: str,
    by: LoadedAtom | None,
    *citing: LoadedAtom | CitingFile,
    reason: str = "",
    uncommitted: frozenset[str] = frozenset(),
) -> StatusChangePlan:
    citing_files = [
        c if isinstance(c, CitingFile) else _citing_file(c, old.atom.ref) for c in citing
    ]
    return plan_status_change(
        StatusChange(old, word, by, reason, "2026-05-06"), citing_files, KINDS, uncommitted
    )


def _summaries(plan: StatusChangePlan) -> dict[str, str]:
    return {change.ref: change.summary for change in plan.file_changes}


OLD, NEW = _load("p/EXP-001"), _load("p/EXP-002", status="valid")


@pytest.mark.parametrize("word", STATUS_SECTIONS)
@pytest.mark.parametrize("status", leave_to_soak([*STATUS_SECTIONS, "sleepy", ""], every=3))
def test_a_forbidden_transition_is_refused_with_the_allowed_ones(status: str, word: str) -> None:
    old = _load(
        "p/EXP-001", status=f"{status}:EXP-009" if status in STATUSES_WITH_CAUSE else status
    )
    if word in STATUS_TRANSITIONS.get(status, STATUS_TRANSITIONS["active"]):
        plan = _plan(old, word, NEW)
        assert (
            atom_text.parse_frontmatter(plan.file_changes[0].write.text).fields["status"]
            == f"{word}:EXP-002"
        )
        return
    with pytest.raises(Refused, match=f"cannot become {word}") as refused:
        _plan(old, word, NEW)
    allowed = [way for way in STATUS_TRANSITIONS[status] if way != status] or [
        "cortexfs restore p/EXP-001"
    ]
    assert all(way in str(refused.value.hint) for way in allowed)


@pytest.mark.parametrize("word", STATUSES_WITH_CAUSE)
def test_a_status_that_needs_a_cause_is_refused_without_one(word: str) -> None:
    with pytest.raises(Refused, match="needs the atom"):
        _plan(OLD, word, None)


@pytest.mark.parametrize("word", sorted(STATUS_SECTIONS.keys() - set(STATUSES_WITH_CAUSE)))
def test_another_status_may_have_a_cause(word: str) -> None:
    assert _summaries(_plan(OLD, word, None, reason="so"))["p/EXP-001"] == word
    assert _summaries(_plan(OLD, word, NEW))["p/EXP-001"] == f"{word}:EXP-002"


def test_invalidating_without_a_reason_is_refused() -> None:
    with pytest.raises(Refused, match="needs a reason"):
        _plan(OLD, "invalidated", None)


def test_the_default_reason_of_a_tombstone_is_the_summary_of_its_cause() -> None:
    for reason, present in (("", "s"), ("because", "because")):
        write = _plan(OLD, "invalidated", NEW, reason=reason).file_changes[0].write
        assert atom_text.parse_frontmatter(write.text).fields["invalidated-reason"] == present


@pytest.mark.parametrize(
    "word", [w for w, s in STATUS_SECTIONS.items() if s is not IndexMdSection.ACTIVE]
)
def test_an_outdated_atom_cannot_overturn_another(word: str) -> None:
    outdated = _load("p/EXP-002", status=f"{word}:EXP-003")
    with pytest.raises(Refused, match="cannot overturn another atom") as refused:
        _plan(OLD, "superseded", outdated)
    assert "EXP-003" in str(refused.value.hint)


def test_an_atom_cannot_overturn_itself() -> None:
    with pytest.raises(Refused, match="by itself"):
        _plan(OLD, "challenged", OLD)


@pytest.mark.parametrize("word", SUCCESSOR_STATUSES)
def test_a_successor_has_the_same_kind_and_links_back(word: str) -> None:
    with pytest.raises(Refused, match="of kind experiment"):
        _plan(OLD, word, _load("p/K-001"))
    write = _plan(OLD, word, NEW).file_changes[1].write
    assert atom_text.parse_frontmatter(write.text).fields["links"] == ("EXP-001",)
    elsewhere = _load("q/EXP-002")
    plan_elsewhere = _plan(OLD, word, elsewhere)
    assert (
        atom_text.parse_frontmatter(plan_elsewhere.file_changes[0].write.text).fields["status"]
        == f"{word}:q/EXP-002"
    )
    assert atom_text.parse_frontmatter(plan_elsewhere.file_changes[1].write.text).fields[
        "links"
    ] == ("p/EXP-001",)


@pytest.mark.parametrize("word", STATUS_SECTIONS)
def test_only_overturning_statuses_cause_challenges_and_an_impact_section(word: str) -> None:
    claim = _load("p/K-001", evidence="[EXP-001]")
    plan = _plan(OLD, word, NEW, claim)
    overturned = word in OVERTURNED_STATUSES
    assert ("p/K-001" in _summaries(plan)) == overturned
    assert any("## Downstream Impact" in t.write.text for t in plan.file_changes) == overturned


def test_only_experiments_get_an_impact_section() -> None:
    knowledge, successor = _load("p/K-001"), _load("p/K-002", evidence="[EXP-001]")
    assert _summaries(_plan(knowledge, "superseded", successor)) == {
        "p/K-001": "superseded:K-002",
        "p/K-002": "linked back",
    }
    assert _summaries(_plan(knowledge, "corrected", successor)) == {"p/K-001": "corrected:K-002"}


CHALLENGED = {
    "p/K-001": {"evidence": "[EXP-001]"},
    "p/K-002": {"evidence": "EXP-003, p/EXP-001", "status": "partial"},
    "p/PAT-001": {"source-experiments": "[EXP-001]", "status": "corrected:EXP-009"},
    "p/PAT-002": {"source-experiments": "[EXP-003]", "evidence": "[EXP-001]"},
    "q/K-003": {"evidence": "[p/EXP-001]", "status": "valid"},
}
UNCHALLENGED = {
    "q/K-004": {"evidence": "[EXP-001, p/EXP-003]"},  # an EXP-001 of its own
    "p/K-005": {"evidence": "[EXP-003]", "links": "[EXP-001]"},
    "p/K-006": {"evidence": "[EXP-001]", "status": "challenged:EXP-009"},
    "p/K-007": {"evidence": "[EXP-001]", "status": "superseded:K-001"},
    "p/K-008": {"evidence": "[EXP-001]", "status": "invalidated:EXP-009"},
    "p/EXP-004": {"evidence": "[EXP-001]"},
    "p/OBS-001": {"evidence": "[EXP-001]"},
}


def test_atoms_that_cite_the_overturned_one_as_evidence_are_challenged() -> None:
    others = [_load(ref, **fields) for ref, fields in {**CHALLENGED, **UNCHALLENGED}.items()]
    summaries = _summaries(_plan(OLD, "invalidated", NEW, *others))
    del summaries["p/EXP-001"], summaries["p/EXP-002"]
    challenged = dict.fromkeys(CHALLENGED, "challenged:EXP-002")
    assert summaries == {**challenged, "q/K-003": "challenged:p/EXP-002"}


def test_without_a_cause_the_challenge_names_the_invalidated_atom() -> None:
    others = [_load("p/K-001", evidence="[EXP-001]"), _load("q/K-003", evidence="[p/EXP-001]")]
    summaries = _summaries(_plan(OLD, "invalidated", None, *others, reason="withdrawn"))
    assert summaries == {
        "p/EXP-001": "invalidated",
        "p/K-001": "challenged:EXP-001",
        "q/K-003": "challenged:p/EXP-001",
    }


def test_the_impact_section_lists_each_citing_file_and_line() -> None:
    others: list[LoadedAtom | CitingFile] = [
        _load("p/K-001", evidence="[EXP-001]", body="\nSee EXP-001.\n"),
        _load("p/K-002", evidence="[EXP-003]", status="superseded:K-009", links="[EXP-001]"),
        _load("p/K-003", evidence="[EXP-001]", status="challenged:EXP-009"),
        CitingFile("projects/p/STATUS.md", "", (3, 9)),
        CitingFile("projects/p/tasks-archive.md", "", (4,)),
        CitingFile("scans/2026-05-01.md", "", (5,)),
    ]
    text = _plan(OLD, "corrected", NEW, *others, reason="it is 8 / 13").file_changes[-1].write.text
    assert text.partition("|---|---|---|---|\n")[2].splitlines() == [
        "| p/EXP-001 | corrected | EXP-001 (itself) | it is 8 / 13 |",
        "| p/K-001 | needs-update | EXP-001 (lines 7, 11) | challenged:EXP-002 |",
        "| p/K-002 | no-impact | EXP-001 (line 9) | superseded:K-009 |",
        "| p/K-003 | needs-update | EXP-001 (line 7) | challenged:EXP-009 |",
        "| projects/p/STATUS.md | needs-update | EXP-001 (lines 3, 9) | it is 8 / 13 |",
        "| projects/p/tasks-archive.md | no-impact | EXP-001 (line 4) | a log |",
        "| scans/2026-05-01.md | no-impact | EXP-001 (line 5) | a log |",
    ]


def test_the_impact_section_says_that_nothing_cites_the_atom() -> None:
    text = _plan(OLD, "refined", NEW).file_changes[1].write.text
    assert text.endswith("| — | no-impact | EXP-001 | nothing cites it |\n")


def test_files_with_uncommitted_changes_are_left_out_except_the_atom_itself() -> None:
    claim = _load("p/K-001", evidence="[EXP-001]")
    uncommitted = frozenset({OLD.atom.path, NEW.atom.path, claim.atom.path})
    plan = _plan(OLD, "superseded", NEW, claim, uncommitted=uncommitted)
    assert _summaries(plan) == {"p/EXP-001": "superseded:EXP-002"}
    assert set(plan.left_out) == {NEW.atom.path, claim.atom.path}


def test_the_impact_section_does_not_call_a_left_out_atom_challenged() -> None:
    claim = _load("p/K-001", evidence="[EXP-001]")
    plan = _plan(OLD, "superseded", NEW, claim, uncommitted=frozenset({claim.atom.path}))
    assert "| p/K-001 | needs-update | EXP-001 (line 7) | see above |" in (
        plan.file_changes[1].write.text
    )


def test_an_atom_with_uneditable_frontmatter_is_left_out_and_reported() -> None:
    readable = _load("p/K-001", evidence="[EXP-001]")
    flow = "---\n{id: K-001, evidence: [EXP-001]}\n---\n"
    plan = _plan(OLD, "superseded", NEW, CitingFile(readable.atom.path, flow, (2,), readable.atom))
    assert list(plan.left_out) == [readable.atom.path]
    assert "p/EXP-002" in _summaries(plan)


@pytest.mark.parametrize("word", STATUS_SECTIONS)
def test_repeating_a_status_change_changes_nothing(word: str) -> None:
    claim = _load("p/K-001", evidence="[EXP-001]")
    loaded = {party.atom.path: party for party in (OLD, NEW, claim)}
    for change in _plan(OLD, word, NEW, claim).file_changes:
        place = parse_atom_path(change.write.path, KINDS)
        assert place
        atom = parse_atom(change.write.path, place, change.write.text)
        loaded[change.write.path] = LoadedAtom(atom, change.write.text, place.kind)
    old, new, after = loaded.values()
    assert _plan(old, word, new, after) == StatusChangePlan((), {})


def test_repeating_a_status_change_completes_what_was_left_out() -> None:
    claim = _load("p/K-001", evidence="[EXP-001]")
    done = _load("p/EXP-001", status="superseded:EXP-002")
    assert _summaries(_plan(done, "superseded", NEW, claim)) == {
        "p/K-001": "challenged:EXP-002",
        "p/EXP-002": "linked back, Downstream Impact",
    }


def test_invalidating_an_atom_marked_by_hand_makes_a_tombstone() -> None:
    old = _load("p/EXP-001", status="invalidated:EXP-002")
    text = _plan(old, "invalidated", NEW).file_changes[0].write.text
    assert atom_text.parse_frontmatter(text).fields["invalidated-date"] == "2026-05-06"
    assert "## Results" not in text
