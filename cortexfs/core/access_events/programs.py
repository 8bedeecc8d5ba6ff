"""Which programs print the text of files, which search in them, and which say nothing."""

from __future__ import annotations

from typing import NamedTuple

Options = frozenset[str]
"""Options by their letters and long names."""


def split_set(words: str) -> Options:
    """Give the words of a text as a set."""
    return frozenset(words.split())


class Reader(NamedTuple):
    """A program that prints the text of the files that it is given.

    Of its options, `valued` take a value, `script` give what else the first operand would
    be, and `writes` make it write to a file instead.
    """

    valued: Options = frozenset()
    script: Options = frozenset()
    writes: Options = frozenset()


class Searcher(NamedTuple):
    """A program that prints what matches in the files that it is given.

    Of its options, `valued` take a value, `bare` hide the names of files, `named` show that
    of a single one, and `other` make it print something else. `walks`: into folders, unasked.
    """

    valued: Options
    bare: Options
    named: Options
    other: Options
    walks: bool


_AWK = Reader(
    valued=split_set("f F v i E e file field-separator assign include source"),
    script=split_set("f E e file source"),
    writes=split_set("i"),
)
_BAT = Reader(
    split_set(
        "r l H m line-range language highlight-line map-syntax style theme paging color wrap "
        "tabs terminal-width decorations italic-text pager file-name"
    )
)
_END = Reader(split_set("n c s lines bytes sleep-interval pid"))
_SED = Reader(
    valued=split_set("e f l expression file line-length"),
    script=split_set("e f expression file"),
    writes=split_set("i in-place"),
)

READERS = {
    "awk": _AWK,
    "bat": _BAT,
    "batcat": _BAT,
    "cat": Reader(),
    "column": Reader(split_set("t c o s N separator output-separator table-columns")),
    "cut": Reader(split_set("b c d f bytes characters delimiter fields output-delimiter")),
    "expand": Reader(split_set("t tabs")),
    "fmt": Reader(split_set("w g p width goal prefix")),
    "fold": Reader(split_set("w width")),
    "gawk": _AWK,
    "gsed": _SED,
    "head": _END,
    "less": Reader(split_set("p P b h j t T x y z pattern")),
    "mawk": _AWK,
    "more": Reader(split_set("n lines")),
    "nl": Reader(split_set("b d f h i l n s v w")),
    "paste": Reader(split_set("d delimiters")),
    "pr": Reader(split_set("D h l N o S w W")),
    "rev": Reader(),
    "sed": _SED,
    "sort": Reader(
        split_set("k t S T key field-separator buffer-size"), writes=split_set("o output")
    ),
    "strings": Reader(split_set("n t e bytes radix encoding")),
    "tac": Reader(split_set("s separator")),
    "tail": _END,
    "uniq": Reader(split_set("f s w skip-fields skip-chars check-chars")),
}

_GREP = Searcher(
    valued=split_set(
        "e f m A B C D d regexp file max-count after-context before-context context include "
        "exclude include-dir exclude-dir exclude-from label binary-files directories devices "
        "g O t glob file-type file-extension"
    ),
    bare=split_set("h no-filename"),
    named=split_set("H with-filename"),
    other=split_set("L files-without-match heading json"),
    walks=False,
)
_RG = Searcher(
    valued=split_set(
        "e f m A B C E g j t T r M d regexp file max-count after-context before-context context "
        "encoding glob iglob threads type type-not type-add replace max-columns max-depth sort "
        "sortr color colors ignore-file path-separator pre pre-glob max-filesize engine "
        "context-separator field-match-separator field-context-separator"
    ),
    bare=split_set("I no-filename"),
    named=split_set("H with-filename"),
    other=split_set("files-without-match files type-list heading p pretty json stats passthru"),
    walks=True,
)
_AG = Searcher(
    valued=split_set("A B C G m p W after before context file-search-regex max-count width ignore"),
    bare=split_set("h nofilename"),
    named=frozenset(),
    other=split_set("L files-without-matches g H group heading stats"),
    walks=True,
)

SEARCHERS = {
    "ag": _AG,
    "egrep": _GREP,
    "fgrep": _GREP,
    "ggrep": _GREP,
    "grep": _GREP,
    "rg": _RG,
    "ug": _GREP,
    "ugrep": _GREP,
}

PATTERN = split_set("e f regexp file")
"""Options with which the first operand of a searcher is a file already."""
WALKING = split_set("r R recursive dereference-recursive")
QUIET = split_set("q quiet silent")
NAMING = split_set("l files-with-matches")
COUNTING = split_set("c count count-matches")

KEEPERS = {
    "cat": split_set("n b A E T v e t number number-nonblank show-all show-ends"),
    "head": split_set("c bytes"),
    "less": split_set("N"),
    "more": frozenset(),
    "sort": frozenset(),
    "tac": split_set("s separator"),
    "tail": split_set("c bytes"),
    "uniq": split_set("c count D all-repeated group"),
}
"""Readers that hand on whole lines of their input, and the options with which they do not."""

CUTTING = split_set("o only-matching n line-number b byte-offset H with-filename r replace")
"""Options with which a searcher hands on less than whole lines of its input, or more."""

SILENT = split_set(
    ": [ chmod cp exit false ln mkdir mv popd rm rmdir set setopt shopt sleep test touch true "
    "unset wait"
)
"""Programs that print nothing of any file."""

SETTERS = split_set("declare export local readonly")

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
"""Programs that run another, and how many operands stand before it."""
