"""The files of entities in a tree, from build to build."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak

from cortexfs.core.changes.plan import Plan, PlanOnlyResult, Remove, Write
from cortexfs.core.stories.pending_build import PendingBuild, format_pending, parse_pending
from cortexfs.core.stories.story_entity import (
    EntityFact,
    EntityRelation,
    EntityStatus,
    EntityType,
    RelationType,
    StoryEntity,
)
from cortexfs.operations.shared.plan_memory_files import plan_memory_writes
from cortexfs.operations.stories.plan_entity_files import (
    EntityPlan,
    plan_entity_files,
)
from cortexfs.operations.stories.stored_entities import read_stored_entities
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

    from cortexfs.session.view import View

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
FOLDER = "projects/flywheel/entities"
MELINA_PATH = f"{FOLDER}/ENT-001-melina.md"


def entity(name: str, *facts: str, mentions: int = 3) -> StoryEntity:
    """Make a character who knows Kael."""
    known = tuple(EntityFact(fact, 5, 1) for fact in facts)
    relation = EntityRelation("Kael", RelationType.ALLY, 0.4, 0.5, (1,))
    character, active = EntityType.CHARACTER, EntityStatus.ACTIVE
    return StoryEntity(name, character, active, (), mentions, 0.5, 1, 1, "", known, (), (relation,))


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    for number in (1,):
        fields = f"id: CH-000{number}\ndate: 2026-05-06\nproject: flywheel\nsummary: s\ntags: [a]"
        tree.write(f"projects/flywheel/chunks/CH-000{number}.md", f"---\n{fields}\n---\n")
    opened = Session.open(str(tree.root), lambda: NOW)
    yield opened
    opened.close()


def build(
    session: Session, *entities: StoryEntity, pending: PendingBuild | None = None, steps: int = 99
) -> EntityPlan:
    """Write the files of these entities, as a rebuild does; it is killed after some steps."""
    planned: list[EntityPlan] = []

    def decide(view: View) -> PlanOnlyResult:
        stored = read_stored_entities(view, "flywheel", pending)
        plan = plan_entity_files(view, stored, entities)
        planned.append(plan)
        done = (*plan.writes, *plan.removes)[:steps]
        made: Plan = plan_memory_writes(view, "build", [s for s in done if isinstance(s, Write)])
        removes = tuple(step for step in done if isinstance(step, Remove))
        return PlanOnlyResult(made._replace(removes=removes))

    session.execute(decide)
    return planned[-1]


def names(tree: Place) -> list[str]:
    return sorted(path.name for path in (tree.root / FOLDER).glob("ENT-*.md"))


def test_files_of_entities_pass_every_check_and_are_written_once(
    tree: Place, session: Session
) -> None:
    both = (entity("Melina", "Carries EXP-001"), entity("Kael [[K-001]]"))
    build(session, *both)
    assert names(tree) == ["ENT-001-melina.md", "ENT-002-kael-k-001.md"]
    assert build(session, *both).writes == ()
    tree.ok("index", "regen", "--all")
    checked = tree.run("check")
    assert checked.code == 0, checked.out
    assert "Melina" in tree.ok("list", "entity")
    assert "| character | 3 |" in tree.read(f"{FOLDER}/index.md")
    assert "CH-0001" in tree.ok("graph", "flywheel/ENT-001")


def test_edits_stay_through_every_build(tree: Place, session: Session) -> None:
    build(session, entity("Melina", "Carries a blade", "Fears fire"))
    text = tree.read(MELINA_PATH).replace("- [i:5] Fears fire (CH-0001)\n", "- Loves fire\n")
    tree.write(MELINA_PATH, f"{text}\n## Notes\n\nMine.\n")
    for mentions in (4, 5):
        build(session, entity("Melina", "Carries a blade", "Fears fire", mentions=mentions))
    text = tree.read(MELINA_PATH)
    assert "Fears fire" not in text
    assert "- Loves fire\n" in text
    assert text.endswith("## Notes\n\nMine.\n")
    assert "mentions: 5\n" in text
    build(session)
    assert names(tree) == ["ENT-001-melina.md"], "a file with own lines is nobody's to remove"


def test_a_removed_entity_stays_removed_and_its_number_is_not_used_again(
    tree: Place, session: Session
) -> None:
    build(session, entity("Melina"), entity("Voss"))
    (tree.root / MELINA_PATH).unlink()
    for _ in range(2):
        plan = build(session, entity("Melina"), entity("Voss"), entity("Orin"))
        assert [each.name for each in plan.removed] == ["Melina"]
    assert names(tree) == ["ENT-002-voss.md", "ENT-003-orin.md"]
    build(session, entity("Orin"))
    assert names(tree) == ["ENT-003-orin.md"]


FIRST = (entity("Melina", "Carries a blade"), entity("Voss", "Fears fire"))
SECOND = (entity("Melina", "Carries a lantern", mentions=9), entity("Kael", "Limps"))
THIRD = (entity("Melina", "Carries a lantern", mentions=10), entity("Kael", "Limps", "Sings"))


def make_first(tree: Place, session: Session) -> None:
    """Build once; a person then strikes a field, adds a line and removes an entity."""
    build(session, *FIRST, entity("Nadia"))
    text = tree.read(MELINA_PATH).replace("status: active\n", "status: inactive\n")
    tree.write(MELINA_PATH, f"{text}\nMine.\n")
    (tree.root / FOLDER / "ENT-003-nadia.md").unlink()
    build(session, *FIRST, entity("Nadia"))


def read_files(tree: Place) -> dict[str, str]:
    names = (path.name for path in (tree.root / FOLDER).glob("ENT-*.md"))
    record = "../chats/_generated.tsv"
    return {name: tree.read(f"{FOLDER}/{name}") for name in sorted([*names, record])}


@pytest.mark.parametrize(
    ("first", "second"), leave_rows_to_soak(product(range(6), range(6)), every=5)
)
def test_what_killed_builds_wrote_is_not_taken_for_the_work_of_a_person(
    tree: Place, session: Session, first: int, second: int
) -> None:
    make_first(tree, session)
    killed = build(session, *SECOND, entity("Nadia"), steps=first)
    assert len(killed.writes) + len(killed.removes) == 4
    note = parse_pending(format_pending(killed.pending))
    assert note == killed.pending
    again = build(session, *THIRD, entity("Nadia"), pending=note, steps=second)
    build(session, *THIRD, entity("Nadia"), pending=again.pending)
    after = read_files(tree)
    assert names(tree) == ["ENT-001-melina.md", "ENT-004-kael.md"]
    assert "status: inactive\n" in after["ENT-001-melina.md"]
    assert "mentions: 10\n" in after["ENT-001-melina.md"]
    assert after["ENT-001-melina.md"].endswith("\nMine.\n")
    assert "lantern" in after["ENT-001-melina.md"]
    assert "blade" not in after["ENT-001-melina.md"]
    assert "Sings" in after["ENT-004-kael.md"]
    assert after["../chats/_generated.tsv"].count("struck") == 1


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'["a", "b", 1, 2]', b'["a","b",{"x":1},{}]', b"[" * 9999]
)
def test_a_note_that_cannot_be_read_is_none(content: bytes) -> None:
    assert parse_pending(content) is None


def test_a_build_notes_only_the_files_that_it_changes(tree: Place, session: Session) -> None:
    kael, pending = entity("Kael"), None
    for mentions in (3, 4, 5):
        pending = build(session, entity("Melina", mentions=mentions), kael, pending=pending).pending
    changed = kael._replace(salience=0.50001)  # which makes the same file
    for _ in range(2):
        pending = build(session, entity("Melina", mentions=5), changed, pending=pending).pending
    done = build(session, entity("Melina", mentions=5), changed, pending=pending)
    assert (done.writes, done.pending.before, done.pending.after) == ((), {}, {})
    assert "mentions: 5\n" in tree.read(MELINA_PATH)


def strike(tree: Place, path: str, *words: str) -> None:
    """Remove the lines with these words from a file."""
    lines = tree.read(path).split("\n")
    tree.write(path, "\n".join(line for line in lines if not any(word in line for word in words)))


def test_a_struck_relation_stays_struck_under_each_name_of_the_other(
    tree: Place, session: Session
) -> None:
    def grow(other: str, *aliases: str) -> str:
        relation = EntityRelation(other, RelationType.ALLY, 0.4, 0.5, (1,))
        melina = entity("Melina")._replace(relations=(relation,))
        build(session, melina, entity(other)._replace(aliases=aliases, relations=()))
        return tree.read(MELINA_PATH)

    assert "ally: Kael" in grow("Kael")
    assert "ally: Kael Thorne" in grow("Kael Thorne", "Kael")
    strike(tree, MELINA_PATH, "ally: Kael")
    for name, aliases in (
        ("Kael Thorne", ("Kael",)),
        ("Lord Kael Thorne", ("Kael Thorne", "Kael")),
        ("Kael", ("Lord Kael Thorne",)),
        ("Thorne", ("Kael",)),
        ("Kael", ()),
    ):
        assert "ally" not in grow(name, *aliases)
    assert "ally: Voss" in grow("Voss")


def test_what_is_struck_of_one_of_two_entities_stays_struck_when_they_are_one(
    tree: Place, session: Session
) -> None:
    short = entity("Melina", "Carries a blade", "Fears fire")
    full = entity("Melina Vale", "Sings", mentions=9)
    build(session, short, full, entity("Kael")._replace(relations=()))
    strike(tree, MELINA_PATH, "Fears fire", "ally: Kael")
    united = entity("Melina Vale", "Carries a blade", "Fears fire", "Sings", mentions=12)
    for mentions in (12, 13):
        one = united._replace(aliases=("Melina",), mentions=mentions)
        build(session, one, entity("Kael")._replace(relations=()))
        text = tree.read(f"{FOLDER}/ENT-002-melina-vale.md")
        assert "Fears fire" not in text
        assert ("Carries a blade" in text, "ally: Kael" in text) == (True, True)
    assert "Fears fire" not in tree.read(MELINA_PATH)
