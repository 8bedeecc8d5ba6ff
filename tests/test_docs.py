"""What the pages say is what the code does: commands, options, codes, words, links.

Two tables are made from the code; `pytest --accept` writes them.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_architecture import BELOW
from typer.core import TyperGroup
from typer.main import get_command

from cortexfs.core.codec import MAX_BYTES
from cortexfs.core.entry import COLD_DAYS, HOT
from cortexfs.core.findings import CODES
from cortexfs.core.gate import MAX_DEPTH, MAX_KEYS
from cortexfs.core.index import LISTED, SUMMARY, TAGS
from cortexfs.core.kinds import ALWAYS, BUILT_IN, Kind
from cortexfs.core.lifecycle import OF_DECISIONS, SECTIONS
from cortexfs.core.reading import SUMMARY as LONGEST_SUMMARY
from cortexfs.errors import CortexError
from cortexfs.faces.cli import app as cli
from cortexfs.tree.files import LARGEST
from cortexfs.verbs.check import FIXABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Place
    from typer._click import Command

REPOSITORY = Path(__file__).parent.parent
PACKAGE = REPOSITORY / "cortexfs"
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
NOT_WIRED = {"cortexfs doctor": 1}
"""Examples that end otherwise than with 0 in a fresh home, as their help says."""
CODE_AT = {"Flaw": 0, "Finding": 1, "_Barred": 0, "flaw_at": 2}
"""Where the code stands among the arguments."""


def commands(command: Command, *path: str) -> Iterator[tuple[str, Command]]:
    """Give every command that does something, with its full name."""
    if isinstance(command, TyperGroup):
        context = command.make_context("cortexfs", [], resilient_parsing=True)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner, name
            yield from commands(inner, *path, name)
    else:
        yield " ".join(("cortexfs", *path)), command


ALL = dict(commands(get_command(cli.app)))
EXAMPLES = {
    name: re.findall(r"^Example: (.*)$", command.help or "", re.MULTILINE)
    for name, command in {"cortexfs": get_command(cli.app), **ALL}.items()
}


def page(name: str) -> str:
    return (REPOSITORY / name).read_text()


def section(text: str, heading: str) -> str:
    """Give what stands under a heading, down to the next of its rank or above."""
    rank = len(heading) - len(heading.lstrip("#"))
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{rank}}} |\Z)", text, re.M | re.S)  # noqa: FURB167
    assert found, f"no heading {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """Give the cells of every table row, headings aside."""
    lines = text.splitlines()
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        for before, line in zip(["", *lines], lines, strict=False)
        if line.startswith("|") and before.startswith("|") and not line.startswith(("|--", "| --"))
    ]


def words(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def name_of(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def options(command: Command) -> set[str]:
    return {
        flag
        for parameter in command.params
        for flag in (*parameter.opts, *parameter.secondary_opts)
        if flag.startswith("-") and flag != "--help"
    }


@pytest.mark.parametrize("name", ALL)
def test_every_option_of_a_command_is_explained_and_no_other(name: str) -> None:
    said = section(page("docs/commands.md"), f"## `{name}`").partition("```console")[0]
    explained = {flag for code in words(said) for flag in re.findall(r"^--?[a-z][a-z-]*", code)}
    shorts = {"-q"} - explained
    denied = {word for line in re.findall(r"It has no ([^:.]*)", said) for word in words(line)}
    denied |= set(words("".join(re.findall(r"without `--fix`", said)))) - options(ALL[name])
    assert options(ALL[name]) == (explained - denied) | (shorts & options(ALL[name]))


def test_every_option_before_the_command_is_explained() -> None:
    said = section(page("docs/commands.md"), "## For all commands")
    assert not [flag for flag in options(get_command(cli.app)) if f"`{flag}" not in said]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_list_of_commands_says_what_their_help_says(name: str) -> None:
    module = import_module(f"cortexfs.faces.cli.commands.{name}")
    first = (get_command(module.app).help or "").partition("\n")[0]
    assert first == cli.COMMANDS[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_help_ends_with_an_example_of_its_command(name: str) -> None:
    assert [example.startswith(name) for example in EXAMPLES[name]] == [True]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_a_help_works_on_the_sample(name: str, sample: Place) -> None:
    import subprocess  # noqa: PLC0415 - here only

    (sample.root / "projects/greenhouse/patterns/index.md").unlink()  # `watch` finds work
    done = subprocess.run(
        ["/bin/sh", "-c", EXAMPLES[name][0]],
        cwd=sample.root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    expected = {"cortexfs check": 1, **NOT_WIRED}.get(EXAMPLES[name][0], 0)
    assert done.returncode == expected, done


@pytest.mark.parametrize("name", [name.removeprefix("cortexfs ") for name in ALL])
def test_the_readme_names_every_command(name: str) -> None:
    listed = {
        word.removeprefix("cortexfs ") for row in rows(page("README.md")) for word in words(row[0])
    }
    assert name in listed


@pytest.mark.parametrize("name", ALL)
def test_every_command_shows_its_document(name: str) -> None:
    if "--json" in options(ALL[name]):
        assert re.search(rf"^\$ {re.escape(name)}\b.* --json", page("docs/json.md"), re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "mark", "table"),
    [
        ("docs/findings.md", "findings", lambda: findings_table()),
        ("ARCHITECTURE.md", "rooms", lambda: rooms_table()),
    ],
)
def test_tables_are_made_from_the_code(
    name: str, mark: str, table: object, request: pytest.FixtureRequest
) -> None:
    assert callable(table)
    text = page(name)
    head, begin, rest = text.partition(f"<!-- {mark}:begin -->\n")
    tail = rest[rest.index(f"<!-- {mark}:end -->") :]
    wanted = f"{head}{begin}{table()}{tail}"
    if request.config.getoption("--accept"):
        (REPOSITORY / name).write_text(wanted)
    else:
        assert text == wanted, "`pytest --accept tests/test_docs.py` writes the table"


def findings_table() -> str:
    lines = ["| code | severity | means | what mends it | |", "|---|---|---|---|---|"]
    for code, meaning in CODES.items():
        fix = "fix" if code in FIXABLE else ""
        lines.append(
            f"| `{code}` | {meaning.severity} | {meaning.meaning} | {meaning.hint} | {fix} |"
        )
    return "".join(f"{line}\n" for line in lines)


def rooms_table() -> str:
    known = [room for room in BELOW if not room.startswith("_")]
    lines = ["| room | may import |", "|---|---|"]
    for room in known:
        below = ", ".join(f"`{other}`" for other in known if other in BELOW[room])
        lines.append(f"| `{room}` | {below or 'nothing of ours'} |")
    return "".join(f"{line}\n" for line in lines)


def codes_used() -> dict[str, set[str]]:
    """Name every code that a module makes a flaw or finding of, as far as it is spelled out."""
    used: dict[str, set[str]] = {}
    for source in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            said: ast.expr | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = CODE_AT.get(node.func.id, len(node.args))
                said = node.args[place] if place < len(node.args) else None
            elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                said = node.value.elts[0]
            if isinstance(said, ast.Constant) and isinstance(said.value, str):
                used.setdefault(said.value, set()).add(str(source.relative_to(PACKAGE)))
    return used


def test_every_code_that_is_found_is_documented_and_the_other_way_round() -> None:
    assert set(codes_used()) == set(CODES)


def test_every_exit_code_is_documented() -> None:
    said = {row[0] for row in rows(section(page("docs/commands.md"), "## For all commands"))}
    ours = {cli.MISTYPED, cli.OUR_BUG, cli.INTERRUPTED, *(r.exit_code for r in refusals())}
    assert {str(code) for code in ours | {0, 1}} == {word for word in said if word.isdigit()}


def test_every_kind_of_refusal_is_documented_with_its_exit_code() -> None:
    table = {words(r[0])[0]: int(r[2]) for r in rows(section(page("docs/json.md"), "## A refusal"))}
    raised = {
        kind(r): r.exit_code for r in refusals() if not r.__subclasses__() or kind(r) == "refused"
    }
    assert table == raised | {"system": 3, "usage": cli.MISTYPED}


def refusals() -> list[type[CortexError]]:
    found: list[type[CortexError]] = []
    pending = CortexError.__subclasses__()
    while pending:
        found.append(refusal := pending.pop())
        pending += refusal.__subclasses__()
    return found


def kind(refusal: type[CortexError]) -> str:
    return refusal.kind.fget(refusal.__new__(refusal))  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("row", BUILT_IN, ids=lambda row: row.name)
def test_the_format_says_of_each_kind_what_its_row_says(row: Kind) -> None:
    said = {cells[0]: cells[1:] for cells in rows(section(page("docs/format.md"), "### Kinds"))}
    ident, folder, scopes, required, sections = said[row.name]
    assert all(row.id_form.fullmatch(example) for example in words(ident))
    assert bool(row.suffix) == ("a`" in ident)
    assert words(folder) == [f"{row.folder}/"]
    assert set(scopes.split(", ")) == row.scopes
    assert tuple(words(required)) == row.required
    assert tuple(filter(None, sections.split(", "))) == row.sections


def test_the_format_says_of_each_status_what_its_row_says() -> None:
    table = rows(section(page("docs/format.md"), "### Status"))
    said = {word: cells[1] for cells in table for word in words(cells[0])}
    known = {**SECTIONS, **OF_DECISIONS}
    assert said.keys() == known.keys()
    assert all(said[word].startswith(str(where)) for word, where in known.items())
    assert {word for word in said if "decisions only" in said[word]} == OF_DECISIONS.keys()


def test_the_format_gives_the_limits_of_the_code() -> None:
    text = " ".join(page("docs/format.md").split())
    limits = (
        f"at most {LARGEST >> 20} MiB, its frontmatter at most {MAX_BYTES >> 10} KiB, "
        f"{MAX_KEYS} keys, and {MAX_DEPTH} levels",
        f"at most {LONGEST_SUMMARY} characters",
        f"hot ({HOT} refs or more) and cold (no refs, older than {COLD_DAYS} days)",
        f"A summary over {SUMMARY} characters",
    )
    assert [limit for limit in limits if limit not in text] == []
    assert (TAGS, LISTED) == (4, 10)
    assert "four tags are shown" in text
    assert "ten ids at most" in text


def test_the_format_names_every_field_that_all_atoms_must_have() -> None:
    said = rows(section(page("docs/format.md"), "### Fields"))
    assert tuple(words(cells[0])[0] for cells in said if "required" in cells[2]) == ALWAYS


def test_a_word_of_the_glossary_means_one_thing() -> None:
    said = [cells[0] for cells in rows(page("docs/glossary.md"))]
    assert said == list(dict.fromkeys(said))
    assert not {word for word in said if not word}


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.M | re.S)  # noqa: FURB167
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        page_there = (path.parent / name).resolve() if name else path
        assert page_there.exists(), target
        assert not anchor or anchor in anchors(page_there.read_text()), target


def anchors(text: str) -> set[str]:
    """Give the anchors that a forge makes of headings."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_paths_of_this_repository_that_a_page_names_are_there(path: Path) -> None:
    rooms = ("tests", "cortexfs", "hooks", "bench", "docs", "templates", "sample-context")
    named = [
        word
        for word in words(path.read_text())
        if re.match(rf"({'|'.join(rooms)})/[\w./-]*$", word)
    ]
    assert [word for word in named if not (REPOSITORY / word).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_a_page_is_finished_and_names_nobodys_machine(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\b(TODO|FIXME|TBD|XXX)\b", text)
    assert not re.search(r"/(work|tmp|root)\b|/home/(?!ada\b)|/Users/", text)
