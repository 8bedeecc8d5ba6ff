"""Names that mean something in an address: each link and each form leads to what it names."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

import pytest
from panel_browser import Browser, Page, open_browser, pick_address_shapes
from place import build_sample
from running_server import run_server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree

NAME = "a 50% #1?&ü"
FOLDER = f"projects/{NAME}"
QUOTED = quote(NAME)
DECISION = "decisions/0003-blocks-of-128-bit-packed.md"
TASKS = "tasks:\n- id: ab12\n  text: Weigh it\n  priority: high\n  status: open\n"
PAGES = (
    f"/projects/{QUOTED}",
    f"/projects/{QUOTED}/score",
    f"/atom/{QUOTED}/K-002",
    f"/edit/{QUOTED}/K-002",
    f"/files/projects/{QUOTED}/STATUS.md",
    f"/files/projects/{QUOTED}/TASKS.yaml",
    f"/all?project={quote(NAME, safe='')}",
    f"/tasks?project={quote(NAME, safe='')}",
    f"/decisions?project={quote(NAME, safe='')}",
    f"/findings?project={quote(NAME, safe='')}",
    f"/graph?project={quote(NAME, safe='')}",
    f"/new?kind=experiment&project={quote(NAME, safe='')}",
    f"/entities?name={quote('src/odd #1?.py', safe='')}",
    "/projects",
    "/",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("odd") / "tree", build_sample)
    for path in ("knowledge/K-002.md", "STATUS.md", DECISION):
        place.write(f"{FOLDER}/{path}", place.read(f"projects/driftwood/{path}"))
    place.write(f"{FOLDER}/TASKS.yaml", TASKS)
    place.git("add", "-A")
    place.git("commit", "-qm", "odd names")
    place.run("check", "--fix")  # so that no finding names a file that is missing
    with run_server_of(place) as running:
        yield open_browser(running)


def list_odd_addresses(page: Page, path: str) -> set[str]:
    """Return the addresses of a page's links and forms that name the project."""
    found = {each.get("href") for each in page.find_all("a")}
    forms = [each for each in page.find_all("form") if each.get("method") != "post"]
    found |= {each.get("action") for each in forms}
    found |= {each.get("data-load") for each in page.find_all("div")}
    found |= {each.get("data-graph") for each in page.find_all("div")}
    whole = {urljoin(path, each) for each in found if each and not each.startswith("#")}
    return {each for each in whole if "50%25" in each}


def test_each_link_to_a_project_with_an_odd_name_leads_to_it(browser: Browser, soak: bool) -> None:
    seen: set[str] = set()
    for path in PAGES:
        page = browser.get(path)
        assert page.status == 200, path
        names = [each.get("id") for each in page.root.iter() if each.get("id")]
        assert not [name for name in names if any(map(str.isspace, name))], path
        seen |= list_odd_addresses(page, path)
    assert len(seen) > 20
    tried = sorted(seen if soak else pick_address_shapes(seen))
    wrong = {each: browser.get(each.partition("#")[0]).status for each in tried}
    assert {each: status for each, status in wrong.items() if status not in {200, 303}} == {}


def test_a_preview_of_an_odd_name_is_confirmed_by_its_form(browser: Browser) -> None:
    for path, fields in (
        (f"/atom/{QUOTED}/K-002", {"change": "stale"}),
        ("/tasks/change", {"ref": f"{NAME}/ab12", "do": "pause"}),
    ):
        page = browser.post(path, step="preview", **fields)
        (form,) = [e for e in page.find_all("form") if "Apply" in "".join(e.itertext())]
        assert form.get("action") == path
        sent = {e.get("name"): e.get("value") for e in form.iter() if e.tag == "input"}
        page = browser.post(path, **{**sent, "step": "apply"})
        assert page.status == 200, page.main()
    assert "50% #1?&ü/ab12" not in browser.get("/findings?severity=error").main()
