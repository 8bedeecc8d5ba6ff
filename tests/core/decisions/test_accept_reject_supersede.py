"""What settles a decision, decided on texts alone."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.lifecycle import (
    DECISION_STATUS_SECTIONS,
    DECISION_TRANSITIONS,
    STATUS_SECTIONS,
    parse_atom_status,
)
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.decisions import legacy_format
from cortexfs.core.decisions.accept_reject_supersede import plan_supersede, plan_verdict
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.status_change import FileChange, LoadedAtom
from cortexfs.errors import Refused
from cortexfs.tree.package_files import read_template

KINDS = Kinds()
TEMPLATE = read_template("decision.md") or ""
BODY = "\n# T\n\n## Alternatives\n\n1. Git\n2. A server\n\n## Decision\n\nGit.\n"
STATUSES = {**STATUS_SECTIONS, **DECISION_STATUS_SECTIONS, "": None, "sleepy": None}


def _load(path: str, text: str) -> LoadedAtom:
    place = parse_atom_path(path, KINDS)
    assert place
    return LoadedAtom(parse_atom(path, place, text), text, place.kind)


def _decision(number: str, status: str, body: str = BODY, project: str = "p") -> LoadedAtom:
    head = f"id: DR-{number}\ndate: 2026-05-01\nsummary: s\ntags: [a]  # why\nstatus: {status}"
    path = (
        f"projects/{project}/decisions/{number}-x.md" if project else f"decisions/DR-{number}-x.md"
    )
    return _load(path, f"---\n{head.rstrip()}\n---\n{body}")


def _legacy_decision(number: str, status: str, more: str = "") -> LoadedAtom:
    text = f"# DR-{number}: T\n\nDate: 2026-05-01\nStatus: {status}\n{more}{BODY}"
    return _load(f"projects/p/decisions/{number}-x.md", text)


def _summaries(changes: tuple[FileChange, ...]) -> dict[str, str]:
    return {change.ref: change.summary for change in changes}


@pytest.mark.parametrize("word", ["accepted", "rejected"])
@pytest.mark.parametrize("now", STATUSES)
def test_a_verdict_needs_an_allowed_transition(now: str, word: str) -> None:
    one = _decision("0001", f"{now}:DR-0009" if now == "superseded" else now)
    is_current = str(parse_atom_status(now).section) == "Active"
    allowed = DECISION_TRANSITIONS.get(
        now, DECISION_TRANSITIONS["proposed" if is_current else "superseded"]
    )
    if now == word:
        assert plan_verdict(one, word, TEMPLATE) == ()
    elif word in allowed:
        (change,) = plan_verdict(one, word, TEMPLATE)
        assert atom_text.parse_frontmatter(change.write.text).fields["status"] == word
        bare = f"status: {now}".rstrip()
        assert change.write.text == one.text.replace(bare, f"status: {word}")
    else:
        with pytest.raises(Refused, match=f"cannot become {word}"):
            plan_verdict(one, word, TEMPLATE)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (TEMPLATE, "this has none"),
        (BODY.replace("2. A server\n", ""), "this has only one"),
        (BODY.replace("A server", "Option B"), "this has only one"),
        (BODY.replace("Git.\n", ""), "does not state the decision"),
        (BODY.replace("Git.", "What was chosen, and why."), "does not state the decision"),
        (BODY.replace("## Decision", "## Outcome"), "does not state the decision"),
    ],
)
def test_a_decision_without_alternatives_or_decision_text_is_not_accepted(
    body: str, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        plan_verdict(_decision("0001", "proposed", body), "accepted", TEMPLATE)
    with pytest.raises(Refused, match=message):
        plan_supersede(_decision("0002", "accepted"), _decision("0001", "proposed", body), TEMPLATE)
    assert plan_verdict(_decision("0001", "proposed", body), "rejected", TEMPLATE)


def test_options_considered_counts_as_alternatives() -> None:
    one = _decision("0001", "proposed", BODY.replace("Alternatives", "Options Considered"))
    assert _summaries(plan_verdict(one, "accepted", TEMPLATE)) == {"p/DR-0001": "accepted"}
    assert "missing-section" not in {
        flaw.code for flaw in one.atom.flaws if "Alternatives" in flaw.message
    }


@pytest.mark.parametrize("later", ["proposed", "accepted"])
@pytest.mark.parametrize("now", ["proposed", "accepted", "superseded:DR-0009"])
def test_a_superseding_decision_and_the_old_one_link_to_each_other(now: str, later: str) -> None:
    old, new = _decision("0001", now), _decision("0002", later)
    changes = plan_supersede(old, new, TEMPLATE)
    first, second = (atom_text.parse_frontmatter(change.write.text).fields for change in changes)
    assert first["status"] == "superseded:DR-0002"
    assert (second["status"], second["supersedes"]) == ("accepted", ("DR-0001",))
    assert second["links"] == ("DR-0001",)
    assert "tags: [a]  # why\n" in changes[1].write.text
    again = [_load(t.write.path, t.write.text) for t in changes]
    assert plan_supersede(again[0], again[1], TEMPLATE) == (), "what is done is not done again"


def test_superseding_completes_a_half_done_change() -> None:
    old, new = _decision("0001", "superseded:DR-0002"), _decision("0002", "accepted")
    assert _summaries(plan_supersede(old, new, TEMPLATE)) == {"p/DR-0002": "supersedes p/DR-0001"}


def test_superseding_legacy_decisions_edits_their_lines() -> None:
    old, new = (
        _legacy_decision("0001", "accepted"),
        _legacy_decision("0002", "proposed", "Supersedes: DR-0007\n"),
    )
    before, after = (change.write.text for change in plan_supersede(old, new, TEMPLATE))
    assert before == old.text.replace("accepted", "superseded:DR-0002")
    assert after == new.text.replace("proposed", "accepted").replace("0007", "0007, DR-0001")
    assert (legacy_format.parse_legacy_decision(after) or {})["supersedes"] == "DR-0007, DR-0001"


def test_a_supersession_across_projects_names_the_project() -> None:
    old, new = _decision("0001", "accepted"), _decision("0002", "accepted", project="")
    first, second = (
        atom_text.parse_frontmatter(t.write.text).fields for t in plan_supersede(old, new, TEMPLATE)
    )
    assert (first["status"], second["supersedes"]) == ("superseded:DR-0002", ("p/DR-0001",))


@pytest.mark.parametrize("status", ["rejected", "superseded:DR-0009", "deprecated"])
def test_a_decision_that_is_not_current_cannot_supersede(status: str) -> None:
    with pytest.raises(Refused, match="cannot supersede a decision"):
        plan_supersede(_decision("0001", "accepted"), _decision("0002", status), TEMPLATE)


def test_a_decision_cannot_supersede_itself_or_a_rejected_one() -> None:
    one = _decision("0001", "accepted")
    with pytest.raises(Refused, match="by itself"):
        plan_supersede(one, one, TEMPLATE)
    with pytest.raises(Refused, match="cannot become superseded") as refused:
        plan_supersede(_decision("0001", "rejected"), _decision("0002", "accepted"), TEMPLATE)
    assert "decision accept" in str(refused.value.hint)
