"""Tools that a model may call: how their arguments are declared and checked.

The tools themselves are tables of the programs that offer them.
"""
