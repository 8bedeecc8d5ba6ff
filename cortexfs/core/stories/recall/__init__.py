"""What of a story matters for what was said last: scores and their parts, from values alone.

Reading chunks, entities and the index of texts is the business of `operations/stories/`.
"""
