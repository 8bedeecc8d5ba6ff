"""`edit`: an atom changed by hand or by options, checked before it is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak
from terminal import DONE, take_kept_text, talk

if TYPE_CHECKING:
    from place import Place

ATOM = "projects/driftwood/experiments/EXP-012.md"
INDEX = "projects/driftwood/experiments/index.md"
ACCEPTED = "projects/driftwood/decisions/0002-residuals-are-varints.md"
TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD")


def _subject(place: Place) -> str:
    return place.git("log", "-1", "--format=%s").strip()


def test_an_edited_summary_and_its_index_are_one_commit(sample: Place) -> None:
    editor = "sed -i 's/^summary: .*/summary: Blocks of many sizes/'"
    done = talk(sample, "edit", "driftwood/EXP-012", EDITOR=editor)
    assert done.code == 0, done
    assert _subject(sample) == "edit driftwood/EXP-012: summary"
    assert "Blocks of many sizes" in sample.read(INDEX)
    assert sample.git("status", "--porcelain") == ""
    assert sample.git("rev-list", "--count", "HEAD").strip() == "2"


def test_the_editor_shows_the_name_of_the_atom(sample: Place) -> None:
    done = talk(sample, "edit", "driftwood/EXP-012", EDITOR="sh -c 'basename $1; exit 1' x")
    assert "EXP-012.md" in done.output


@pytest.mark.parametrize("editor", ["true", "false", "sh -c 'exit 3' x"])
def test_a_cancelled_or_unchanged_edit_changes_nothing(sample: Place, editor: str) -> None:
    head, before = _head(sample), sample.read(ATOM)
    done = talk(sample, "edit", "driftwood/EXP-012", EDITOR=editor)
    assert done.code == (0 if editor == "true" else 3)
    assert (_head(sample), sample.read(ATOM)) == (head, before)
    assert "kept" not in done.output


def test_a_broken_edit_is_shown_with_its_line_and_can_be_fixed(sample: Place) -> None:
    first = "grep -q broken $1 && sed -i 's/^summary: .*/summary: Mended/' $1"
    editor = f"sh -c \"{first} || sed -i 's/^summary: .*/summary: a: broken/' $1\" x"
    done = talk(sample, "edit", "driftwood/EXP-012", answers="\n", EDITOR=editor)
    assert done.code == 0, done
    assert "error: line 5: bad-yaml: " in done.output
    assert "hint: " in done.output
    assert "edit again? [Y/n]" in done.output
    assert _subject(sample) == "edit driftwood/EXP-012: summary"


@pytest.mark.parametrize("answer", ["n\n", DONE])
def test_the_text_of_an_abandoned_broken_edit_is_kept(sample: Place, answer: str) -> None:
    before = sample.read(ATOM)
    editor = "sed -i '$ a See EXP-999.'"
    done = talk(sample, "edit", "driftwood/EXP-012", answers=answer, EDITOR=editor)
    assert done.code == 3
    assert "dangling-ref: no atom named `EXP-999`" in done.output
    assert take_kept_text(done.output) == f"{before}See EXP-999.\n"
    assert sample.read(ATOM) == before


def test_a_file_changed_during_the_edit_is_untouched_and_the_text_is_kept(sample: Place) -> None:
    editor = f"sh -c 'echo theirs >> {sample.root / ATOM}; echo mine >> $1' x"
    done = talk(sample, "edit", "driftwood/EXP-012", EDITOR=editor)
    assert done.code == 4
    assert sample.read(ATOM).endswith("theirs\n")
    assert take_kept_text(done.output).endswith("mine\n")


def test_an_unreadable_atom_can_be_edited(sample: Place) -> None:
    broken = sample.read(ATOM).replace("summary: ", "summary: a: ", 1)
    sample.write(ATOM, broken)
    editor = "sed -i 's/^summary: .*/summary: Whole again/'"
    assert talk(sample, "edit", "driftwood/EXP-012", EDITOR=editor).code == 0
    assert _subject(sample) == "edit driftwood/EXP-012: frontmatter"


def test_without_a_terminal_the_error_names_the_options(sample: Place) -> None:
    ran = sample.run("edit", "driftwood/EXP-012", EDITOR="true")
    assert (ran.code, ran.out) == (3, "")
    assert all(option in ran.err for option in ("--body-file", "--set", "--summary", "--tag"))


def test_options_change_fields_and_no_other_byte(sample: Place) -> None:
    before = sample.read(ATOM)
    words = ("-s", "New words", "--set", "tags=a,b,c", "--set", "links=EXP-001, EXP-002")
    sample.ok("edit", "driftwood/EXP-012", *words, "--set", "cost=3 h")
    after = sample.read(ATOM)
    kept_lines = [line for line in before.splitlines() if line in after.splitlines()]
    assert 'summary: "New words"\n' in after
    assert "tags: [a, b, c]\n" in after
    assert "links: [EXP-001, EXP-002]\n" in after
    assert 'cost: "3 h"\n' in after or "cost: 3 h\n" in after
    assert len(before.splitlines()) - len(kept_lines) <= 3
    sample.ok("edit", "driftwood/EXP-012", "--set", "cost=")
    assert "cost:" not in sample.read(ATOM)


def test_tags_are_added_and_removed_and_the_commit_names_what_changed(sample: Place) -> None:
    sample.ok("edit", "driftwood/EXP-012", "--set", "tags=a,b")
    sample.ok("edit", "driftwood/EXP-012", "-t", "c", "-t", "a,d", "--remove-tag", "b")
    assert "tags: [a, c, d]\n" in sample.read(ATOM)
    assert _subject(sample) == "edit driftwood/EXP-012: tags"
    assert "nothing to change" in sample.ok("edit", "driftwood/EXP-012", "-t", "a")
    body = sample.read(ATOM).rpartition("---\n")[2]
    words = ("-s", "New", "--set", "cost=3 h", "--body-file", "-")
    assert sample.run("edit", "driftwood/EXP-012", *words, feed=f"Short.\n{body}").code == 0
    assert _subject(sample) == "edit driftwood/EXP-012: summary, cost, body"


def test_a_body_file_replaces_the_body_and_a_whole_file_the_atom(sample: Place) -> None:
    front, fence, body = sample.read(ATOM).rpartition("---\n")
    ran = sample.run("edit", "driftwood/EXP-012", "--body-file", "-", feed=f"Short.\n{body}")
    assert ran.code == 0, ran
    assert sample.read(ATOM) == f"{front}{fence}Short.\n{body}"
    whole = f"{front}{fence}{body}"
    assert sample.run("edit", "driftwood/EXP-012", "--body-file", "-", feed=whole).code == 0
    assert sample.read(ATOM) == whole


@pytest.mark.parametrize(
    ("words", "hint"),
    leave_rows_to_soak(
        [
            (("--set", "id=EXP-099"), "cortexfs rename"),
            (("--set", "project=lighthouse"), "cortexfs move"),
            (("--set", "status=stale"), "cortexfs mark"),
            (("--set", "links=EXP-999"), "correct the ref"),
            (("-s", "x" * 301), "shorten the summary"),
            (("-s", f"token {TOKEN}"), ""),
        ],
        every=3,
    ),
)
def test_an_invalid_edit_is_refused(sample: Place, words: tuple[str, ...], hint: str) -> None:
    head, before = _head(sample), sample.read(ATOM)
    for dry_run in ((), ("--dry-run",)):
        ran = sample.run("edit", "driftwood/EXP-012", *words, *dry_run)
        assert ran.code == 3
        assert hint in ran.err
    assert (_head(sample), sample.read(ATOM)) == (head, before)


def test_an_accepted_decision_keeps_its_text_and_may_change_its_links(sample: Place) -> None:
    before = sample.read(ACCEPTED)
    ran = sample.run("edit", ACCEPTED, "-s", "Something else")
    assert (ran.code, "decision supersede" in ran.err) == (3, True)
    body = before.rpartition("---\n")[2]
    ran = sample.run("edit", ACCEPTED, "--body-file", "-", feed=f"{body}More.\n")
    assert (ran.code, sample.read(ACCEPTED)) == (3, before)
    sample.ok("edit", ACCEPTED, "-t", "codec")


def test_a_dry_run_shows_the_difference_and_touches_nothing(sample: Place) -> None:
    head, before = _head(sample), sample.read(ATOM)
    assert '+summary: "New"\n' in sample.ok("edit", "driftwood/EXP-012", "-s", "New", "--dry-run")
    assert (_head(sample), sample.read(ATOM)) == (head, before)


def test_without_a_commit_the_edit_is_not_committed(sample: Place) -> None:
    head = _head(sample)
    sample.ok("edit", "driftwood/EXP-012", "-s", "New", "--no-commit")
    assert _head(sample) == head
    assert ATOM in sample.git("status", "--porcelain")


def test_the_json_document_names_the_edited_fields(sample: Place) -> None:
    document = json.loads(sample.ok("edit", "driftwood/EXP-012", "-s", "New", "--json"))
    assert document["edited"] == {"ref": "driftwood/EXP-012", "path": ATOM, "changed": True}
    assert document["commit"] == _head(sample).strip()
    again = json.loads(sample.ok("edit", "driftwood/EXP-012", "-s", "New", "--json"))
    assert (again["edited"]["changed"], "commit" in again) == (False, False)


def test_open_prints_the_path_without_a_desktop(sample: Place) -> None:
    for words in ((), ("--print",)):
        output = sample.ok("open", "driftwood/EXP-012", *words, DISPLAY="", WAYLAND_DISPLAY="")
        assert output == f"{sample.root / ATOM}\n"


def test_open_gives_the_file_to_the_desktop(sample: Place) -> None:
    tools, seen = sample.root.parent / "tools", sample.root.parent / "seen"
    tools.mkdir()
    for name in ("xdg-open", "open"):
        (tools / name).write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
        (tools / name).chmod(0o755)
    path = f"{tools}:/usr/bin:/bin"
    output = sample.ok("open", "driftwood/EXP-012", DISPLAY=":0", PATH=path)
    assert (output, seen.read_text()) == ("", f"{sample.root / ATOM}\n")
    (tools / "xdg-open").write_text("#!/bin/sh\nexit 3\n")
    (tools / "open").write_text("#!/bin/sh\nexit 3\n")
    ran = sample.run("open", "driftwood/EXP-012", DISPLAY=":0", PATH=path)
    assert (ran.code, f"the file is {sample.root / ATOM}" in ran.err) == (3, True)
