"""What goes in and out of a tree as a whole: imports, exports, the bridge, audits."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document


class ImportedEntryDocument(TypedDict):
    """An entry of a store, and the atom that has it."""

    origin: str
    result: str
    ref: str
    path: str
    summary: str


class SkippedEntryDocument(TypedDict):
    """An entry that could not be read, and why."""

    entry: str
    message: str


StoreImportFields = TypedDict(
    "StoreImportFields",
    {
        "source": str,
        "store": str,
        "dry-run": bool,
        "entries": list[ImportedEntryDocument],
        "skipped": list[SkippedEntryDocument],
    },
)


class StoreImportDocument(ChangeDocument):
    """What became of each entry of a store."""

    imported: StoreImportFields


class ImportedNoteDocument(TypedDict):
    """A note, and the atom that it became."""

    note: str
    result: str
    ref: str
    path: str
    kind: str
    summary: str


class SkippedNoteDocument(TypedDict):
    """A note or file that was left out, or that has a flaw, and why."""

    note: str
    code: str
    message: str
    line: NotRequired[int]


class UnresolvedLinkDocument(TypedDict):
    """A link that leads to no note."""

    note: str
    line: int
    target: str


MappedStatusDocument = TypedDict(
    "MappedStatusDocument", {"from": str, "to": NotRequired[str], "notes": int}
)

NoteImportFields = TypedDict(
    "NoteImportFields",
    {
        "source": str,
        "project": str,
        "new-project": bool,
        "dry-run": bool,
        "notes": list[ImportedNoteDocument],
        "skipped": list[SkippedNoteDocument],
        "warnings": list[SkippedNoteDocument],
        "unresolved": list[UnresolvedLinkDocument],
        "statuses": list[MappedStatusDocument],
        "links": int,
        "attachments": int,
    },
)


BridgeFields = TypedDict("BridgeFields", {"dry-run": bool, "in": StoreImportFields})


class BridgeDocument(ChangeDocument):
    """What became of the memories of clients."""

    bridge: BridgeFields


class EngramExportFields(TypedDict):
    """Memories as engram and Cortex import them."""

    version: str
    exported_at: str
    sessions: list[dict[str, object]]
    observations: list[dict[str, object]]
    prompts: list[dict[str, object]]


class EngramExportDocument(EngramExportFields, Document):
    """Memories for engram and Cortex."""


class ExportedAtomDocument(TypedDict):
    """An atom: its path below the root, its fields as typed, and its body.

    `frontmatter` is the text of the fields, if it is not as cortexfs writes them.
    """

    path: str
    fields: dict[str, object]
    body: str
    frontmatter: NotRequired[str]


TreeExportFields = TypedDict(
    "TreeExportFields",
    {
        "cortexfs-export": int,
        "exported_at": str,
        "atoms": list[ExportedAtomDocument],
        "reads": dict[str, list[str]],
    },
)


class TreeExportDocument(TreeExportFields, Document):
    """Memories with all fields and logged reads; `import` makes an equal tree of them."""


class AuditFindingDocument(TypedDict):
    """A finding of an audit, and where it is."""

    rule: str
    place: str
    message: str


class AuditFields(TypedDict):
    """How many texts were examined, the findings of each rule, and each finding."""

    path: NotRequired[str]
    examined: int
    counts: dict[str, int]
    findings: list[AuditFindingDocument]


class AuditDocument(Document):
    """What is wrong with memories, worst first."""

    audit: AuditFields
