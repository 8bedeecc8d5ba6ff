"""Groups of forms after what a text introduces as one, and what a person united or parted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.entity import Corrections
    from cortexfs.core.stories.entities.evidence import Counts
    from cortexfs.core.stories.entities.name_form import NameForm

Group = tuple[list["NameForm"], str, str]
"""The forms of one entity, its type and its gender."""


def unite_groups(groups: list[Group], introduced: Counts, corrections: Corrections) -> list[Group]:
    """Return the groups after introductions and corrections."""
    for one, other in corrections.different:
        groups = _part(groups, one.lower(), other.lower())
    different = {frozenset(map(str.lower, pair)) for pair in corrections.different}
    names = {form.name.lower() for forms, _, _ in groups for form in forms}
    for pair in sorted(introduced):
        one, other = pair.lower().split("|")
        if one in names and other in names and frozenset({one, other}) not in different:
            groups = _detach(_detach(groups, one, other), other, one)
            groups = _unite(groups, one, other, always=False)
    for one, other in corrections.same:
        groups = _unite(groups, one.lower(), other.lower(), always=True)
    told = {name.lower(): kind for name, kind in corrections.types.items()}
    return [_retype(group, told) for group in groups] if told else groups


def _retype(group: Group, told: dict[str, str]) -> Group:
    """Return a group with the type that a person gave to one of its forms."""
    forms, kind, gender = group
    return (
        forms,
        next((told[f.name.lower()] for f in forms if f.name.lower() in told), kind),
        gender,
    )


def _find(groups: list[Group], name: str) -> int | None:
    return next(
        (
            index
            for index, (forms, _, _) in enumerate(groups)
            if any(form.name.lower() == name for form in forms)
        ),
        None,
    )


def _unite(groups: list[Group], one: str, other: str, *, always: bool) -> list[Group]:
    """Unite two groups; if not `always`, only those of one type.

    The more mentioned one gives the type.
    """
    first, second = _find(groups, one), _find(groups, other)
    if first is None or second is None or first == second:
        return groups
    kept, joined = sorted(
        (groups[first], groups[second]),
        key=lambda group: (-sum(form.mentions for form in group[0]), group[0][0].name),
    )
    if not always and (kept[1] != joined[1] or _clash(kept[2], joined[2])):
        return groups
    united = (kept[0] + joined[0], kept[1], kept[2] or joined[2])
    return [group for index, group in enumerate(groups) if index not in {first, second}] + [united]


def _detach(groups: list[Group], name: str, other: str) -> list[Group]:
    """Take a title and surname from a person with another first name than the text gives it.

    Miss Dane, whose name is Jane, is not Anne, though Anne Dane was the only one known.
    """
    index = _find(groups, name)
    if index is None or " " in other or index == _find(groups, other):
        return groups
    forms, kind, gender = groups[index]
    form = next(form for form in forms if form.name.lower() == name)
    first = any(len(f.words) == 1 and not f.titles and f.words != form.words for f in forms)
    if len(form.words) != 1 or not form.titles or not first:
        return groups
    rest = [one for one in forms if one is not form]
    return [*groups[:index], (rest, kind, gender), *groups[index + 1 :], ([form], kind, gender)]


def _clash(one: str, other: str) -> bool:
    return bool(one) and bool(other) and one != other


def _part(groups: list[Group], one: str, other: str) -> list[Group]:
    """Give the less mentioned of two names a group of its own."""
    index = _find(groups, one)
    if index is None or index != _find(groups, other):
        return groups
    forms, kind, gender = groups[index]
    pair = [form for form in forms if form.name.lower() in {one, other}]
    less = min(pair, key=lambda form: (form.mentions, form.name))
    rest = [form for form in forms if form is not less]
    return [
        *groups[:index],
        (rest, kind, gender),
        *groups[index + 1 :],
        ([less], kind, less.gender),
    ]
