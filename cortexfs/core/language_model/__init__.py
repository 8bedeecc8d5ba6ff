"""What is known of a language model without asking it: settings, limits, the form of its answers.

`cortexfs.language_model` asks it.
"""
