"""Correct an entity as a person would by editing its file: no build takes that back.

What others say of the entity, and what its new names bring, is made in the same commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.stories.correct_text import (
    MAX_NAMED_CHARS,
    clean_name,
    correct_text,
    find_colours,
    strike_colours,
)
from cortexfs.core.stories.correction import Correction
from cortexfs.core.stories.generated_lines import make_key
from cortexfs.core.stories.read_entity_file import parse_entity_file
from cortexfs.core.stories.strike_item import EntityPart, add_colour, strike_item
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.errors import Refused
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.refuse_loss_and_errors import refuse_loss
from cortexfs.operations.shared.rename_plan import plan_with_removals
from cortexfs.operations.stories.entity_edits import (
    EntityEdits,
    EntityText,
    plan_edited_entities,
)
from cortexfs.operations.stories.find_entity import TREE, Whereabouts, read_entity
from cortexfs.operations.stories.merge_entities import merge_entities
from cortexfs.operations.stories.read_parsed_files import read_entity_files

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class CorrectionRequest(NamedTuple):
    """What to correct: the ref or the name of an entity, and of which value.

    `item` is what is struck: a fact, `name_relation` of a relation, an alias, or a colour as
    `#aabbcc` or `usage #aabbcc`. `value` is the new name, type, status, usage, alias or fact, or
    names the new owner of a colour, or the entity that is the same. `where` is where names are
    looked up.
    """

    ref: str
    change: str
    item: str = ""
    value: str = ""
    where: Whereabouts = TREE


class CorrectedEntity(NamedTuple):
    """The entity that was corrected, the plan, and the outcome (None: a dry run).

    `new_ref` is the entity that a name has now, after a split.
    """

    ref: str
    plan: Plan
    outcome: Outcome | None = None
    new_ref: str = ""

    @property
    def changed_paths(self) -> tuple[str, ...]:
        """The files that are written, without those that are derived from them."""
        return tuple(write.path for write in self.plan.writes if not write.is_derived)


def correct_entity(
    session: Session, request: CorrectionRequest, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> CorrectedEntity:
    """Change one thing that the file of an entity says, or remove the entity.

    Raises `Refused` if the change is unknown or not possible, the file has no such item, or git
    does not hold the text of a removed one; `NoSuchAtom` and `Unreadable` as `resolve_ref` and the
    file give cause.
    """
    _require_complete(request)

    def decide(view: View) -> CorrectedEntity:
        file = read_entity(session, view, request.ref, request.where)
        edits = _edit(session, view, file, request)
        for path, text in edits.removed.items():
            refuse_loss(view, path, text, commit=mode is not ExecutionMode.WRITE)
        message = f"story {file.ref}: {_describe(request, file.entity)}"
        if edits.writes or edits.removed:
            project = file.ref.rpartition("/")[0]
            writes, removes = plan_edited_entities(session, view, project, edits, mode)
        else:
            writes, removes = [], []
        if removes:
            plan = plan_with_removals(view, message, writes, removes)
        else:
            plan = Plan(message, tuple(add_derived_writes(view, writes)) if writes else ())
        new_ref = _find_split(file, request, writes) if request.change == Correction.SPLIT else ""
        return CorrectedEntity(file.ref, plan, new_ref=new_ref)

    return attach_outcome(session.execute(decide, mode))


def _require_complete(request: CorrectionRequest) -> None:
    """Raise `Refused` for an unknown correction, or one without the item or value it needs."""
    if request.change not in {*Correction}:
        known = ", ".join(Correction)
        raise Refused(f"{request.change!a} is no correction", hint=f"use one of {known}")
    change = Correction(request.change)
    if change.needs_item and not request.item.strip():
        raise Refused(f"{change} needs what it concerns", hint=f"name the {_name_item(change)}")
    if change.needs_value and not request.value.strip():
        raise Refused(f"{change} needs a value", hint="give the new value")


def _name_item(change: Correction) -> str:
    match change:
        case Correction.FACT | Correction.RELATION | Correction.ALIAS:
            return change.removeprefix("strike-")
        case Correction.SPLIT:
            return "alias"
        case _:
            return "colour"


def _edit(
    session: Session, view: View, file: EntityText, request: CorrectionRequest
) -> EntityEdits:
    """Return the edits that make a correction."""
    match request.change:
        case Correction.REMOVE:
            return _edit_others(session, view, file)
        case Correction.MERGE:
            other = read_entity(session, view, request.value, request.where)
            return merge_entities(view, file, other)
        case Correction.OWNER:
            return _move_colours(session, view, file, request)
        case Correction.RENAME | Correction.ADD_ALIAS:
            _refuse_taken(session, view, file, clean_name(request.value))
        case _:
            pass
    asked = (request.change, request.item, request.value)
    text = correct_text(file.text, file.path, file.entity, asked)
    return EntityEdits((Write(file.path, text, file.text),) if text != file.text else ())


def _move_colours(
    session: Session, view: View, file: EntityText, request: CorrectionRequest
) -> EntityEdits:
    """Return the edits that give a colour to another entity, in each of its usages."""
    owner = read_entity(session, view, request.value, request.where)
    colours = find_colours(file.entity, request.item)
    if owner.path == file.path:
        return EntityEdits()
    struck, added = strike_colours(file.text, file.path, file.entity, colours), owner.text
    for each in colours:
        added = add_colour(added, each.colour, each.usage)
    keys = frozenset(make_key("colour", each.usage) for each in colours)
    writes = (Write(file.path, struck, file.text), Write(owner.path, added, owner.text))
    return EntityEdits(writes, forgotten={file.entity.ident: keys})


def _refuse_taken(session: Session, view: View, file: EntityText, name: str) -> None:
    """Refuse a name that another entity of the project has."""
    for other in read_entity_files(session, view, file.ref.rpartition("/")[0]):
        if other.ref != file.ref and name.casefold() in map(
            str.casefold, (other.name, *other.aliases)
        ):
            hint = f"`cortexfs story correct {file.ref} merge {other.ident}` makes them one"
            raise Refused(f"{other.ref} is called {name!a}", hint=hint)


def _edit_others(session: Session, view: View, file: EntityText) -> EntityEdits:
    """Return the edits that remove an entity, and the relations of others to it."""
    project, _, ident = file.ref.rpartition("/")
    writes: list[Write] = []
    for other in read_entity_files(session, view, project):
        if other.ref != file.ref and any(each.ref == ident for each in other.relations):
            named = read_entity(session, view, other.ref)
            writes.append(Write(named.path, _strike_relations_to(named, ident), named.text))
    return EntityEdits(tuple(writes), {file.path: file.text})


def _strike_relations_to(file: EntityText, ident: str) -> str:
    text = file.text
    for place in range(len(file.entity.relations) - 1, -1, -1):
        if file.entity.relations[place].ref == ident:
            text = strike_item(text, file.path, EntityPart.RELATIONS, place) or text
    return text


def _find_split(file: EntityText, request: CorrectionRequest, writes: list[Write]) -> str:
    """Return the ref of the entity that has a split name now; refuse if there is none."""
    wanted, project = request.item.strip().casefold(), file.ref.rpartition("/")[0]
    for write in writes:
        entity = parse_entity_file(write.text, write.path)
        names = (entity.name, *entity.aliases) if entity else ()
        if entity and entity.ident != file.entity.ident and wanted in map(str.casefold, names):
            return f"{project}/{entity.ident}"
    hint = f"`cortexfs story correct {file.ref} strike-alias …` only strikes it"
    raise Refused("no chat names somebody so, apart from the entity", hint=hint)


def _describe(request: CorrectionRequest, entity: KnownEntity) -> str:
    """Return what a correction does, for the commit message."""
    item = truncate_line(request.item, MAX_NAMED_CHARS)
    value = truncate_line(request.value, MAX_NAMED_CHARS)
    sentences: dict[str, str] = {
        Correction.USAGE: f"colour {item} is {value}",
        Correction.OWNER: f"colour {item} belongs to {value}",
        Correction.REMOVE: f"remove the entity {entity.name}",
        Correction.MERGE: f"is the same as {value}",
        Correction.RENAME: f"is called {value}",
        Correction.SPLIT: f"`{item}` is somebody else",
    }
    change = Correction(request.change)
    if change in sentences:
        return sentences[change]
    return f"strike {_name_item(change)} `{item}`" if change.needs_item else f"{change} {value}"
