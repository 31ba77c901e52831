"""The lint on statements: constant text, no file access, one statement each, tables from a closed list."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from selfimprint.engine.graph import EdgeType, NodeType
from selfimprint.engine.store import cypher
from selfimprint.engine.store.cypher import SET_EDGE, SET_NODE, Query
from selfimprint.engine.store.records import HeldEdge, HeldNode

FOLDER = Path(cypher.__file__).parent
SENDERS = {"execute", "prepare", "PreparedStatement", "run", "_copy", "query"}
TABLES = {"Node", "Link"}


def violations(source: str) -> list[str]:
    """Calls that send a statement whose text is not a whole constant of the closed list."""
    found = []
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if name not in SENDERS or not call.args:
            continue
        text = call.args[1] if name == "PreparedStatement" and len(call.args) > 1 else call.args[0]
        if not is_closed(text):
            found.append(f"line {call.lineno}: {ast.unparse(call)}")
    return found


def is_closed(text: ast.expr) -> bool:
    """`Query.X`, `SET_NODE[...]`, `SET_EDGE[...]`, or a plain variable, annotated as a Query, and its `.value`."""
    match text:
        case ast.Attribute(value=ast.Name(id="Query")):
            return True
        case ast.Subscript(value=ast.Name(id="SET_NODE" | "SET_EDGE")):
            return True
        case ast.Attribute(value=ast.Name(id="query"), attr="value") | ast.Name(id="query" | "statement"):
            return True
    return False


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_statements_are_constants(path: Path) -> None:
    """No statement in the package is put together at run time."""
    assert violations(path.read_text()) == []


@pytest.mark.parametrize(
    "line",
    [
        'c.execute(f"MATCH (n:{label}) RETURN n")',
        'c.execute("MATCH (n:Node {id: \'" + key + "\'}) RETURN n")',
        'c.execute("MATCH (n:{}) RETURN n".format(label))',
        'c.execute("MATCH (n:%s) RETURN n" % label)',
        'c.prepare(" ".join(parts))',
        "d.PreparedStatement(c, Query.COUNT_NODES + tail, {})",
        'database.run("MATCH (n) RETURN n")',
        "database.run(text)",
    ],
)
def test_the_lint_sees(line: str) -> None:
    """Each way of putting a statement together is found."""
    assert len(violations(line)) == 1


def test_variables_named_query_are_queries() -> None:
    """What the lint lets pass under the name `query` is annotated as a member of the closed list, or chosen from it."""
    for path in FOLDER.glob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.arg) and node.arg == "query":
                assert node.annotation is not None and ast.unparse(node.annotation) == "Query", path
            if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "query" for t in node.targets):
                assert isinstance(node.value, ast.IfExp), path
                assert is_closed(node.value.body) and is_closed(node.value.orelse), path


def test_members_are_literals() -> None:
    """Every member of the closed list is one literal in the source."""
    [body] = [n.body for n in ast.walk(ast.parse(Path(cypher.__file__).read_text())) if isinstance(n, ast.ClassDef)]
    members = [n for n in body if isinstance(n, ast.Assign)]
    assert len(members) == len(Query)
    assert all(isinstance(n.value, ast.Constant) and isinstance(n.value.value, str) for n in members)


@pytest.mark.parametrize("query", Query, ids=lambda query: query.name)
def test_a_statement_is_harmless(query: Query) -> None:
    """One statement, no file, no extension, no other database, and no table or literal type but ours."""
    assert ";" not in query
    words = set(re.findall(r"[A-Z]{2,}", query.upper()))
    assert not words & {"LOAD", "EXPORT", "IMPORT", "INSTALL", "ATTACH", "USE", "UNWIND", "EXTENSION", "MACRO"}
    if "COPY" in words:
        assert query in {"COPY Node FROM $rows", "COPY Link FROM $rows"}
    assert set(re.findall(r"[\w\)\(]:(\w+)", query)) <= TABLES
    assert not any(f"'{value}'" in query for value in (*NodeType, *EdgeType))


def test_every_field_can_be_set() -> None:
    """There is a SET for each held field but ids and ends, and it names that field only."""
    assert set(SET_NODE) == set(HeldNode.__dataclass_fields__) - {"id"}
    assert set(SET_EDGE) == set(HeldEdge.__dataclass_fields__) - {"id", "from_id", "to_id"}
    for fields in (SET_NODE, SET_EDGE):
        for name, query in fields.items():
            assert re.findall(r"SET \w\.(\w+) = \$value RETURN", query) == [name]
