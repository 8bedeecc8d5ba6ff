"""One file, one use case, one public function of the same name.

What several operations need belongs in `operations.shared`, rules about content in `core`. No
file is opened here, no SQL or git is run, and nothing is printed.
"""
