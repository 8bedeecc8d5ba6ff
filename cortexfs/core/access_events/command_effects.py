"""What one simple command does with atoms, as far as its words tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.access_events import programs
from cortexfs.core.access_events.command_options import ASSIGNMENT, program, read_options
from cortexfs.core.access_events.search_output import Search, Style
from cortexfs.core.access_events.shell_expansion import UNKNOWN, Shell, expand
from cortexfs.core.access_events.shell_parser import Unclear

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.access_events.programs import Reader, Searcher
    from cortexfs.core.access_events.shell_parser import Command
    from cortexfs.core.access_events.shown_atoms import Found


@dataclass(frozen=True, slots=True)
class Reads:
    """Prints the text of these atoms; `succeeds` where the tree tells."""

    found: frozenset[Found]
    succeeds: bool | None = None


@dataclass(frozen=True, slots=True)
class Searches:
    """Prints what matched, each line after its file's name unless it is `bare`.

    `one` is the atom that was searched alone; `projects` are those whose folders of atoms
    were searched.
    """

    search: Search
    bare: bool = False
    one: Found | None = None
    projects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Says:
    """Prints one line that stands in the command; `sure` unless it may not come to that."""

    text: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Goes:
    """Changes the working directory."""

    folder: str


@dataclass(frozen=True, slots=True)
class Sets:
    """Gives variables their values."""

    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Silent:
    """Prints nothing; `succeeds` where that is known."""

    succeeds: bool | None = None


@dataclass(frozen=True, slots=True)
class Prints:
    """Prints, and nobody knows what."""


Deed = Reads | Searches | Says | Goes | Sets | Silent | Prints

LONGEST_VALUE = 4096
"""Characters of a variable: `a=$a$a` doubles it, and no path is longer."""
_RESULTS = {"true": True, ":": True, "false": False}


def deed(command: Command, shell: Shell) -> Deed:
    """Tell what a command does. Raises Unclear where its words become too many."""
    words = list(command.words)
    sets = {}
    while words and (words[0] in programs.SETTERS or ASSIGNMENT.fullmatch(words[0])):
        if found := ASSIGNMENT.fullmatch(words.pop(0)):
            sets[found[1]] = _value(expand(found[2], shell))
    if not words:
        return Sets(sets)
    name, rest = program(expand_all(words, shell))
    done = _deed(name, rest, expand_all(filter(None, [command.source]), shell), shell)
    return Silent() if command.away and not isinstance(done, Goes) else done


MOST_WORDS = 5000
MOST_CHARACTERS = 256 * 1024
"""What all words of one command may become together."""


def expand_all(words: Iterable[str], shell: Shell) -> list[str]:
    """Expand each of the words. Raises Unclear where they become too many or too long."""
    done: list[str] = []
    characters = 0
    for word in words:
        found = expand(word, shell)
        done += found
        characters += sum(map(len, found))
        if len(done) > MOST_WORDS or characters > MOST_CHARACTERS:
            raise Unclear
    return done


def _deed(name: str, words: Sequence[str], source: Sequence[str], shell: Shell) -> Deed:
    if name in programs.SILENT:
        return Silent(_RESULTS.get(name))
    if name in {"cd", "pushd"}:
        return Goes(next((word for word in words if word == "-" or word[:1] != "-"), "~"))
    if name == "echo":
        line = " ".join(words)
        strange = UNKNOWN in line or "\n" in line or re.match("-[neE]+(?: |$)", line)
        return Prints() if strange else Says(line)
    if reader := programs.READERS.get(name):
        return _reads(reader, words, source, shell)
    if searcher := programs.SEARCHERS.get(name):
        return _searches(searcher, words, source, shell)
    return Prints()


def _value(words: Sequence[str]) -> str:
    """Give what a variable stands for, if that is one plain word wherever it is used."""
    value = " ".join(words)
    return UNKNOWN if len(value) > LONGEST_VALUE or set(value) & set(" \t\n*?[{}$") else value


def _reads(reader: Reader, words: Sequence[str], source: Sequence[str], shell: Shell) -> Deed:
    given = read_options(words, reader.valued)
    if given.options & reader.writes:
        return Silent()
    script = bool(reader.script) and not given.options & reader.script
    around = shell.around
    files = [around.below(path, shell.cwd) for path in given.operands[script:] or source]
    atoms = frozenset(atom for below in files if (atom := around.found(below)))
    if None in files or not files:
        return Reads(atoms)
    return Reads(atoms, succeeds=all(below and around.is_file(below) for below in files))


def _searches(
    searcher: Searcher, words: Sequence[str], source: Sequence[str], shell: Shell
) -> Deed:
    given = read_options(words, searcher.valued)
    options, around = given.options, shell.around
    walks = searcher.walks or bool(options & programs.WALKING)
    paths = given.operands[not options & programs.PATTERN :] or source or ["."] * walks
    if options & programs.QUIET:
        return Silent()
    if options & searcher.other or not paths:
        return Prints()
    reached = [around.reach(path.partition(UNKNOWN)[0], shell.cwd) for path in paths]
    scopes = tuple(scope for scope in reached if scope is not None)
    search = Search(_style(options), shell.cwd, scopes)
    if len(paths) == 1 and UNKNOWN not in paths[0] and not options & searcher.named:
        if not scopes and not walks:
            return Prints()  # the one file is elsewhere: its text comes without a name
        if scopes and around.is_file(scopes[0]):
            return Searches(search, bare=True, one=around.found(scopes[0]))
    projects = {around.searched(scope) if scope else None for scope in reached if walks}
    known = frozenset(project for project in projects if project)
    hides = bool(options & searcher.bare)
    return Searches(search, hides, projects=known if len(known) == len(projects) else frozenset())


def _style(options: programs.Options) -> Style:
    if options & programs.NAMING:
        return Style.NAMES
    return Style.COUNTS if options & programs.COUNTING else Style.TEXT
