"""Ways to reach the verbs: parse words, call a verb, show its answer."""
