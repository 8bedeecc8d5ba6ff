"""The interfaces to the operations: parse input, call an operation, show its result.

Each package is one interface and imports no other, except `cli`, which starts them. The modules
beside them are shared. Interfaces contain no rules.
"""
