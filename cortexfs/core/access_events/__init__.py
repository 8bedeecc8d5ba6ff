"""What a hook noted of another program's doing, understood as looks at atoms."""
