"""The ways to reach the operations: parse input, call an operation, show its result.

Each package is one interface and imports no other, but for `cli`, which starts them. The modules
beside them are shared. Nothing here decides anything.
"""
