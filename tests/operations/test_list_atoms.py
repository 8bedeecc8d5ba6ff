"""`list` selects atoms by their frontmatter and their refs."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import oracle
import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from collections.abc import Callable

    from place import Place

Atom = dict[str, Any]


def _list(place: Place, *words: str) -> list[Atom]:
    ran = place.run("list", "--json", *words)
    atoms = json.loads(ran.out)["atoms"]
    assert ran.code == (0 if atoms else 1)
    return atoms


def _read_files(place: Place) -> list[Atom]:
    """Read every atom of the projects without cortexfs."""
    found = []
    for folder in sorted(place.root.glob("projects/*/*")):
        if folder.name in {"experiments", "knowledge", "patterns", "observations"}:
            where = folder.relative_to(place.root).as_posix()
            for atom in oracle.atoms_of(place.root, where):
                fields = oracle.fields_of(folder / atom.name)
                tags = fields.get("tags", [])
                split = [tag.strip() for tag in tags.split(",")] if isinstance(tags, str) else tags
                found.append(
                    {
                        "path": f"{where}/{atom.name}",
                        "project": folder.parent.name,
                        "folder": folder.name,
                        "refs": atom.seen.refs,
                        "last-ref": atom.seen.last,
                        "date": fields.get("date", ""),
                        "status": atom.status or "active",
                        "tags": split,
                    }
                )
    return found


OLD = (datetime.now(UTC) - timedelta(days=14)).date().isoformat()
CHOICES: dict[str, tuple[tuple[str, ...], Callable[[Atom], bool]]] = {
    "kind": (("experiment",), lambda a: a["folder"] == "experiments"),
    "project": (("--project", "driftwood"), lambda a: a["project"] == "driftwood"),
    "status": (("--status", "superseded"), lambda a: a["status"] == "superseded"),
    "tag": (("--tag", "Residuals"), lambda a: "residuals" in a["tags"]),
    "two tags": (
        ("--tag", "residuals,bit-packing"),
        lambda a: {"residuals", "bit-packing"} <= set(a["tags"]),
    ),
    "one of two": (
        ("-p", "driftwood,greenhouse", "--status", "valid", "--status", "active"),
        lambda a: (
            a["project"] in {"driftwood", "greenhouse"} and a["status"] in {"valid", "active"}
        ),
    ),
    "until": (("--until", "2026-02"), lambda a: a["date"] < "2026-03-01"),
    "since": (("--since", "2026-03-01"), lambda a: a["date"] >= "2026-03-01"),
    "hot": (
        ("--hot",),
        lambda a: a["refs"] >= 5 and oracle.section(a["status"]) == oracle.ACTIVE,
    ),
    "cold": (
        ("--cold",),
        lambda a: (
            not a["refs"] and a["date"] < OLD and oracle.section(a["status"]) == oracle.ACTIVE
        ),
    ),
    "several": (
        ("knowledge", "--project", "driftwood", "--status", "valid"),
        lambda a: (a["folder"], a["project"], a["status"]) == ("knowledge", "driftwood", "valid"),
    ),
}


@pytest.mark.parametrize("choice", leave_to_soak(CHOICES, every=3))
def test_each_filter_agrees_with_the_files(sample: Place, choice: str) -> None:
    words, fits = CHOICES[choice]
    wanted = {atom["path"] for atom in _read_files(sample) if fits(atom)}
    found = {atom["path"] for atom in _list(sample, *words)}
    assert wanted
    assert {path for path in found if path.startswith("projects/")} - _decisions(found) == wanted


def _decisions(paths: set[str]) -> set[str]:
    return {path for path in paths if "/decisions/" in path}


def test_each_row_agrees_with_the_frontmatter_and_the_refs(sample: Place) -> None:
    truth = {atom["path"]: atom for atom in _read_files(sample)}
    for atom in _list(sample):
        assert None not in atom.values()
        if known := truth.get(atom["path"]):
            fields = oracle.fields_of(sample.root / atom["path"])
            assert atom["refs"] == known["refs"]
            assert atom.get("last-ref", "") == known["last-ref"]
            assert atom["status"].partition(":")[0] == known["status"]
            assert atom["ref"] == f"{known['project']}/{fields['id']}"
            for key in fields.keys() - {"refs", "last-ref", "status", "tags"}:
                assert not fields[key] or atom[key] == fields[key], key


def test_the_order_is_refs_then_date_then_number(sample: Place) -> None:
    for one, other in pairwise(_list(sample, "--project", "driftwood")):
        assert one["refs"] >= other["refs"]
        if one["refs"] == other["refs"]:
            assert one["date"] >= other["date"]


def test_no_match_exits_with_1(sample: Place) -> None:
    ran = sample.run("list", "--since", "9999")
    assert (ran.code, ran.out) == (1, "")


def test_in_a_pipe_columns_are_separated_by_tabs(sample: Place) -> None:
    rows = [line.split("\t") for line in sample.ok("list").splitlines()]
    assert {len(row) for row in rows} == {5}
    assert [row[0] for row in rows] == [atom["ref"] for atom in _list(sample)]


SORTS: dict[str, Callable[[Atom], object]] = {
    "date": lambda atom: [-int(part) for part in atom["date"].split("-")],
    "title": lambda atom: atom["summary"].casefold(),
    "id": lambda atom: (atom["ref"].rpartition("/")[0], *_split_id(atom["id"])),
    "reads": lambda atom: -atom["refs"],
}


def _split_id(ident: str) -> tuple[str, int]:
    prefix, _, number = ident.partition("-")
    return prefix, int("".join(char for char in number if char.isdigit()))


@pytest.mark.parametrize("sort", leave_to_soak(SORTS, every=2))
def test_a_minus_reverses_the_sort_order(sample: Place, sort: str) -> None:
    atoms = _list(sample, "--sort", sort)
    keys = [SORTS[sort](atom) for atom in atoms]
    assert keys == sorted(keys)
    assert len({str(key) for key in keys}) > 5
    assert _list(sample, "--sort", f"-{sort}") == atoms[::-1]
    assert _list(sample, "--sort", sort, "--reverse") == atoms[::-1]
    assert _list(sample, "--sort", f"-{sort}", "--reverse") == atoms


def test_a_limit_shows_the_first_rows(sample: Place) -> None:
    assert _list(sample, "-n", "3") == _list(sample)[:3]
    assert sample.run("list", "-n", "0").code == 2


def test_memories_of_one_day_are_listed_by_their_time(sample: Place) -> None:
    head = "---\nid: OBS-{n}\ndate: 2027-01-01\nproject: driftwood\nsummary: s\ntags: []\ntype: x\n"
    for number, time in ((901, "08:00:00"), (902, "23:59:59"), (903, "08:00:01")):
        text = head.format(n=number) + f'created: "2027-01-01T{time}Z"\n---\n'
        sample.write(f"projects/driftwood/observations/OBS-{number}.md", text)
    listed = [atom["id"] for atom in _list(sample, "observation", "--sort", "date")]
    assert listed == ["OBS-902", "OBS-903", "OBS-901"]


def test_a_kind_that_is_named_twice_is_listed_once(sample: Place) -> None:
    kinds = ["--kind", "decision", "--kind", "pattern"]
    ids = [atom["path"] for atom in _list(sample, *kinds, *kinds)]
    assert sorted(ids) == sorted({*ids})
    assert {path.split("/")[-2] for path in ids} == {"decisions", "patterns"}
