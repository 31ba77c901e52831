"""What was known then: the profile as it was at a record-time instant, rebuilt by taking later deltas back."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from selfimprint.engine.delta import PutMessage
from selfimprint.engine.errors import EngineError
from selfimprint.engine.graph import DAY_US
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.state import GraphState
from selfimprint.engine.undo import inverse

from selfimprintd.items import Items
from selfimprintd.profile import Profile
from selfimprintd.strengths import Marks


class BeyondHistory(EngineError):
    """The instant lies before what history still holds."""

    code = "beyond-history"


@contextmanager
def as_known_at(profile: Profile, known_at: int) -> Iterator[Profile]:
    """A read-only copy of the profile as of `known_at` (record time), without what was recorded later."""
    with profile.lock:
        later = []
        reached = False
        for _, delta in profile.deltas():
            if delta.recorded_at <= known_at:
                reached = True
                break
            later.append(delta)
        if not reached and _is_cut(profile, len(later), known_at):
            raise BeyondHistory(
                f"history reaches back {profile.settings.history_days} days only; ask for a later known_at"
            )
        state = GraphState()
        state.load(profile.state.nodes.values(), profile.state.edges.values(), profile.state.activity_days)
        unsaid: set[str] = set()
        for delta in later:
            unsaid |= {op.message.id for op in delta.operations if isinstance(op, PutMessage)}
            for operation in inverse(delta):
                state.apply_operation(operation)
        then = copy.copy(profile)
        then.lock = threading.RLock()
        then.state = state
        then.marks = Marks()
        for node in state.nodes.values():
            then.marks.listen(None, node)
        then.strengths = then.strengths_over(state, then.marks)
        then.items = Items(state, profile.trace)
        then.index = HotIndex()
        turns = [profile.index.item(key) for key in profile.trace.known() if key not in unsaid and key in profile.index]
        then.index.add(turns)
        then.index.add([then.items.node(node) for node in state.nodes.values()])
        for turn in turns:
            vector = profile.vector_of(turn.key)
            if vector is not None:
                then.index.set_vectors([turn.key], vector[np.newaxis])
        then.age_from_now()
    yield then


def _is_cut(profile: Profile, seen: int, known_at: int) -> bool:
    """Deltas from after the instant may be missing: more were ever recorded than history holds, and it lies further
    back than history is kept."""
    kept_from = profile.clock.now_us() - profile.settings.history_days * DAY_US
    return profile.seq > seen and known_at < kept_from
