"""What every server over HTTP has in common: sockets, access, limits, headers; as ASGI.

Routes belong in `rest`, `web` and `mcp`; what they answer is decided by operations.
"""
