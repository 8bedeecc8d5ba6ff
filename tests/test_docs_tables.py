"""The tables of the pages say what the tables of the code say.

Two are made from the code; `pytest --accept` writes them.
"""

from __future__ import annotations

import ast
import json
import re
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from pages import REPOSITORY, page, rows, section, words
from test_architecture import BELOW, MODULES

from cortexfs.core.access.access_log import AccessEvent, format_log_line
from cortexfs.core.atoms.kinds import BUILT_IN, REQUIRED_FIELDS
from cortexfs.core.atoms.lifecycle import (
    DECISION_STATUS_SECTIONS,
    DECISION_TRANSITIONS,
    ENTITY_STATUS_SECTIONS,
    IDEA_STATUS_SECTIONS,
    SESSION_STATUS_SECTIONS,
    STATUS_SECTIONS,
)
from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS as LONGEST_SUMMARY
from cortexfs.core.checks.finding_codes import FINDING_CODES
from cortexfs.core.checks.fixes import FIXABLE_CODES
from cortexfs.core.checks.size_limits import DEFAULT_CAPS, Cap
from cortexfs.core.checks.unreadable_file_codes import UNREADABLE_FILE_CODES
from cortexfs.core.frontmatter.atom_text import MAX_BYTES
from cortexfs.core.frontmatter.yaml_reader import MAX_DEPTH, MAX_KEYS
from cortexfs.core.indexes.atom_with_reads import COLD_DAYS, HOT_READ_COUNT
from cortexfs.core.indexes.index_row import MAX_SHOWN_TAGS, SUMMARY_CELL_CHARS
from cortexfs.core.indexes.render_index import MAX_LISTED_IDS
from cortexfs.core.settings.brief_settings import _KEYS as BRIEF_KEYS
from cortexfs.core.settings.daemon_settings import _KEYS as DAEMON_KEYS
from cortexfs.core.settings.maintenance_settings import _KEYS as MAINTENANCE_KEYS
from cortexfs.core.settings.pattern_settings import _RANGES as PATTERN_KEYS
from cortexfs.core.settings.settings_file import _SECTIONS, parse_settings
from cortexfs.core.settings.supervision_settings import _RANGES as SUPERVISION_KEYS
from cortexfs.core.tasks.task_fields import TASK_KEYS
from cortexfs.errors import CortexError
from cortexfs.interfaces.cli import app as cli
from cortexfs.tree.atomic_files import MAX_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.atoms.kind import Kind

PACKAGE = REPOSITORY / "cortexfs"
CODE_AT = {"Flaw": 0, "flaw": 0, "Finding": 1, "DisallowedYaml": 0, "flaw_at": 2}
"""Where a finding's code stands among the arguments."""


def findings_table() -> str:
    lines = ["| code | severity | means | what to do | |", "|---|---|---|---|---|"]
    for code, says in FINDING_CODES.items():
        fix = "fix" if code in FIXABLE_CODES else ""
        lines.append(f"| `{code}` | {says.severity} | {says.description} | {says.hint} | {fix} |")
    return "".join(f"{line}\n" for line in lines)


def packages_table() -> str:
    known = [package for package in BELOW if not package.startswith("_")]
    lines = ["| package | may import |", "|---|---|"]
    for package in known:
        below = ", ".join(f"`{other}`" for other in known if other in BELOW[package])
        lines.append(f"| `{package}` | {below or 'nothing of ours'} |")
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("name", "mark", "made"),
    [
        ("docs/findings.md", "findings", findings_table),
        ("ARCHITECTURE.md", "packages", packages_table),
    ],
)
def test_a_table_matches_the_code(
    name: str, mark: str, made: Callable[[], str], request: pytest.FixtureRequest
) -> None:
    text = page(name)
    head, begin, rest = text.partition(f"<!-- {mark}:begin -->\n")
    wanted = f"{head}{begin}{made()}{rest[rest.index(f'<!-- {mark}:end -->') :]}"
    if request.config.getoption("--accept"):
        (REPOSITORY / name).write_text(wanted)
    else:
        assert text == wanted, "`pytest --accept tests/test_docs_tables.py` writes the table"


def codes_used() -> set[str]:
    """Name every code of which a module makes a flaw or a finding."""
    used: set[str] = set()
    makes = re.compile("|".join(("yield", *CODE_AT)))
    for source in (text for text in (each.read_text() for each in MODULES) if makes.search(text)):
        for node in ast.walk(ast.parse(source)):
            said: ast.expr | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = CODE_AT.get(node.func.id, len(node.args))
                said = node.args[place] if place < len(node.args) else None
            elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                code, *place_and_message = node.value.elts
                said = code if len(place_and_message) == 2 else None
            if isinstance(said, ast.Constant) and isinstance(said.value, str):
                used.add(said.value)
    return used


def test_the_table_lists_exactly_the_finding_codes_of_the_code() -> None:
    assert codes_used() == set(FINDING_CODES)


def test_the_findings_page_says_which_codes_make_a_file_unreadable() -> None:
    codes = [words(cells[0])[0] for cells in rows(page("docs/findings.md"))]
    last = words(page("docs/findings.md").partition("<!-- findings:end -->")[2])[0]
    assert set(codes[: codes.index(last) + 1]) == UNREADABLE_FILE_CODES.keys()


def test_every_exit_code_is_documented() -> None:
    said = {cells[0] for cells in rows(section(page("docs/commands.md"), "## For all commands"))}
    ours = {cli.EXIT_USAGE, cli.EXIT_BUG, cli.EXIT_INTERRUPTED, *(r.exit_code for r in refusals())}
    assert {str(code) for code in ours | {0, 1}} == {word for word in said if word.isdigit()}


def test_every_error_kind_is_documented_with_its_exit_code() -> None:
    table = rows(section(page("docs/json.md"), "## A refusal"))
    said = {words(cells[0])[0]: int(cells[2]) for cells in table}
    raised = {kind: refusal.exit_code for refusal in refusals() if (kind := kind_of(refusal))}
    raised.pop("conflict")  # its children are raised
    assert said == raised | {"system": 3, "usage": cli.EXIT_USAGE}


def refusals() -> list[type[CortexError]]:
    for module in MODULES:
        if module.name != "__main__.py":
            import_module(".".join(module.relative_to(REPOSITORY).with_suffix("").parts))
    found: list[type[CortexError]] = []
    pending = CortexError.__subclasses__()
    while pending:
        found.append(refusal := pending.pop())
        pending += refusal.__subclasses__()
    return found


def kind_of(refusal: type[CortexError]) -> str:
    return refusal.__new__(refusal).kind


@pytest.mark.parametrize("row", BUILT_IN, ids=lambda row: row.name)
def test_the_format_describes_each_kind_as_the_code_does(row: Kind) -> None:
    said = {cells[0]: cells[1:] for cells in rows(section(page("docs/format.md"), "### Kinds"))}
    ident, folder, scopes, required, sections = said[row.name]
    assert all(row.id_pattern.fullmatch(example) for example in words(ident))
    assert bool(row.has_letter_suffix) == ident.endswith("a`")
    assert words(folder) == [f"{row.folder}/"]
    assert set(scopes.split(", ")) == set(row.scopes)
    assert tuple(words(required)) == row.required_fields
    assert tuple(filter(None, sections.split(", "))) == row.sections


def test_the_format_describes_each_status_as_the_code_does() -> None:
    table = rows(section(page("docs/format.md"), "### Status"))
    said = {word: cells[1] for cells in table for word in words(cells[0])}
    known = {
        **STATUS_SECTIONS,
        **DECISION_STATUS_SECTIONS,
        **IDEA_STATUS_SECTIONS,
        **SESSION_STATUS_SECTIONS,
        **ENTITY_STATUS_SECTIONS,
    }
    assert said.keys() == known.keys()
    assert [word for word, where in known.items() if not said[word].startswith(where)] == []
    assert {
        word for word in said if "decisions only" in said[word]
    } == DECISION_STATUS_SECTIONS.keys()
    assert {word for word in said if "ideas only" in said[word]} == IDEA_STATUS_SECTIONS.keys()
    assert {
        word for word in said if "sessions only" in said[word]
    } == SESSION_STATUS_SECTIONS.keys()
    assert {word for word in said if "entities only" in said[word]} == ENTITY_STATUS_SECTIONS.keys()


def test_the_format_lists_the_transitions_of_a_decision() -> None:
    table = rows(section(page("docs/format.md"), "### Decisions"))
    assert {words(now)[0]: tuple(words(then)) for now, then, _ in table} == DECISION_TRANSITIONS


def test_the_format_gives_the_limits_of_the_code() -> None:
    file = f"at most {MAX_FILE_BYTES >> 20} MiB, its frontmatter at most {MAX_BYTES >> 10} KiB, "
    limits = (
        f"{file}{MAX_KEYS} keys, and {MAX_DEPTH} levels",
        f"at most {LONGEST_SUMMARY} characters",
        f"hot ({HOT_READ_COUNT} refs or more) and cold (no refs, older than {COLD_DAYS} days)",
        f"A summary over {SUMMARY_CELL_CHARS} characters",
    )
    text = " ".join(page("docs/format.md").split())
    assert [limit for limit in limits if limit not in text] == []
    assert (MAX_SHOWN_TAGS, MAX_LISTED_IDS) == (4, 10)
    assert [said for said in ("four tags", "ten ids at most") if said not in text] == []


def test_the_format_names_every_field_that_all_atoms_must_have() -> None:
    said = rows(section(page("docs/format.md"), "### Fields"))
    assert tuple(words(cells[0])[0] for cells in said if "required" in cells[2]) == REQUIRED_FIELDS


def test_the_format_gives_each_governance_file_its_cap() -> None:
    said = {words(cells[0])[0]: cells[2] for cells in rows(_governance())}
    sizes = {name: re.findall(r"(\d+) (lines|bytes)", cap) for name, cap in said.items() if cap}
    assert {
        name: Cap(**{of: int(n) for n, of in size}) for name, size in sizes.items()
    } == DEFAULT_CAPS


@pytest.mark.parametrize("name", ["mission.md", "roadmap.md", "STATUS.md"])
def test_a_governance_file_starts_as_the_format_says(name: str) -> None:
    (holds,) = (cells[1] for cells in rows(_governance()) if words(cells[0]) == [name])
    begun = page(f"templates/project/{name}")
    parts = {
        "checklist": "- [ ]",
        "`## Phase`": "## Phase",
        "`### Milestone`": "### Milestone",
        "`Updated: ": "Updated: ",
    }
    wanted = {text for word, text in parts.items() if word in holds}
    wanted |= set(re.findall(r"(?:^|, |; )([A-Z][a-z]+(?: [a-z]+)*)", holds))
    assert [text for text in wanted if text not in begun] == []


def _governance() -> str:
    return section(page("docs/format.md"), "## Governance files")


def test_the_format_lists_the_keys_of_a_task_in_order() -> None:
    text = section(page("docs/format.md"), "## TASKS.yaml")
    shown = re.findall(r"^  (?:- |  )([a-z-]+): ", text.partition("```yaml")[2], re.MULTILINE)
    assert (*shown, *(word for cells in rows(text) for word in words(cells[0]))) == TASK_KEYS


def test_the_format_shows_each_setting_in_order() -> None:
    block = section(page("docs/format.md"), "## Settings").split("```yaml\n")[1].split("```")[0]
    assert parse_settings(block).flaws == ()
    assert re.findall(r"^([a-z]+):", block, re.MULTILINE) == list(_SECTIONS) == sorted(_SECTIONS)
    shown = re.findall(r"^  ([a-z-]+):", block, re.MULTILINE)
    keys = [BRIEF_KEYS, DAEMON_KEYS.values(), MAINTENANCE_KEYS, PATTERN_KEYS, SUPERVISION_KEYS]
    assert {key for known in keys for key in known} - set(shown) == set()


def test_the_format_lists_the_keys_of_an_access_event_in_order() -> None:
    table = rows(section(page("docs/format.md"), "## The access log"))
    whole = AccessEvent("p", "EXP-001.md", "Read", "t", "session", "agent", "note")
    assert [word for cells in table for word in words(cells[0])] == list(
        json.loads(format_log_line(whole))
    )


def test_each_glossary_word_has_one_meaning() -> None:
    said = [cells[0] for cells in rows(page("docs/glossary.md"))]
    assert said == list(dict.fromkeys(said))
    assert all(said)
