"""The rules of the daemon: when a job is due, when it is given up, what is ready, what is shown.

Nothing here reads a clock, a file or a socket; times are seconds that the caller passes in.
"""
