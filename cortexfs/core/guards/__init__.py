"""What an agent may write: its request in, a verdict out."""
