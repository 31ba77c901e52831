"""Looking at what is kept: nodes, reasons, the graph around a node, the timeline, sessions. Moves nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from selfimprint.engine.errors import UnknownId
from selfimprint.engine.graph import Node, NodeType
from selfimprint.engine.intake import digest

from selfimprintd.profile import Profile
from selfimprintd.recalling import Recall
from selfimprintd.views import delta_view, edge_view, message_view, node_view, rounded, status_of

MAX_LIMIT = 500


class Browse:
    def __init__(self, profile: Profile, recall: Recall) -> None:
        self._profile = profile
        self._recall = recall

    def nodes(self, node_type: str, slot: str, subject: str, status: str, limit: int, cursor: str) -> dict[str, Any]:
        """Nodes by filter, newest first; empty filters match all; `cursor` is the `next` of the page before."""
        profile = self._profile
        with profile.lock:
            now = profile.clock.now_us()
            wanted = [
                n
                for n in profile.state.nodes.values()
                if (not node_type or n.type.value == node_type)
                and (not slot or n.slot == slot)
                and (not subject or subject in (n.subject, profile.items.name(n.subject)))
                and (status in ("", "all") or status_of(profile, n, now) == status)
            ]
            wanted.sort(key=lambda n: (-n.created_at, n.id))
            page, following = _page(wanted, [n.id for n in wanted], limit, cursor)
            return {"nodes": [node_view(profile, n, now) for n in page], "next": following, "total": len(wanted)}

    def node(self, node_id: str) -> dict[str, Any]:
        profile = self._profile
        with profile.lock:
            node = self._known(node_id)
            view = node_view(profile, node, profile.clock.now_us())
            view["edges"] = [edge_view(e) for e in profile.state.edges_of(node_id)]
            return view

    def why(self, node_id: str) -> dict[str, Any]:
        """Every chain of causes from the node, each link with its words; asked of the graph store."""
        profile = self._profile
        with profile.lock:
            self._known(node_id)
            graph: Any = profile.graph()
            paths = graph.chain(node_id, direction="causes", include_archived=True)
            now = profile.clock.now_us()
            chains = []
            for path in paths:
                if len(path) < 2:
                    continue
                links = [self._link(a, b) for a, b in itertools.pairwise(path)]
                chains.append(
                    {"nodes": [node_view(profile, profile.state.nodes[i], now) for i in path], "links": links}
                )
            chains.sort(key=lambda c: -len(c["nodes"]))
            return {"node": node_view(profile, profile.state.nodes[node_id], now), "chains": chains}

    def why_not(self, q: str) -> dict[str, Any]:
        """What was searched for a question and why nothing more came of it: counts, scores and reasons, no content."""
        profile = self._profile
        found = self._recall.find(q, preset="default", limit=50)
        with profile.lock:
            now = profile.clock.now_us()
            nodes = list(profile.state.nodes.values())
            statuses: dict[str, int] = {}
            for node in nodes:
                status = status_of(profile, node, now)
                statuses[status] = statuses.get(status, 0) + 1
            near = [
                {
                    "id": e.key,
                    "score": round(e.score, 4),
                    "status": status_of(profile, e.nodes[0], now) if e.nodes else "turn",
                    "superseded": e.superseded,
                    "sensitive": any(n.sensitive for n in e.nodes),
                    "parts": rounded(e.parts),
                }
                for e in found.entries[:10]
            ]
            return {
                "question": q,
                "language": found.language,
                "confidence": round(found.ranking.confidence, 4),
                "degraded": found.ranking.degraded,
                "searched": {"turns": len(profile.trace), "nodes": len(nodes), **statuses},
                "without_vector": len(profile.index.without_vector(list(profile.index.slots))),
                "nearest": near,
                "refused_inferences": sum(profile.refused.values()),
                "failed_messages": len(profile.failed),
            }

    def graph(self, center: str, hops: int, limit: int) -> dict[str, Any]:
        """The nodes within `hops` of the centre (or the newest, without one) and the edges between them."""
        profile = self._profile
        with profile.lock:
            now = profile.clock.now_us()
            if center:
                self._known(center)
                kept = self._around(center, max(0, min(hops, 4)), _bounded(limit))
            else:
                newest = sorted(profile.state.nodes.values(), key=lambda n: (-n.last_reinforced_at, n.id))
                kept = [n.id for n in newest if n.retired_at is None][: _bounded(limit)]
            inside = set(kept)
            edges = {e.id: e for i in kept for e in profile.state.edges_of(i)}
            return {
                "nodes": [node_view(profile, profile.state.nodes[i], now) for i in kept],
                "edges": [edge_view(e) for e in edges.values() if e.from_id in inside and e.to_id in inside],
            }

    def timeline(self, from_us: int | None, to_us: int | None, limit: int, cursor: str) -> dict[str, Any]:
        """Facts and events by when they were so, oldest first."""
        profile = self._profile
        with profile.lock:
            now = profile.clock.now_us()
            dated = []
            for node in profile.state.nodes.values():
                if node.type is NodeType.PERSON or node.retired_at is not None:
                    continue
                at = int(node.attribute("when")) if node.attribute("when") else (node.valid_from or node.created_at)
                if (from_us is None or at >= from_us) and (to_us is None or at < to_us):
                    dated.append((at, node))
            dated.sort(key=lambda pair: (pair[0], pair[1].id))
            page, following = _page(dated, [n.id for _, n in dated], limit, cursor)
            entries = [{"at": at, "node": node_view(profile, node, now)} for at, node in page]
            return {"entries": entries, "next": following, "total": len(dated)}

    def sessions(self, limit: int, cursor: str) -> dict[str, Any]:
        profile = self._profile
        with profile.lock:
            lines = sorted(profile.trace.sessions.items(), key=lambda pair: (-pair[1].last_at, pair[0]))
            page, following = _page(lines, [digest(name) for name, _ in lines], limit, cursor)
            entries = [
                {"id": name, "app": s.app, "messages": len(s.ids), "first_at": s.first_at, "last_at": s.last_at}
                for name, s in page
            ]
            return {"sessions": entries, "next": following, "total": len(lines)}

    def session(self, session: str, limit: int, cursor: str) -> dict[str, Any]:
        profile = self._profile
        with profile.lock:
            if session not in profile.trace.sessions:
                raise UnknownId("no session has this id; list them with GET sessions")
            turns = profile.trace.session(session)
            page, following = _page(turns, [m.id for m in turns], limit, cursor)
            return {"id": session, "messages": [message_view(m) for m in page], "next": following, "total": len(turns)}

    def deltas(self, limit: int) -> dict[str, Any]:
        profile = self._profile
        with profile.lock:
            found = []
            for seq, delta in profile.deltas():
                found.append(delta_view(seq, delta))
                if len(found) == _bounded(limit):
                    break
            return {"deltas": found}

    def _known(self, node_id: str) -> Node:
        node = self._profile.state.nodes.get(node_id)
        if node is None:
            raise UnknownId("no node has this id; list them with GET nodes")
        return node

    def _link(self, effect: str, cause: str) -> dict[str, Any]:
        for edge in self._profile.state.causes(effect):
            if edge.to_id == cause:
                return edge_view(edge)
        return {"from": effect, "to": cause}

    def _around(self, center: str, hops: int, limit: int) -> list[str]:
        kept = {center: None}
        edge: Iterable[str] = [center]
        for _ in range(hops):
            reached: dict[str, None] = {}
            for node_id in edge:
                for e in self._profile.state.edges_of(node_id):
                    other = e.to_id if e.from_id == node_id else e.from_id
                    if other not in kept:
                        reached[other] = None
            for node_id in reached:
                if len(kept) < limit:
                    kept[node_id] = None
            edge = [i for i in reached if i in kept]
        return list(kept)


def _bounded(limit: int) -> int:
    return max(1, min(limit, MAX_LIMIT))


def _page(items: list[Any], ids: list[str], limit: int, cursor: str) -> tuple[list[Any], str]:
    start = 0
    if cursor:
        if cursor not in ids:
            raise UnknownId("this cursor is not of this list; start again without one")
        start = ids.index(cursor) + 1
    page = items[start : start + _bounded(limit)]
    more = start + len(page) < len(items)
    return page, ids[start + len(page) - 1] if more and page else ""
