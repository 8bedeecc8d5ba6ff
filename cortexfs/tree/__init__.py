"""The truth on disk: where things are, and how they are written without loss."""
