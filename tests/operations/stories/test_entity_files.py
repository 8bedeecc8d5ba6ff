"""The files of entities in a tree, from build to build."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.changes.plan import Plan, PlanOnlyResult
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
    read_stored_entities,
)
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


def build(session: Session, *entities: StoryEntity) -> EntityPlan:
    """Write the files of these entities, as a rebuild does."""
    planned: list[EntityPlan] = []

    def decide(view: View) -> PlanOnlyResult:
        plan = plan_entity_files(view, read_stored_entities(view, "flywheel"), entities)
        planned.append(plan)
        made: Plan = plan_memory_writes(view, "build", plan.writes)
        return PlanOnlyResult(made._replace(removes=plan.removes))

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
