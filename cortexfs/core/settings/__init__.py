"""The settings in `cortexfs.yaml`, and their defaults.

The settings of the user belong in `tree.user_settings`.
"""
