"""What `cortexfs.yaml` may say, and the defaults.

The settings of the user belong in `tree.user_settings`.
"""
