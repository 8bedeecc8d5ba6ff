"""The rules for what an agent may write: requests in, verdicts and findings out.

The JSON of each client's hooks belongs in `interfaces.hooks`.
"""
