"""One file, one use case, one public function of the same name.

Code that several operations share belongs in `operations.shared`, rules about content in `core`.
Operations do not open files, run SQL or git, or print.
"""
