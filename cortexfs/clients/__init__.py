"""Settings of other programs: add the entries of cortexfs and remove them exactly.

The modules edit texts, and the files that hold them. They do not use the tree.
"""
