"""Requests and answers of chat completions, as chat front ends send them; nothing is sent here.

What a request says about a story, how memories are put into it, and what its answer says.
"""
