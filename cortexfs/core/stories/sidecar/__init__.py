"""What a language model says of chunks, scenes and arcs: asked for, checked, and kept in files.

No model is asked here; everything works without one.
"""
