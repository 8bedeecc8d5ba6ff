"""The settings in `cortexfs.yaml`, and their defaults.

Also the environment variables of background processes. The settings of the user belong in
`tree.user_settings`.
"""
