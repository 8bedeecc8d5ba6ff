"""The types of all JSON documents, for the OpenAPI document and for type checkers.

The command line imports none of them when it runs: they need `typing_extensions`.
"""
