"""Relate a memory to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.memory.memory_record import parse_memory_record
from cortexfs.core.memory.memory_text import change_memory_text
from cortexfs.core.memory.relations import (
    RELATION_TYPES,
    RELATIONS_KEY,
    SUPERSEDES,
    WEIGHT_RANGE,
    Relation,
    format_relation,
    list_other_items,
    make_edge_id,
)
from cortexfs.errors import Refused
from cortexfs.operations.shared.load_memories import (
    parse_memory_text,
    read_memory_text,
    resolve_memory,
)
from cortexfs.operations.shared.memory_types import CreatedRelation
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes

if TYPE_CHECKING:
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def relate_memories(
    session: Session,
    from_typed: str,
    to_typed: str,
    relation_type: str,
    weight: float = 1.0,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> CreatedRelation:
    """Add a relation to the first memory; one of the same type is replaced.

    `supersedes` also marks the other memory as superseded. Raises `NoSuchAtom`, and `Refused` for
    another type, a weight out of range, or a relation of a memory to itself.
    """
    if relation_type not in RELATION_TYPES:
        types = ", ".join(RELATION_TYPES)
        raise Refused(f"no relation type `{relation_type}`", hint=f"types are {types}")
    least, most = WEIGHT_RANGE
    if not least <= weight <= most:
        raise Refused(f"the weight {weight:g} is out of range", hint=f"from {least:g} to {most:g}")
    return attach_outcome(
        session.execute(
            lambda view: _plan_relation(view, from_typed, to_typed, relation_type, weight or 1.0),
            mode,
        )
    )


def _plan_relation(
    view: View, from_typed: str, to_typed: str, relation_type: str, weight: float
) -> CreatedRelation:
    source, target = resolve_memory(view, from_typed), resolve_memory(view, to_typed)
    if source.number == target.number:
        raise Refused("a memory cannot be related to itself")
    text = read_memory_text(view, source.path)
    record = parse_memory_record(*parse_memory_text(view, source.path, text))
    relation = Relation(relation_type, target.ref, weight)
    kept = [
        each
        for each in record.relations
        if (each.type, each.ref.rpartition("/")[2])
        != (relation_type, target.ref.rpartition("/")[2])
    ]
    others = list_other_items(atom_text.parse_frontmatter(text).fields.get(RELATIONS_KEY, ""))
    items = (*map(format_relation, [*kept, relation]), *(others or ()))
    writes = [Write(source.path, change_memory_text(text, {RELATIONS_KEY: items}), text)]
    if relation_type == SUPERSEDES:
        writes.append(_plan_superseded(view, target.path, source.ref))
    message = f"relate {source.ref} {relation_type} {target.ref}"
    edge_id = make_edge_id(source.number, target.number, relation_type)
    plan = plan_memory_writes(
        view, message, [each for each in writes if each.text != each.expected_text]
    )
    return CreatedRelation(source.number, target.number, relation, edge_id, plan)


def _plan_superseded(view: View, path: str, successor: str) -> Write:
    text = read_memory_text(view, path)
    return Write(path, change_memory_text(text, {"status": f"superseded:{successor}"}), text)
