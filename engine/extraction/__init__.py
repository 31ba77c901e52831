"""Rule extraction: from the words of one message to candidates for nodes and edges, with language packs as data."""
