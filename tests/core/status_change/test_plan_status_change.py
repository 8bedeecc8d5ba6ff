"""What a change of status asks for, decided on texts alone."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.lifecycle import (
    OVERTURNED_STATUSES,
    STATUS_SECTIONS,
    STATUS_TRANSITIONS,
    STATUSES_WITH_CAUSE,
    SUCCESSOR_STATUSES,
    IndexTableName,
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


def _party(ref: str, body: str = BODY, **fields: str) -> LoadedAtom:
    project, ident = ref.split("/")
    path = f"projects/{project}/{FOLDERS[ident.partition('-')[0]]}/{ident}.md"
    said = {"id": ident, "date": "2026-05-01", "project": project, "summary": "s", "tags": "[a]"}
    entries = {**said, **{key.replace("_", "-"): value for key, value in fields.items()}}
    text = "---\n" + "".join(f"{key}: {value}\n" for key, value in entries.items()) + f"---\n{body}"
    where = parse_atom_path(path, KINDS)
    assert where
    return LoadedAtom(parse_atom(path, where, text), text, where.kind)


def _citing(party: LoadedAtom, ref: str) -> CitingFile:
    atom, text, _ = party
    return CitingFile(atom.path, text, find_citing_lines(text, atom.project, ref), atom)  # type: ignore[arg-type]


def _plan(
    old: LoadedAtom,
    word: str,
    by: LoadedAtom | None,
    *citing: LoadedAtom | CitingFile,
    reason: str = "",
    theirs: frozenset[str] = frozenset(),
) -> StatusChangePlan:
    every = [c if isinstance(c, CitingFile) else _citing(c, old.atom.ref) for c in citing]
    return plan_status_change(
        StatusChange(old, word, by, reason, "2026-05-06"), every, KINDS, theirs
    )


def _whats(marking: StatusChangePlan) -> dict[str, str]:
    return {touch.ref: touch.summary for touch in marking.file_changes}


OLD, NEW = _party("p/EXP-001"), _party("p/EXP-002", status="valid")


@pytest.mark.parametrize("word", STATUS_SECTIONS)
@pytest.mark.parametrize("now", [*STATUS_SECTIONS, "sleepy", ""])
def test_a_forbidden_transition_is_refused_with_the_allowed_ones(now: str, word: str) -> None:
    old = _party("p/EXP-001", status=f"{now}:EXP-009" if now in STATUSES_WITH_CAUSE else now)
    if word in STATUS_TRANSITIONS.get(now, STATUS_TRANSITIONS["active"]):
        marking = _plan(old, word, NEW)
        assert (
            atom_text.parse_frontmatter(marking.file_changes[0].write.text).fields["status"]
            == f"{word}:EXP-002"
        )
        return
    with pytest.raises(Refused, match=f"cannot become {word}") as refused:
        _plan(old, word, NEW)
    ways = [way for way in STATUS_TRANSITIONS[now] if way != now] or ["cortexfs restore p/EXP-001"]
    assert all(way in str(refused.value.hint) for way in ways)


@pytest.mark.parametrize("word", STATUSES_WITH_CAUSE)
def test_a_status_that_needs_a_cause_is_refused_without_one(word: str) -> None:
    with pytest.raises(Refused, match="needs the atom"):
        _plan(OLD, word, None)


@pytest.mark.parametrize("word", sorted(STATUS_SECTIONS.keys() - set(STATUSES_WITH_CAUSE)))
def test_another_status_may_have_a_cause(word: str) -> None:
    assert _whats(_plan(OLD, word, None, reason="so"))["p/EXP-001"] == word
    assert _whats(_plan(OLD, word, NEW))["p/EXP-001"] == f"{word}:EXP-002"


def test_invalidating_without_a_reason_is_refused() -> None:
    with pytest.raises(Refused, match="needs a reason"):
        _plan(OLD, "invalidated", None)


def test_the_default_reason_of_a_tombstone_is_the_summary_of_its_cause() -> None:
    for reason, said in (("", "s"), ("because", "because")):
        write = _plan(OLD, "invalidated", NEW, reason=reason).file_changes[0].write
        assert atom_text.parse_frontmatter(write.text).fields["invalidated-reason"] == said


@pytest.mark.parametrize(
    "word", [w for w, s in STATUS_SECTIONS.items() if s is not IndexTableName.ACTIVE]
)
def test_an_outdated_atom_cannot_overturn_another(word: str) -> None:
    fallen = _party("p/EXP-002", status=f"{word}:EXP-003")
    with pytest.raises(Refused, match="cannot overturn another atom") as refused:
        _plan(OLD, "superseded", fallen)
    assert "EXP-003" in str(refused.value.hint)


def test_an_atom_cannot_overturn_itself() -> None:
    with pytest.raises(Refused, match="by itself"):
        _plan(OLD, "challenged", OLD)


@pytest.mark.parametrize("word", SUCCESSOR_STATUSES)
def test_a_successor_has_the_same_kind_and_links_back(word: str) -> None:
    with pytest.raises(Refused, match="of kind experiment"):
        _plan(OLD, word, _party("p/K-001"))
    write = _plan(OLD, word, NEW).file_changes[1].write
    assert atom_text.parse_frontmatter(write.text).fields["links"] == ("EXP-001",)
    elsewhere = _party("q/EXP-002")
    far = _plan(OLD, word, elsewhere)
    assert (
        atom_text.parse_frontmatter(far.file_changes[0].write.text).fields["status"]
        == f"{word}:q/EXP-002"
    )
    assert atom_text.parse_frontmatter(far.file_changes[1].write.text).fields["links"] == (
        "p/EXP-001",
    )


@pytest.mark.parametrize("word", STATUS_SECTIONS)
def test_only_overturning_statuses_cause_challenges_and_an_impact_section(word: str) -> None:
    rests = _party("p/K-001", evidence="[EXP-001]")
    marking = _plan(OLD, word, NEW, rests)
    overturned = word in OVERTURNED_STATUSES
    assert ("p/K-001" in _whats(marking)) == overturned
    assert any("## Downstream Impact" in t.write.text for t in marking.file_changes) == overturned


def test_only_experiments_get_an_impact_section() -> None:
    knowledge, heir = _party("p/K-001"), _party("p/K-002", evidence="[EXP-001]")
    assert _whats(_plan(knowledge, "superseded", heir)) == {
        "p/K-001": "superseded:K-002",
        "p/K-002": "linked back",
    }
    assert _whats(_plan(knowledge, "corrected", heir)) == {"p/K-001": "corrected:K-002"}


RESTING = {
    "p/K-001": {"evidence": "[EXP-001]"},
    "p/K-002": {"evidence": "EXP-003, p/EXP-001", "status": "partial"},
    "p/PAT-001": {"source-experiments": "[EXP-001]", "status": "corrected:EXP-009"},
    "p/PAT-002": {"source-experiments": "[EXP-003]", "evidence": "[EXP-001]"},
    "q/K-003": {"evidence": "[p/EXP-001]", "status": "valid"},
}
NOT_RESTING = {
    "q/K-004": {"evidence": "[EXP-001, p/EXP-003]"},  # an EXP-001 of its own
    "p/K-005": {"evidence": "[EXP-003]", "links": "[EXP-001]"},
    "p/K-006": {"evidence": "[EXP-001]", "status": "challenged:EXP-009"},
    "p/K-007": {"evidence": "[EXP-001]", "status": "superseded:K-001"},
    "p/K-008": {"evidence": "[EXP-001]", "status": "invalidated:EXP-009"},
    "p/EXP-004": {"evidence": "[EXP-001]"},
    "p/OBS-001": {"evidence": "[EXP-001]"},
}


def test_atoms_that_cite_the_overturned_one_as_evidence_are_challenged() -> None:
    around = [_party(ref, **fields) for ref, fields in {**RESTING, **NOT_RESTING}.items()]
    whats = _whats(_plan(OLD, "invalidated", NEW, *around))
    del whats["p/EXP-001"], whats["p/EXP-002"]
    challenged = dict.fromkeys(RESTING, "challenged:EXP-002")
    assert whats == {**challenged, "q/K-003": "challenged:p/EXP-002"}


def test_without_a_cause_the_challenge_names_the_invalidated_atom() -> None:
    around = [_party("p/K-001", evidence="[EXP-001]"), _party("q/K-003", evidence="[p/EXP-001]")]
    whats = _whats(_plan(OLD, "invalidated", None, *around, reason="withdrawn"))
    assert whats == {
        "p/EXP-001": "invalidated",
        "p/K-001": "challenged:EXP-001",
        "q/K-003": "challenged:p/EXP-001",
    }


def test_the_impact_section_lists_each_citing_file_and_line() -> None:
    around: list[LoadedAtom | CitingFile] = [
        _party("p/K-001", evidence="[EXP-001]", body="\nSee EXP-001.\n"),
        _party("p/K-002", evidence="[EXP-003]", status="superseded:K-009", links="[EXP-001]"),
        _party("p/K-003", evidence="[EXP-001]", status="challenged:EXP-009"),
        CitingFile("projects/p/STATUS.md", "", (3, 9)),
        CitingFile("projects/p/tasks-archive.md", "", (4,)),
        CitingFile("scans/2026-05-01.md", "", (5,)),
    ]
    text = _plan(OLD, "corrected", NEW, *around, reason="it is 8 / 13").file_changes[-1].write.text
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
    rests = _party("p/K-001", evidence="[EXP-001]")
    theirs = frozenset({OLD.atom.path, NEW.atom.path, rests.atom.path})
    marking = _plan(OLD, "superseded", NEW, rests, theirs=theirs)
    assert _whats(marking) == {"p/EXP-001": "superseded:EXP-002"}
    assert set(marking.left_out) == {NEW.atom.path, rests.atom.path}


def test_the_impact_section_does_not_call_a_left_out_atom_challenged() -> None:
    rests = _party("p/K-001", evidence="[EXP-001]")
    marking = _plan(OLD, "superseded", NEW, rests, theirs=frozenset({rests.atom.path}))
    assert "| p/K-001 | needs-update | EXP-001 (line 7) | see above |" in (
        marking.file_changes[1].write.text
    )


def test_an_atom_with_uneditable_frontmatter_is_left_out_and_reported() -> None:
    ready = _party("p/K-001", evidence="[EXP-001]")
    flow = "---\n{id: K-001, evidence: [EXP-001]}\n---\n"
    marking = _plan(OLD, "superseded", NEW, CitingFile(ready.atom.path, flow, (2,), ready.atom))
    assert list(marking.left_out) == [ready.atom.path]
    assert "p/EXP-002" in _whats(marking)


@pytest.mark.parametrize("word", STATUS_SECTIONS)
def test_repeating_a_status_change_changes_nothing(word: str) -> None:
    rests = _party("p/K-001", evidence="[EXP-001]")
    parties = {party.atom.path: party for party in (OLD, NEW, rests)}
    for touch in _plan(OLD, word, NEW, rests).file_changes:
        where = parse_atom_path(touch.write.path, KINDS)
        assert where
        atom = parse_atom(touch.write.path, where, touch.write.text)
        parties[touch.write.path] = LoadedAtom(atom, touch.write.text, where.kind)
    old, new, after = parties.values()
    assert _plan(old, word, new, after) == StatusChangePlan((), {})


def test_repeating_a_status_change_completes_what_was_left_out() -> None:
    rests = _party("p/K-001", evidence="[EXP-001]")
    done = _party("p/EXP-001", status="superseded:EXP-002")
    assert _whats(_plan(done, "superseded", NEW, rests)) == {
        "p/K-001": "challenged:EXP-002",
        "p/EXP-002": "linked back, Downstream Impact",
    }


def test_invalidating_an_atom_marked_by_hand_makes_a_tombstone() -> None:
    old = _party("p/EXP-001", status="invalidated:EXP-002")
    text = _plan(old, "invalidated", NEW).file_changes[0].write.text
    assert atom_text.parse_frontmatter(text).fields["invalidated-date"] == "2026-05-06"
    assert "## Results" not in text
