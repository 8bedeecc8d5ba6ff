"""Which atom names which: what is tied to what, over how many steps, and drawn."""
