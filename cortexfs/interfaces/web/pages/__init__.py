"""One module for each page of the panel: it parses the request, calls operations, and renders.

What several pages show is in the templates; what a page needs to know is an operation.
"""
