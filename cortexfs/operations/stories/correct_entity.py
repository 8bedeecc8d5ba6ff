"""Correct an entity as a person would by editing its file: no build takes that back."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.changes.plan import ExecutionMode, Plan, Remove, Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.read_entity_file import parse_entity_file
from cortexfs.core.stories.story_entity import EntityStatus, EntityType
from cortexfs.core.stories.strike_item import EntityPart, add_colour, name_relation, strike_item
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.errors import Refused, Unreadable
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_loss
from cortexfs.operations.shared.rename_plan import plan_with_removals
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.operations.stories.read_parsed_files import read_entity_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

TREE = "/"
"""The working directory of a browser: it belongs to no project."""
MAX_NAMED_CHARS = 40


class Correction(StrEnum):
    """What is corrected."""

    TYPE = "type"
    STATUS = "status"
    FACT = "strike-fact"
    RELATION = "strike-relation"
    ALIAS = "strike-alias"
    COLOUR = "strike-colour"
    USAGE = "usage"
    OWNER = "owner"
    REMOVE = "remove"


class CorrectionRequest(NamedTuple):
    """What to correct: the ref of an entity, and of which value.

    `item` is what is struck: the text of a fact, `name_relation` of a relation, an alias, or a
    colour as `usage #aabbcc`. `value` is the new type, status, usage, or the ref of the new owner.
    """

    ref: str
    change: str
    item: str = ""
    value: str = ""


class CorrectedEntity(NamedTuple):
    """The entity that was corrected, the plan, and the outcome (None: a dry run)."""

    ref: str
    plan: Plan
    outcome: Outcome | None = None


class _EntityFile(NamedTuple):
    """The file of an entity, and what it says."""

    ref: str
    path: str
    text: str
    entity: KnownEntity


def correct_entity(
    session: Session, request: CorrectionRequest, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> CorrectedEntity:
    """Change one thing that the file of an entity says, or remove the entity.

    Raises `Refused` if the change is unknown, the file has no such item, or git does not hold the
    text of a removed one; `NoSuchAtom` and `Unreadable` as `resolve_ref` and the file give cause.
    """

    def decide(view: View) -> CorrectedEntity:
        file = _read_entity(view, request.ref)
        if request.change == Correction.REMOVE:
            is_committed = mode is not ExecutionMode.WRITE
            return CorrectedEntity(
                file.ref, _plan_removal(session, view, file, commit=is_committed)
            )
        writes = [
            Write(path, text, before)
            for path, text, before in _edit(view, file, request)
            if text != before
        ]
        message = f"story {file.ref}: {_describe(request, file.entity)}"
        plan = Plan(message, tuple(add_derived_writes(view, writes)) if writes else ())
        return CorrectedEntity(file.ref, plan)

    return attach_outcome(session.execute(decide, mode))


def _read_entity(view: View, typed: str) -> _EntityFile:
    ref, path = resolve_ref(view, typed, TREE)
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{path}: {source.message}", hint="`cortexfs check` shows what is wrong")
    where, entity = parse_atom_path(path, view.kinds), parse_entity_file(source.text, path)
    if where is None or where.kind.name != ENTITY_KIND or entity is None:
        raise Refused(
            f"{ref} is no entity of a story", hint="`cortexfs list entity` lists the entities"
        )
    return _EntityFile(ref, path, source.text, entity)


def _edit(
    view: View, file: _EntityFile, request: CorrectionRequest
) -> Iterator[tuple[str, str, str]]:
    """Yield the path, the new text and the present text of each file that changes."""
    match request.change:
        case Correction.TYPE:
            fields = {"type": _require(request.value, EntityType)}
            yield file.path, atom_text.edit_frontmatter(file.text, fields), file.text
        case Correction.STATUS:
            fields = {"status": _require(request.value, EntityStatus)}
            yield file.path, atom_text.edit_frontmatter(file.text, fields), file.text
        case Correction.ALIAS:
            left = tuple(each for each in file.entity.aliases if each != request.item)
            if len(left) == len(file.entity.aliases):
                raise _no_item(file, request)
            yield file.path, atom_text.edit_frontmatter(file.text, {"aliases": left}), file.text
        case Correction.FACT | Correction.RELATION | Correction.COLOUR:
            yield file.path, _strike(file, request), file.text
        case Correction.USAGE:
            usage = ColourUsage(_require(request.value, ColourUsage))
            struck, colour = _strike(file, request), request.item.rpartition(" ")[2]
            yield file.path, add_colour(struck, colour, usage), file.text
        case Correction.OWNER:
            yield from _move_colour(view, file, request)
        case _:
            raise Refused("no such correction", hint=f"use one of {', '.join(Correction)}")


def _move_colour(
    view: View, file: _EntityFile, request: CorrectionRequest
) -> Iterator[tuple[str, str, str]]:
    owner = _read_entity(view, request.value)
    if owner.path == file.path:
        return
    usage, _, colour = request.item.partition(" ")
    yield file.path, _strike(file, request), file.text
    added = add_colour(owner.text, colour, ColourUsage(usage))
    yield owner.path, added, owner.text


def _strike(file: _EntityFile, request: CorrectionRequest) -> str:
    """Return the text of a file without the item that a request names."""
    entity = file.entity
    if request.change == Correction.FACT:
        part, names = EntityPart.FACTS, [each.text for each in entity.facts]
    elif request.change == Correction.RELATION:
        part, names = EntityPart.RELATIONS, list(map(name_relation, entity.relations))
    else:
        part = EntityPart.COLOURS
        names = [f"{each.usage} {each.colour}" for each in entity.colours]
    place = names.index(request.item) if request.item in names else -1
    struck = strike_item(file.text, file.path, part, place)
    if struck is None:
        raise _no_item(file, request)
    return struck


def _plan_removal(session: Session, view: View, file: _EntityFile, *, commit: bool) -> Plan:
    """Return the plan that removes an entity, and the relations of others to it."""
    refuse_loss(view, file.path, file.text, commit=commit)
    project, _, ident = file.ref.rpartition("/")
    writes: list[Write] = []
    for other in read_entity_files(session, view, project):
        if other.ref != file.ref and any(each.ref == ident for each in other.relations):
            named = _read_entity(view, other.ref)
            writes.append(Write(named.path, _strike_relations_to(named, ident), named.text))
    plan = plan_with_removals(
        view, f"story {file.ref}: remove the entity", writes, [Remove(file.path, file.text)]
    )
    return plan._replace(is_from_git=True)


def _strike_relations_to(file: _EntityFile, ident: str) -> str:
    text = file.text
    for place in range(len(file.entity.relations) - 1, -1, -1):
        if file.entity.relations[place].ref == ident:
            text = strike_item(text, file.path, EntityPart.RELATIONS, place) or text
    return text


def _require(value: str, known: type[StrEnum]) -> str:
    if value in {*known}:
        return value
    raise Refused(f"{value!a} is not possible here", hint=f"use one of {', '.join(known)}")


def _no_item(file: _EntityFile, request: CorrectionRequest) -> Refused:
    shown = truncate_line(request.item, MAX_NAMED_CHARS)
    return Refused(f"{file.ref} does not say `{shown}`", hint="load the page again")


def _describe(request: CorrectionRequest, entity: KnownEntity) -> str:
    """Return what a correction does, for the commit message."""
    item = truncate_line(request.item, MAX_NAMED_CHARS)
    match request.change:
        case Correction.TYPE | Correction.STATUS:
            return f"{request.change} {request.value}"
        case Correction.USAGE:
            return f"colour {item} is {request.value}"
        case Correction.OWNER:
            return f"colour {item} belongs to {request.value}"
        case _:
            part = request.change.removeprefix("strike-")
            return f"strike {part} `{item}`" if item else f"strike {part} of {entity.ident}"
