"""What texts mean, as vectors: the model that is installed, what it made of them, who is near."""
