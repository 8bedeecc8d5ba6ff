"""The rules for what an agent may write: requests in, verdicts and findings out. No files."""
