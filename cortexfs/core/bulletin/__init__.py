"""The bulletin: what a session should begin with, chosen and rendered from values."""
