"""Graph stores: followers of the journal that answer graph questions. The truth is elsewhere; any of them may be rebuilt."""
