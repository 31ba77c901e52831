"""Twin of selfimprintd/answers.py: every route's answer fits the model that is documented for it."""

from __future__ import annotations

import json
from typing import Any

from calling import AT
from live import LiveServer

from selfimprintd import answers

ROUTES: tuple[tuple[str, str, Any, Any], ...] = (
    ("post", "/api/v1/messages", {"role": "user", "content": "We live in Tartu", "at": AT}, answers.AddedMessages),
    ("post", "/api/v1/context", {"message": "tartu"}, answers.ContextAnswer),
    ("post", "/api/v1/recall", {"query": "tartu"}, answers.RecallAnswer),
    ("post", "/api/v1/drain", {}, answers.DrainAnswer),
    ("get", "/api/v1/nodes", None, answers.NodePage),
    ("get", "/api/v1/nodes/{id}", None, answers.NodeAnswer),
    ("patch", "/api/v1/nodes/{id}", {"pinned": True}, answers.ChangedAnswer),
    ("get", "/api/v1/why/{id}", None, answers.WhyAnswer),
    ("get", "/api/v1/why-not", None, answers.WhyNotAnswer),
    ("get", "/api/v1/graph", None, answers.GraphAnswer),
    ("get", "/api/v1/timeline", None, answers.TimelinePage),
    ("get", "/api/v1/sessions", None, answers.SessionPage),
    ("get", "/api/v1/sessions/{id}", None, answers.SessionAnswer),
    ("get", "/api/v1/deltas", None, answers.DeltaList),
    ("get", "/api/v1/status", None, answers.FreeAnswer),
    ("get", "/api/v1/health", None, answers.HealthAnswer),
    ("delete", "/api/v1/nodes/{id}", None, answers.ChangedAnswer),
    ("post", "/api/v1/undo/{delta}", {}, answers.UndoAnswer),
)


def test_every_route_answers_as_the_openapi_document_says(live: LiveServer) -> None:
    """Each documented operation is called, and its answer fits the model that the document names for it."""
    document = json.loads(live.ask("GET", "/api/v1/openapi.json")[2])
    documented = {(method, path) for path, methods in document["paths"].items() for method in methods}
    assert documented - {("get", "/api/v1/events")} == {(method, path) for method, path, _, _ in ROUTES}
    for method, path, body, model in ROUTES:
        named = document["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        assert named == f"#/components/schemas/{model.__name__}"
        id = "s1" if "sessions" in path else "n-default-0"
        target = path.format(id=id, delta="r-n-default-0") + ("?q=tea" if path.endswith("why-not") else "")
        status, _, answer = live.ask(method.upper(), target, body)
        assert status == 200, (path, answer)
        model.model_validate_json(answer)
