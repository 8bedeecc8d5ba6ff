"""Programs that run with the Python of a generator of clients, which has what these need."""
