"""Which programs print the text of files, which search in them, and which say nothing."""

from __future__ import annotations

from typing import NamedTuple

Options = frozenset[str]
"""Options by their letters and long names."""


def _set(words: str) -> Options:
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
    valued=_set("f F v i E e file field-separator assign include source"),
    script=_set("f E e file source"),
    writes=_set("i"),
)
_BAT = Reader(
    _set(
        "r l H m line-range language highlight-line map-syntax style theme paging color wrap "
        "tabs terminal-width decorations italic-text pager file-name"
    )
)
_END = Reader(_set("n c s lines bytes sleep-interval pid"))
_SED = Reader(
    valued=_set("e f l expression file line-length"),
    script=_set("e f expression file"),
    writes=_set("i in-place"),
)

READERS = {
    "awk": _AWK,
    "bat": _BAT,
    "batcat": _BAT,
    "cat": Reader(),
    "column": Reader(_set("t c o s N separator output-separator table-columns")),
    "cut": Reader(_set("b c d f bytes characters delimiter fields output-delimiter")),
    "expand": Reader(_set("t tabs")),
    "fmt": Reader(_set("w g p width goal prefix")),
    "fold": Reader(_set("w width")),
    "gawk": _AWK,
    "gsed": _SED,
    "head": _END,
    "less": Reader(_set("p P b h j t T x y z pattern")),
    "mawk": _AWK,
    "more": Reader(_set("n lines")),
    "nl": Reader(_set("b d f h i l n s v w")),
    "paste": Reader(_set("d delimiters")),
    "pr": Reader(_set("D h l N o S w W")),
    "rev": Reader(),
    "sed": _SED,
    "sort": Reader(_set("k t S T key field-separator buffer-size"), writes=_set("o output")),
    "strings": Reader(_set("n t e bytes radix encoding")),
    "tac": Reader(_set("s separator")),
    "tail": _END,
    "uniq": Reader(_set("f s w skip-fields skip-chars check-chars")),
}

_GREP = Searcher(
    valued=_set(
        "e f m A B C D d regexp file max-count after-context before-context context include "
        "exclude include-dir exclude-dir exclude-from label binary-files directories devices "
        "g O t glob file-type file-extension"
    ),
    bare=_set("h no-filename"),
    named=_set("H with-filename"),
    other=_set("L files-without-match heading json"),
    walks=False,
)
_RG = Searcher(
    valued=_set(
        "e f m A B C E g j t T r M d regexp file max-count after-context before-context context "
        "encoding glob iglob threads type type-not type-add replace max-columns max-depth sort "
        "sortr color colors ignore-file path-separator pre pre-glob max-filesize engine "
        "context-separator field-match-separator field-context-separator"
    ),
    bare=_set("I no-filename"),
    named=_set("H with-filename"),
    other=_set("files-without-match files type-list heading p pretty json stats passthru"),
    walks=True,
)
_AG = Searcher(
    valued=_set("A B C G m p W after before context file-search-regex max-count width ignore"),
    bare=_set("h nofilename"),
    named=frozenset(),
    other=_set("L files-without-matches g H group heading stats"),
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

PATTERN = _set("e f regexp file")
"""Options with which the first operand of a searcher is a file already."""
WALKING = _set("r R recursive dereference-recursive")
QUIET = _set("q quiet silent")
NAMING = _set("l files-with-matches")
COUNTING = _set("c count count-matches")

KEEPERS = {
    "cat": _set("n b A E T v e t number number-nonblank show-all show-ends"),
    "head": _set("c bytes"),
    "less": _set("N"),
    "more": frozenset(),
    "sort": frozenset(),
    "tac": _set("s separator"),
    "tail": _set("c bytes"),
    "uniq": _set("c count D all-repeated group"),
}
"""Readers that hand on whole lines of their input, and the options with which they do not."""

CUTTING = _set("o only-matching n line-number b byte-offset H with-filename r replace")
"""Options with which a searcher hands on less than whole lines of its input, or more."""

SILENT = _set(
    ": [ chmod cp exit false ln mkdir mv popd rm rmdir set setopt shopt sleep test touch true "
    "unset wait"
)
"""Programs that print nothing of any file."""

SETTERS = _set("declare export local readonly")

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
