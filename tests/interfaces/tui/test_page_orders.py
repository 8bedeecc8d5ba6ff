"""The orders of a list: the first key goes on from the one that the page has at first."""

from __future__ import annotations

import pytest

from cortexfs.interfaces.tui.page_table import PAGES
from cortexfs.interfaces.tui.visit import begin_visit, choose_next_sort


@pytest.mark.parametrize(
    ("page", "orders"), [("recent", ["date", "id"]), ("project", ["reads", "date"])]
)
def test_the_next_order_is_known_before_a_page_is_loaded(page: str, orders: list[str]) -> None:
    visit = begin_visit(PAGES[page])
    assert [visit.request.sort, choose_next_sort(visit).request.sort] == orders
    for _ in PAGES[page].sorts:
        visit = choose_next_sort(visit)
    assert visit.request.sort == orders[0], "the orders come round"
