"""What a tree that has grown needs: each module finds one sort of it, from values alone.

What is wrong, and not only due, belongs in `core.checks`.
"""
