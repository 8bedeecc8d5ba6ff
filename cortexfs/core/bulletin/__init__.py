"""The bulletin: what a session should know at its start, chosen by score within a budget.

Pure: rows, texts and figures in, lines and text out. `operations.brief` gathers what goes in.
"""
