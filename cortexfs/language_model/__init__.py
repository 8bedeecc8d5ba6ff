"""The only package that asks a language model: a program or an address from the user's settings.

It knows nothing of bulletins or atoms. Each caller has a result that needs no model.
"""
