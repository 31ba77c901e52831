"""Twin of selfimprintd/openapi.py."""

from __future__ import annotations

import json

from calling import send
from live import LiveServer


def test_the_document_names_its_failures_and_gives_examples(live: LiveServer) -> None:
    """Every operation lists problem+json by code; bodies carry an example that the route accepts."""
    document = json.loads(live.ask("GET", "/api/v1/openapi.json")[2])
    text = json.dumps(document)
    assert "HTTPValidationError" not in text
    assert document["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            if path.endswith("/health"):
                assert operation["security"] == []
                continue
            for status in ("401", "403", "421", "422", "423", "429", "500", "503"):
                content = operation["responses"][status]["content"]["application/problem+json"]
                for code, example in content["examples"].items():
                    assert example["value"]["code"] == code and str(example["value"]["status"]) == status
    for name in ("MessageIn", "ContextIn", "RecallIn"):
        example = document["components"]["schemas"][name]["examples"][0]
        path = {"MessageIn": "/messages", "ContextIn": "/context", "RecallIn": "/recall"}[name]
        send(live, "POST", path, example)
