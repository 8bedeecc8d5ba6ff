"""What hooks print into a session: prepared as files, so that they only look it up.

Belongs here: the terms by which a prompt finds atoms, and the map of working folders to projects.
Not here: the text of a bulletin, and the hooks themselves (`hooks/`), which import nothing of ours.
"""
