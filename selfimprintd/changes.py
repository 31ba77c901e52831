"""The owner's own changes: correcting, pinning, retiring a node, undoing a delta. Each is a delta like any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from selfimprint.engine.delta import Cause, GraphDelta, Operation, SetEdge, SetNode
from selfimprint.engine.errors import EngineError, UnknownId
from selfimprint.engine.graph import CoefficientPiece, Node, NodeType, PieceKind, Trust
from selfimprint.engine.making import with_attributes
from selfimprint.engine.timeline import WITHDRAWN
from selfimprint.engine.undo import undo

from selfimprintd.profile import Profile
from selfimprintd.views import node_view

PATCHABLE = ("content", "value", "valid_from", "valid_to", "pinned", "importance", "sensitive")


class BadChange(EngineError):
    code = "bad-change"


class Changes:
    def __init__(self, profile: Profile, new_id: Callable[[str], str]) -> None:
        self._profile = profile
        self._new_id = new_id

    def patch(self, node_id: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Correct a node. What the owner corrects is theirs: its trust becomes user-confirmed at least."""
        profile = self._profile
        with profile.lock:
            before = self._known(node_id)
            unknown = set(changes) - set(PATCHABLE)
            if unknown or not changes:
                raise BadChange(f"change one or more of {', '.join(PATCHABLE)}")
            after = self._patched(before, changes)
            delta = self._commit(Cause.CORRECTION, (SetNode(before=before, after=after),), f"corrected {node_id}")
            return {"delta": delta.id, "node": node_view(profile, after, profile.clock.now_us())}

    def retire(self, node_id: str) -> dict[str, Any]:
        """Take a node out of every answer; it stays on record and an undo brings it back."""
        profile = self._profile
        with profile.lock:
            before = self._known(node_id)
            if before.retired_at is not None:
                raise BadChange("the node is retired already; POST undo with its delta brings it back")
            now = profile.clock.now_us()
            after = replace(with_attributes(before, end_reason=WITHDRAWN), retired_at=now)
            operations: list[Operation] = [SetNode(before=before, after=after)]
            if before.type is not NodeType.PERSON:
                operations += [
                    SetEdge(before=e, after=replace(e, retired_at=now)) for e in profile.state.edges_of(node_id)
                ]
            delta = self._commit(Cause.RETIREMENT, tuple(operations), f"retired {node_id}")
            return {"delta": delta.id, "node": node_view(profile, after, now)}

    def undo(self, delta_id: str) -> dict[str, Any]:
        """Take a delta back field by field; what was changed since is left and listed."""
        profile = self._profile
        with profile.lock:
            found = next((d for _, d in profile.deltas() if d.id == delta_id), None)
            if found is None:
                raise UnknownId("no recorded delta has this id, or it is older than the history kept")
            plan = undo([found], profile.state)
            if not plan.operations:
                return {"delta": "", "undone": 0, "kept": list(plan.kept)}
            delta = self._commit(Cause.UNDO, plan.operations, f"undid {delta_id}", undoes=(delta_id,))
            return {"delta": delta.id, "undone": len(plan.operations), "kept": list(plan.kept)}

    def _patched(self, node: Node, changes: Mapping[str, Any]) -> Node:
        now = self._profile.clock.now_us()
        after = node
        for name, value in changes.items():
            match name:
                case "content" if isinstance(value, str) and value.strip():
                    after = replace(after, content=value.strip())
                case "value" if isinstance(value, str) and value.strip() and node.slot:
                    after = with_attributes(after, value=value.strip())
                case "valid_from" if value is None or isinstance(value, int):
                    after = replace(after, valid_from=value)
                case "valid_to" if value is None or isinstance(value, int):
                    after = with_attributes(replace(after, valid_to=value), end_reason="stated" if value else "")
                case "pinned" if isinstance(value, bool):
                    kind = PieceKind.PINNED if value else PieceKind.UNPINNED
                    piece = CoefficientPiece(since=now, coefficient=1.0, kind=kind)
                    after = replace(after, pieces=(*after.pieces, piece))
                case "importance" if isinstance(value, (int, float)) and not isinstance(value, bool):
                    if not 0 <= value <= 1:
                        raise BadChange("importance lies between 0 and 1")
                    after = replace(after, importance=float(value))
                case "sensitive" if isinstance(value, bool):
                    after = replace(after, sensitive=value)
                case _:
                    raise BadChange(f"{name} cannot take this value")
        if {"content", "value"} & set(changes) and after.trust is not Trust.USER_STATED:
            after = replace(after, trust=Trust.USER_CONFIRMED)
        return after

    def _commit(
        self, cause: Cause, operations: tuple[Operation, ...], reason: str, undoes: tuple[str, ...] = ()
    ) -> GraphDelta:
        delta = GraphDelta(
            id=self._new_id("d_"),
            cause=cause,
            recorded_at=self._profile.clock.now_us(),
            operations=operations,
            reasons=(reason,),
            undoes=undoes,
        )
        self._profile.commit(delta)
        return delta

    def _known(self, node_id: str) -> Node:
        node = self._profile.state.nodes.get(node_id)
        if node is None:
            raise UnknownId("no node has this id; list them with GET nodes")
        return node
