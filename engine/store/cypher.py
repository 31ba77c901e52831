"""Every statement the Kùzu adapters ever run, as constants: no text of theirs is put together at run time.

Cypher reads and writes files, so its text must never depend on data; values go in as parameters. Tables are named by
the statements themselves, types and slots are parameters drawn from the closed enums of `selfimprint.engine.graph`.
`all` is a reserved word, hence `$retired` and `$archived` for "these too".
"""

from __future__ import annotations

from enum import StrEnum


class Query(StrEnum):
    """Statements; a parameter keeps one type for the life of the prepared statement."""

    CREATE_NODES = (
        "CREATE NODE TABLE Node(id STRING PRIMARY KEY, type STRING, subject STRING, slot STRING, content STRING, "
        "created_at TIMESTAMP, valid_from TIMESTAMP, valid_to TIMESTAMP, retired_at TIMESTAMP, "
        "archived_at TIMESTAMP, confidence DOUBLE, is_inference BOOLEAN)"
    )
    CREATE_EDGES = (
        # The ends stand in the edge as well: reading a property of the far node costs a scan of all nodes on kuzu.
        "CREATE REL TABLE Link(FROM Node TO Node, id STRING, type STRING, from_id STRING, to_id STRING, "
        "confidence DOUBLE, is_inferred BOOLEAN, created_at TIMESTAMP, retired_at TIMESTAMP)"
    )
    LOAD_NODES = "COPY Node FROM $rows"
    LOAD_EDGES = "COPY Link FROM $rows"
    POOL = "CALL BM_INFO() RETURN *"
    BEGIN = "BEGIN TRANSACTION"
    COMMIT = "COMMIT"
    ROLLBACK = "ROLLBACK"

    ADD_NODE = (
        "CREATE (n:Node {id: $id, type: $type, subject: $subject, slot: $slot, content: $content, "
        "created_at: $created_at, valid_from: $valid_from, valid_to: $valid_to, retired_at: $retired_at, "
        "archived_at: $archived_at, confidence: $confidence, is_inference: $is_inference}) RETURN n.id"
    )
    # One column each: every SET uses up pool memory for every column it names, changed or not.
    SET_NODE_TYPE = "MATCH (n:Node {id: $id}) SET n.type = $value RETURN n.id"
    SET_NODE_SUBJECT = "MATCH (n:Node {id: $id}) SET n.subject = $value RETURN n.id"
    SET_NODE_SLOT = "MATCH (n:Node {id: $id}) SET n.slot = $value RETURN n.id"
    SET_NODE_CONTENT = "MATCH (n:Node {id: $id}) SET n.content = $value RETURN n.id"
    SET_NODE_CREATED_AT = "MATCH (n:Node {id: $id}) SET n.created_at = $value RETURN n.id"
    SET_NODE_VALID_FROM = "MATCH (n:Node {id: $id}) SET n.valid_from = $value RETURN n.id"
    SET_NODE_VALID_TO = "MATCH (n:Node {id: $id}) SET n.valid_to = $value RETURN n.id"
    SET_NODE_RETIRED_AT = "MATCH (n:Node {id: $id}) SET n.retired_at = $value RETURN n.id"
    SET_NODE_ARCHIVED_AT = "MATCH (n:Node {id: $id}) SET n.archived_at = $value RETURN n.id"
    SET_NODE_CONFIDENCE = "MATCH (n:Node {id: $id}) SET n.confidence = $value RETURN n.id"
    SET_NODE_IS_INFERENCE = "MATCH (n:Node {id: $id}) SET n.is_inference = $value RETURN n.id"
    HAS_NODE = "MATCH (n:Node {id: $id}) RETURN n.id"
    REMOVE_NODE = "MATCH (n:Node {id: $id}) DETACH DELETE n"
    ADD_EDGE = (
        "MATCH (a:Node {id: $from_id}), (b:Node {id: $to_id}) CREATE (a)-[e:Link {id: $id, type: $type, "
        "from_id: $from_id, to_id: $to_id, confidence: $confidence, is_inferred: $is_inferred, "
        "created_at: $created_at, retired_at: $retired_at}]->(b) RETURN e.id"
    )
    HAS_EDGE = "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id RETURN e.id"
    SET_EDGE_TYPE = (
        "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id "
        "SET e.type = $value RETURN e.id"
    )
    SET_EDGE_CONFIDENCE = (
        "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id "
        "SET e.confidence = $value RETURN e.id"
    )
    SET_EDGE_IS_INFERRED = (
        "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id "
        "SET e.is_inferred = $value RETURN e.id"
    )
    SET_EDGE_CREATED_AT = (
        "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id "
        "SET e.created_at = $value RETURN e.id"
    )
    SET_EDGE_RETIRED_AT = (
        "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id "
        "SET e.retired_at = $value RETURN e.id"
    )
    REMOVE_EDGE = "MATCH (a:Node {id: $from_id})-[e:Link]->(:Node) WHERE e.id = $id AND e.to_id = $to_id DELETE e"

    HOP_FROM_ONE = (
        "MATCH (a:Node {id: $id})-[e:Link]-(:Node) WHERE e.type IN $types AND ($retired OR e.retired_at IS NULL) "
        "RETURN e.id, e.type, e.from_id, e.to_id, e.confidence, e.is_inferred, e.created_at, e.retired_at"
    )
    HOP_FROM_MANY = (
        "MATCH (a:Node)-[e:Link]-(:Node) WHERE a.id IN $ids AND e.type IN $types "
        "AND ($retired OR e.retired_at IS NULL) "
        "RETURN e.id, e.type, e.from_id, e.to_id, e.confidence, e.is_inferred, e.created_at, e.retired_at"
    )
    HIDDEN = (
        "MATCH (n:Node) WHERE n.id IN $ids AND ((NOT $retired AND n.retired_at IS NOT NULL) "
        "OR (NOT $archived AND n.archived_at IS NOT NULL)) RETURN n.id"
    )
    CAUSES = (
        "MATCH (a:Node {id: $id})-[e:Link* SHORTEST 1..30 (r, n | WHERE r.type = $type "
        "AND ($retired OR r.retired_at IS NULL) AND ($retired OR n.retired_at IS NULL) "
        "AND ($archived OR n.archived_at IS NULL))]->(b:Node) RETURN DISTINCT b.id"
    )
    EFFECTS = (
        "MATCH (a:Node {id: $id})<-[e:Link* SHORTEST 1..30 (r, n | WHERE r.type = $type "
        "AND ($retired OR r.retired_at IS NULL) AND ($retired OR n.retired_at IS NULL) "
        "AND ($archived OR n.archived_at IS NULL))]-(b:Node) RETURN DISTINCT b.id"
    )
    MATCHING = (
        "MATCH (n:Node) WHERE ($any_type OR n.type = $type) AND ($any_slot OR n.slot = $slot) "
        "AND ($any_subject OR n.subject = $subject) AND ($retired OR n.retired_at IS NULL) "
        "AND ($archived OR n.archived_at IS NULL) RETURN n.created_at, n.id"
    )
    COUNT_NODES = "MATCH (n:Node) RETURN count(*)"
    COUNT_EDGES = "MATCH (:Node)-[e:Link]->(:Node) RETURN count(*)"
    ALL_NODES = (
        "MATCH (n:Node) RETURN n.id, n.type, n.subject, n.slot, n.content, n.created_at, n.valid_from, n.valid_to, "
        "n.retired_at, n.archived_at, n.confidence, n.is_inference"
    )
    ALL_EDGES = (
        # The ends of the relation itself, not the copies in it: a check must see what a walk sees.
        "MATCH (a:Node)-[e:Link]->(b:Node) RETURN e.id, e.type, a.id, b.id, e.confidence, e.is_inferred, "
        "e.created_at, e.retired_at"
    )


SET_NODE = {
    "type": Query.SET_NODE_TYPE,
    "subject": Query.SET_NODE_SUBJECT,
    "slot": Query.SET_NODE_SLOT,
    "content": Query.SET_NODE_CONTENT,
    "created_at": Query.SET_NODE_CREATED_AT,
    "valid_from": Query.SET_NODE_VALID_FROM,
    "valid_to": Query.SET_NODE_VALID_TO,
    "retired_at": Query.SET_NODE_RETIRED_AT,
    "archived_at": Query.SET_NODE_ARCHIVED_AT,
    "confidence": Query.SET_NODE_CONFIDENCE,
    "is_inference": Query.SET_NODE_IS_INFERENCE,
}
"""The statement that sets a node's field."""

SET_EDGE = {
    "type": Query.SET_EDGE_TYPE,
    "confidence": Query.SET_EDGE_CONFIDENCE,
    "is_inferred": Query.SET_EDGE_IS_INFERRED,
    "created_at": Query.SET_EDGE_CREATED_AT,
    "retired_at": Query.SET_EDGE_RETIRED_AT,
}
"""The statement that sets an edge's field."""
