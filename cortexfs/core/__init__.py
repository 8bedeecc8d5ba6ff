"""Values in, values out: every rule about content, in a subpackage for its subject.

No files, clock, environment, processes, printing or logging, and no module beside the
subpackages.
"""
