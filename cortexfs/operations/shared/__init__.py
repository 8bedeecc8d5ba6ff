"""Code that several operations share; none of it is a use case.

A rule that needs no session belongs in `core`.
"""
