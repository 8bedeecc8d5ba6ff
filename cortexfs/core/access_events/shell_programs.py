"""Tables of programs: which print files, which search in files, and which print nothing."""

from __future__ import annotations

from typing import NamedTuple

OptionSet = frozenset[str]
"""A set of options, by letter or long name."""


def make_option_set(words: str) -> OptionSet:
    """Return the words of a text as a set."""
    return frozenset(words.split())


class PrintProgram(NamedTuple):
    """A program that prints the text of its file operands.

    Of its options, `value_options` take a value, `script_options` supply the script that is
    otherwise the first operand, and `write_options` make the program write to a file instead.
    """

    value_options: OptionSet = frozenset()
    script_options: OptionSet = frozenset()
    write_options: OptionSet = frozenset()


class SearchProgram(NamedTuple):
    """A program that prints the matches in its file operands.

    Of its options, `value_options` take a value, `hide_name_options` hide file names,
    `show_name_options` show the name even of a single file, and `other_output_options` change the
    output format. `is_recursive`: it is recursive by default.
    """

    value_options: OptionSet
    hide_name_options: OptionSet
    show_name_options: OptionSet
    other_output_options: OptionSet
    is_recursive: bool


_AWK = PrintProgram(
    value_options=make_option_set("f F v i E e file field-separator assign include source"),
    script_options=make_option_set("f E e file source"),
    write_options=make_option_set("i"),
)
_BAT = PrintProgram(
    make_option_set(
        "r l H m line-range language highlight-line map-syntax style theme paging color wrap "
        "tabs terminal-width decorations italic-text pager file-name"
    )
)
_HEAD = PrintProgram(make_option_set("n c s lines bytes sleep-interval pid"))
_SED = PrintProgram(
    value_options=make_option_set("e f l expression file line-length"),
    script_options=make_option_set("e f expression file"),
    write_options=make_option_set("i in-place"),
)

PRINT_PROGRAMS = {
    "awk": _AWK,
    "bat": _BAT,
    "batcat": _BAT,
    "cat": PrintProgram(),
    "column": PrintProgram(make_option_set("t c o s N separator output-separator table-columns")),
    "cut": PrintProgram(
        make_option_set("b c d f bytes characters delimiter fields output-delimiter")
    ),
    "expand": PrintProgram(make_option_set("t tabs")),
    "fmt": PrintProgram(make_option_set("w g p width goal prefix")),
    "fold": PrintProgram(make_option_set("w width")),
    "gawk": _AWK,
    "gsed": _SED,
    "head": _HEAD,
    "less": PrintProgram(make_option_set("p P b h j t T x y z pattern")),
    "mawk": _AWK,
    "more": PrintProgram(make_option_set("n lines")),
    "nl": PrintProgram(make_option_set("b d f h i l n s v w")),
    "paste": PrintProgram(make_option_set("d delimiters")),
    "pr": PrintProgram(make_option_set("D h l N o S w W")),
    "rev": PrintProgram(),
    "sed": _SED,
    "sort": PrintProgram(
        make_option_set("k t S T key field-separator buffer-size"),
        write_options=make_option_set("o output"),
    ),
    "strings": PrintProgram(make_option_set("n t e bytes radix encoding")),
    "tac": PrintProgram(make_option_set("s separator")),
    "tail": _HEAD,
    "uniq": PrintProgram(make_option_set("f s w skip-fields skip-chars check-chars")),
}

_GREP = SearchProgram(
    value_options=make_option_set(
        "e f m A B C D d regexp file max-count after-context before-context context include "
        "exclude include-dir exclude-dir exclude-from label binary-files directories devices "
        "g O t glob file-type file-extension"
    ),
    hide_name_options=make_option_set("h no-filename"),
    show_name_options=make_option_set("H with-filename"),
    other_output_options=make_option_set("L files-without-match heading json"),
    is_recursive=False,
)
_RG = SearchProgram(
    value_options=make_option_set(
        "e f m A B C E g j t T r M d regexp file max-count after-context before-context context "
        "encoding glob iglob threads type type-not type-add replace max-columns max-depth sort "
        "sortr color colors ignore-file path-separator pre pre-glob max-filesize engine "
        "context-separator field-match-separator field-context-separator"
    ),
    hide_name_options=make_option_set("I no-filename"),
    show_name_options=make_option_set("H with-filename"),
    other_output_options=make_option_set(
        "files-without-match files type-list heading p pretty json stats passthru"
    ),
    is_recursive=True,
)
_AG = SearchProgram(
    value_options=make_option_set(
        "A B C G m p W after before context file-search-regex max-count width ignore"
    ),
    hide_name_options=make_option_set("h nofilename"),
    show_name_options=frozenset(),
    other_output_options=make_option_set("L files-without-matches g H group heading stats"),
    is_recursive=True,
)

SEARCH_PROGRAMS = {
    "ag": _AG,
    "egrep": _GREP,
    "fgrep": _GREP,
    "ggrep": _GREP,
    "grep": _GREP,
    "rg": _RG,
    "ug": _GREP,
    "ugrep": _GREP,
}

PATTERN_OPTIONS = make_option_set("e f regexp file")
"""Options that give the pattern, so that the first operand of a search program is a file."""
RECURSIVE_OPTIONS = make_option_set("r R recursive dereference-recursive")
QUIET_OPTIONS = make_option_set("q quiet silent")
NAMES_ONLY_OPTIONS = make_option_set("l files-with-matches")
COUNT_OPTIONS = make_option_set("c count count-matches")

LINE_FILTERS = {
    "cat": make_option_set("n b A E T v e t number number-nonblank show-all show-ends"),
    "head": make_option_set("c bytes"),
    "less": make_option_set("N"),
    "more": frozenset(),
    "sort": frozenset(),
    "tac": make_option_set("s separator"),
    "tail": make_option_set("c bytes"),
    "uniq": make_option_set("c count D all-repeated group"),
}
"""Options that give the pattern, so the first operand of a search program is a file."""

PARTIAL_LINE_OPTIONS = make_option_set(
    "o only-matching n line-number b byte-offset H with-filename r replace"
)
"""Options with which a search program changes the lines of its input."""

SILENT_PROGRAMS = make_option_set(
    ": [ chmod cp exit false ln mkdir mv popd rm rmdir set setopt shopt sleep test touch true "
    "unset wait"
)
"""Programs that print no text of a file."""

SHELLS = make_option_set("ash bash dash ksh sh zsh")

ASSIGNMENT_PROGRAMS = make_option_set("declare export local readonly")

WRAPPERS = {
    "builtin": 0,
    "command": 0,
    "env": 0,
    "nice": 0,
    "nohup": 0,
    "stdbuf": 0,
    "sudo": 0,
    "time": 0,
    "timeout": 1,
}
"""Programs that run another program, and the number of operands before it."""
