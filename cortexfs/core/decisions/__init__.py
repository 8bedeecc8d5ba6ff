"""Decisions: what they weigh, how they are settled, and whether they stay as they were."""
