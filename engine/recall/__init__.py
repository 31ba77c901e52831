"""The derived hot index over turns and nodes, and the ranking of both for one question."""
