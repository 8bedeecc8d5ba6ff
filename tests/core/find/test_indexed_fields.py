"""What of an atom goes into the full text, part by part."""

from __future__ import annotations

from cortexfs.core.find.indexed_fields import extract_indexed_fields


def test_each_part_of_an_atom_has_a_field_and_names_stay_whole() -> None:
    fields = {"id": "K-001", "summary": "Fast `pack.rs`", "tags": ("codec",), "status": "valid"}
    fields_of_text = extract_indexed_fields(fields, "## Results\n\nIt packs.\n")
    assert fields_of_text.title.split() == ["k", "001", "fast", "pack", "rs", "k-001", "pack.rs"]
    assert (fields_of_text.tags, fields_of_text.headings) == ("codec", "result")
    assert fields_of_text.body.split() == ["result", "it", "pack", "valid"]


def test_only_visible_headings_are_indexed_as_headings() -> None:
    body = "# Alpha ##\n```\n# beta\n```\n<!--\n# gamma\n-->\n  ## Delta\n"
    fields_of_text = extract_indexed_fields({}, body)
    assert fields_of_text.headings.split() == ["alpha", "delta"]
    assert {"beta", "gamma"} <= set(fields_of_text.body.split())


def test_names_in_body_and_fields_are_indexed_in_this_order() -> None:
    fields = {"summary": "Packs", "links": ("K-002",), "tags": ("c++",)}
    body = "It is in `pack.rs`.\n"
    indexed = extract_indexed_fields(fields, body)
    assert indexed.body.split() == ["it", "is", "in", "pack", "rs", "k", "002"]
    assert indexed.names.split() == ["c++", "pack.rs", "k-002"]
    assert extract_indexed_fields(fields, body, "", body.split()) == indexed
