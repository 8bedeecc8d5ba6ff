"""New: an atom of any kind is written, previewed and created in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from panel_browser import Browser, Page, open_browser
from running_server import run_server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

CHOICES = "\n## Alternatives\n\n1. UTC\n2. Local time\n\n## Decision\n\nUTC.\n"


@pytest.fixture
def browser(sample: Place) -> Iterator[Browser]:
    with run_server_of(sample) as running:
        yield open_browser(running)


def read_form(page: Page, number: int = 0) -> dict[str, Any]:
    """Return the fields of a form that creates an atom, as a browser sends them."""
    forms = [each for each in page.find_all("form") if each.get("action") == "/new"]
    posted = [each for each in forms if each.get("method") == "post"][number]
    fields = {}
    for each in posted.iter():
        if each.tag == "input":
            fields[each.get("name")] = each.get("value")
        elif each.tag == "textarea":
            fields[each.get("name")] = "".join(each.itertext())
    return fields


def test_a_kind_and_a_project_are_chosen_first(browser: Browser) -> None:
    assert "/new?kind=&project=" in browser.get("/all").links()
    assert "/new?kind=&project=driftwood" in browser.get("/projects/driftwood").links()
    assert "/new?kind=decision&project=" in browser.get("/decisions").links()
    page = browser.get("/new?project=driftwood")
    options = {each.get("value") or each.text for each in page.find_all("option")}
    assert {"knowledge", "decision", "idea", "driftwood"} < options
    assert "observation" not in options
    assert browser.get("/new?kind=wish").status == 404
    assert browser.get("/new?kind=idea&project=driftwood").status == 409


def test_an_atom_is_previewed_and_created_exactly_so(browser: Browser, sample: Place) -> None:
    fields = read_form(browser.get("/new?kind=knowledge&project=driftwood"))
    assert "## Statement" in fields["text"]
    typed = {"summary": "Bearings <b>hum</b>", "tags": "sound, bearing"}
    fields |= {**typed, "field-evidence": "EXP-006"}
    head = sample.git("rev-parse", "HEAD")
    page = browser.post("/new", **fields, step="preview")
    assert (page.status, sample.git("rev-parse", "HEAD")) == (200, head)
    assert "Create exactly this" in page.main()
    page = browser.post("/new", **read_form(page, 1), step="apply")
    assert "Bearings <b>hum</b>" in page.main()
    path = sample.git("diff", "--name-only", "HEAD~1", "--", "projects/driftwood/knowledge/K-*")
    text = sample.read(path.strip())
    assert "tags: [sound, bearing]" in text
    assert "evidence: [EXP-006]" in text
    assert ": Bearings <b>hum</b>\n\n## Statement" in text


def test_an_atom_created_meanwhile_takes_the_id_that_was_shown(
    browser: Browser, sample: Place
) -> None:
    fields = read_form(browser.get("/new?kind=experiment&project=driftwood"))
    page = browser.post("/new", **{**fields, "summary": "Mine"}, step="preview")
    sample.ok("new", "experiment", "-p", "driftwood", "-s", "Theirs")
    page = browser.post("/new", **read_form(page, 1), step="apply")
    assert page.status == 409
    assert "this is no longer the change that was shown" in page.main()
    page = browser.post("/new", **read_form(page, 1), step="apply")
    assert page.status == 200
    assert "Mine" in page.main()


def test_what_is_refused_stays_typed_and_findings_follow_the_text(
    browser: Browser, sample: Place
) -> None:
    head = sample.git("rev-parse", "HEAD")
    fields = read_form(browser.get("/new?kind=decision"))
    fields |= {"summary": "Times in UTC"}
    page = browser.post("/new", **fields, step="apply")
    assert page.status == 409
    assert "at least two alternatives" in page.main()
    assert page.by_id("new-summary").get("value") == "Times in UTC"
    assert "Not complete yet" in browser.post("/new/check", **fields).text
    fields |= {"text": f"# A\n{CHOICES}\nSee driftwood/EXP-999.\n"}
    assert "driftwood/EXP-999" in browser.post("/new/check", **fields).text
    refused = browser.post("/new", **{**fields, "field-links": "EXP-999"}, step="apply")
    assert refused.status == 404
    assert sample.git("rev-parse", "HEAD") == head


def test_decisions_are_written_accepted_superseded_and_rejected_where_they_are_listed(
    browser: Browser, sample: Place
) -> None:
    for summary in ("Times in UTC", "Times as numbers", "No times"):
        fields = read_form(browser.get("/new?kind=decision"))
        browser.post("/new", **{**fields, "summary": summary, "text": CHOICES}, step="apply")
    for ref, change in (
        ("DR-0004", "accepted"),
        ("DR-0006", "rejected"),
        ("DR-0004", "superseded"),
    ):
        forms = browser.get(f"/decisions?chosen={ref}").find_all("form")
        own = [each for each in forms if each.get("action") == f"/atom/{ref}"]
        values = [{e.get("name"): e.get("value") for e in form.iter()} for form in own]
        assert change in {each["change"] for each in values}
        cause = {"cause": "DR-0005"} if change == "superseded" else {}
        page = browser.post(
            f"/atom/{ref}", change=change, **cause, step="preview", back="/decisions"
        )
        assert "Nothing is written yet" in page.main()
        browser.post(f"/atom/{ref}", change=change, **cause, step="apply", back="/decisions")
    found = {line.split()[0]: line for line in sample.ok("decision", "list").splitlines()}
    assert "superseded:DR-0005" in found["DR-0004"]
    assert "accepted" in found["DR-0005"]
    assert "rejected" in found["DR-0006"]
    assert "Accept…" in browser.get("/atom/DR-0006").main()
    assert "Reject…" not in browser.get("/atom/DR-0006").main()
