"""The memories that clients keep in files of their own: read without loops, and given a digest.

Finding and opening these files belongs in the session.
"""
