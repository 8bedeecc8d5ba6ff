"""The web panel: pages for people, rendered on the server from the results of operations.

It decides nothing, and works without JavaScript. Who may ask is decided in `interfaces/http`.
"""
