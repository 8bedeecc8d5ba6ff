"""Search engines that others made, each alone: tantivy and bm25s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.engines import list_plain_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.engines import Search

    Rows = Iterable[tuple[str, str]]


def make_tantivy_search(rows: Rows) -> Search:
    """Return a search with tantivy's own tokens and English stems, in one field."""
    import tantivy  # noqa: PLC0415 - an extra

    fields = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(fields.add_text_field("path", stored=True, tokenizer_name="raw").build())
    writer = index.writer(50_000_000, 1)
    for path, text in rows:
        writer.add_document(tantivy.Document(path=path, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(query: str, most: int) -> list[str]:
        parsed = index.parse_query(" ".join(list_plain_words(query)), ["text"])
        hits = searcher.search(parsed, most).hits
        return [searcher.doc(place)["path"][0] for _, place in hits]

    return search


def make_bm25s_search(rows: Rows) -> Search:
    """Return a search with bm25s and Snowball stems; it needs all texts in memory at once."""
    import bm25s  # noqa: PLC0415 - not one of ours
    import Stemmer  # noqa: PLC0415

    paths, texts = zip(*rows, strict=True)
    options = {"stopwords": [], "stemmer": Stemmer.Stemmer("english"), "show_progress": False}
    model = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    model.index(bm25s.tokenize(texts, **options), show_progress=False)
    del texts

    def search(query: str, most: int) -> list[str]:
        line = " ".join(list_plain_words(query))
        words = bm25s.tokenize([line], return_ids=False, **options)
        found, scores = model.retrieve(words, k=min(most, len(paths)), show_progress=False)
        return [paths[n] for n, score in zip(found[0], scores[0], strict=True) if score > 0]

    return search
