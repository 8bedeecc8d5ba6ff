"""Habits that recur over sessions: topics, questions, failures, edited files, wishes of the user.

Belongs here: what counts as the same habit, and when chance does not explain how often it recurs.
Not here: reading the events, and writing the observations (`operations.detect_patterns`).
"""
