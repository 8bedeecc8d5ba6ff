"""Twins, atoms with the same id: which one a commit created, and which one a name means."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.extract_links import list_wiki_names, normalize_wiki_name
from cortexfs.core.renaming.scan import NameForm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.renaming.scan import NameInText

UNKNOWN = ""
"""Instead of the path of a twin: it may be any of them, or one that was removed."""


class Creation(NamedTuple):
    """A commit that added a file, and the atom in it."""

    commit: str
    atom: Atom


def assign_creations(creations: Sequence[Creation], twins: Sequence[Atom]) -> list[str]:
    """Return for each creation the path that its atom has now, or `UNKNOWN`.

    Date and summary identify an atom. One that is identified by nothing else is the twin at its
    path, if all other atoms that began there are other twins.
    """
    owners = [_find_equal(each.atom, twins) for each in creations]
    by_path = defaultdict(list)
    for number, each in enumerate(creations):
        by_path[each.atom.path].append(number)
    for twin in twins:
        numbers = by_path[twin.path]
        rest = [number for number in numbers if owners[number] in {UNKNOWN, twin.path}]
        if len(rest) == 1:
            owners[rest[0]] = twin.path
        elif len(numbers) == 1:  # the twin was made elsewhere, or its date or summary has changed
            owners[numbers[0]] = UNKNOWN
    return [
        owner if each.atom.ref == twins[0].ref else UNKNOWN
        for owner, each in zip(owners, creations, strict=True)
    ]


def find_owner(commit: str, descendants: Mapping[str, frozenset[str]]) -> str:
    """Return the only twin whose creation is an ancestor of a commit, or `UNKNOWN`."""
    owners = [path for path, commits in descendants.items() if commit in commits]
    return owners[0] if len(owners) == 1 else UNKNOWN


def find_certain_owner(name: NameInText, written: str, path: str, twins: Sequence[Atom]) -> str:
    """Return the twin that a name in the file at a path means, whatever commit brought it.

    In the text of a twin its own id means itself. A wiki link may have a name that only one has.
    """
    wiki_name = normalize_wiki_name(written) if name.form is NameForm.WIKI else ""
    holders = [twin.path for twin in twins if wiki_name in list_wiki_names(twin)]
    is_own = name.form in {NameForm.REF, NameForm.WIKI} and path in {twin.path for twin in twins}
    return holders[0] if len(holders) == 1 else path if is_own else UNKNOWN


def _find_equal(atom: Atom, twins: Sequence[Atom]) -> str:
    """Return the path of the only twin with the date and summary of an atom, or `UNKNOWN`."""
    key = (atom.text_field("date"), atom.text_field("summary"))
    equal = [
        twin.path for twin in twins if (twin.text_field("date"), twin.text_field("summary")) == key
    ]
    return equal[0] if len(equal) == 1 and any(key) else UNKNOWN
