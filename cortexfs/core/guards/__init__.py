"""The rules for writes by an agent: requests as input, verdicts and findings as output.

The JSON of each client's hooks belongs in `interfaces.hooks`.
"""
