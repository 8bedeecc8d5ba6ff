"""Delete a relation between two memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Write, attach_outcome
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.memory.memory_record import parse_memory_record
from cortexfs.core.memory.memory_text import change_memory_text
from cortexfs.core.memory.relations import (
    RELATIONS_KEY,
    Relation,
    format_relation,
    list_other_items,
    parse_edge_id,
)
from cortexfs.errors import NoSuchAtom, NoSuchRelation
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


def delete_relation(
    session: Session, edge_id: int, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> CreatedRelation:
    """Remove a relation from its memory, and return it; statuses stay as they are.

    Raises `NoSuchRelation` if no relation has that id.
    """
    return attach_outcome(session.execute(lambda view: _plan_deletion(view, edge_id), mode))


def _plan_deletion(view: View, edge_id: int) -> CreatedRelation:
    found = parse_edge_id(edge_id)
    if found is None:
        raise NoSuchRelation(edge_id)
    from_number, to_number, relation_type = found
    try:
        path = resolve_memory(view, str(from_number)).path
    except NoSuchAtom:
        raise NoSuchRelation(edge_id) from None
    text = read_memory_text(view, path)
    record = parse_memory_record(*parse_memory_text(view, path, text))
    gone = [each for each in record.relations if _is_named(each, to_number, relation_type)]
    if not gone:
        raise NoSuchRelation(edge_id)
    kept = [format_relation(each) for each in record.relations if each not in gone]
    others = list_other_items(atom_text.parse_frontmatter(text).fields.get(RELATIONS_KEY, ""))
    items = (*kept, *(others or ()))
    write = Write(path, change_memory_text(text, {RELATIONS_KEY: items or None}), text)
    message = f"remove the relation {record.ref} {relation_type} {gone[0].ref}"
    plan = plan_memory_writes(view, message, [write])
    return CreatedRelation(from_number, to_number, gone[0], edge_id, plan)


def _is_named(relation: Relation, to_number: int, relation_type: str) -> bool:
    ident = relation.ref.rpartition("/")[2].rpartition("-")[2]
    return relation.type == relation_type and ident.isdecimal() and int(ident) == to_number
