"""From a client's tool call to access events: which atoms it showed. No files, no clock."""
