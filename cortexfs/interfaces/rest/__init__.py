"""The tree for programs, over HTTP: routes, their parameters, and the OpenAPI document.

A route calls one operation and answers with its JSON document. Who may ask is decided in `http`.
"""
