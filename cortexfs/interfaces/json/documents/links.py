"""Links between atoms, and what atoms mention."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import Document


class NodeDocument(TypedDict):
    """An atom in a graph."""

    ref: str
    path: str
    kind: NotRequired[str]
    status: NotRequired[str]
    summary: NotRequired[str]


class DistantNodeDocument(NodeDocument):
    """An atom, and its distance in links."""

    distance: int


EdgeBetweenAtomsDocument = TypedDict(
    "EdgeBetweenAtomsDocument",
    {"from": str, "to": str, "link-kinds": list[str], "line": int},
)


class GraphFields(TypedDict):
    """The atoms around one, and the links between them."""

    ref: str
    atoms: list[DistantNodeDocument]
    edges: list[EdgeBetweenAtomsDocument]
    omitted: NotRequired[int]


class GraphDocument(GraphFields, Document):
    """The neighbourhood of an atom."""


class PlacedNodeDocument(NodeDocument):
    """An atom with its place [x, y], its community, and its number of links."""

    place: list[float]
    community: int
    links: int
    inactive: NotRequired[bool]


class LinkMapFields(TypedDict):
    """All atoms with their places; an edge has the numbers of two atoms in the list."""

    atoms: list[PlacedNodeDocument]
    edges: list[list[int]]
    omitted: NotRequired[int]


class LinkMapDocument(LinkMapFields, Document):
    """The links between all atoms."""


LinkingNodeDocument = TypedDict(
    "LinkingNodeDocument",
    {
        "ref": str,
        "path": str,
        "kind": NotRequired[str],
        "status": NotRequired[str],
        "summary": NotRequired[str],
        "link-kinds": list[str],
        "line": int,
    },
)


class BacklinksFields(TypedDict):
    """The atoms that link to one."""

    ref: str
    backlinks: list[LinkingNodeDocument]


class BacklinksDocument(BacklinksFields, Document):
    """The backlinks of an atom."""


class ChainFields(TypedDict):
    """The shortest chain of atoms from one to another; empty if there is none."""

    chain: list[NodeDocument]
    edges: list[EdgeBetweenAtomsDocument]


class ChainDocument(ChainFields, Document):
    """How two atoms are linked."""


class ReasonDocument(TypedDict):
    """Why an atom is related, and the share of the score."""

    share: float
    detail: NotRequired[str]


class RelatedAtomDocument(NodeDocument):
    """A related atom."""

    score: float
    reasons: dict[str, ReasonDocument]


class RelatedAtomsFields(TypedDict):
    """The atoms related to one, closest first."""

    ref: str
    related: list[RelatedAtomDocument]


class RelatedAtomsDocument(RelatedAtomsFields, Document):
    """What is related to an atom."""


class EntityDocument(TypedDict):
    """One thing that atoms mention, and how many do."""

    type: str
    name: str
    atoms: int


class EntityListDocument(Document):
    """The things that atoms mention, most mentioned first."""

    entities: list[EntityDocument]


class MentionDocument(TypedDict):
    """One atom that mentions a thing."""

    type: str
    name: str
    ref: str
    path: str
    line: int
    status: str
    summary: str


class MentionListDocument(Document):
    """The atoms that mention a thing."""

    mentions: list[MentionDocument]
