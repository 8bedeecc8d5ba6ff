"""The server of the Model Context Protocol: tools, resources and prompts, over stdio and HTTP.

What a client asks for is parsed here, an operation is called, and its result becomes text. Only
`sdk_server.py`, `serve_wire.py` and `http_server.py` import the SDK.
"""
