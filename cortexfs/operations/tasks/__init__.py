"""What can be done with tasks."""
