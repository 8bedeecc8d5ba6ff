"""What a tree that has grown needs: each module finds one sort of it, from values alone."""
