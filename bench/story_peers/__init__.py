"""Other programs that find names, each run in a process of its own."""
