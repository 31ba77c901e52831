"""Graph stores: followers of the journal that answer graph questions, and may be rebuilt at any time."""
