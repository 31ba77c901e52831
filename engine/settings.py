"""Every number that the engine decides by, in one table of defaults. Sources: the whitepaper's section after each."""

from __future__ import annotations

from dataclasses import dataclass, field

from selfimprint.engine.graph import NodeType


@dataclass(frozen=True, slots=True, kw_only=True)
class DecaySettings:
    """Coefficients are shares of the weight that remain after one decay day (whitepaper §3.3)."""

    emotional_negative: float = 0.5
    emotional_positive: float = 0.85
    fact: float = 0.92
    event: float = 0.95
    event_significant: float = 0.98
    person: float = 0.97
    open_loop: float = 0.99
    hypothesis: float = 1.0  # its clock is confidence and timeout
    pinned: float = 1.0
    significant_above: float = 0.8  # importance, §3.3
    reinforcement: float = 0.15  # §3.3
    max_weight: float = 1.0
    active_from: float = 0.05  # §3.3: below it a node leaves the active graph
    max_reinforcements_a_day: int = 10  # §6, adversarial users
    idle_days_counted: int = 7  # §3.8.1: pause on inactivity
    inferred_edge_daily: float = 0.98  # design §3

    def of_type(self, node_type: NodeType, *, valence: float, importance: float) -> float:
        """The starting coefficient a day for a node of this type."""
        match node_type:
            case NodeType.EMOTIONAL_NOTE:
                return self.emotional_negative if valence < 0 else self.emotional_positive
            case NodeType.EVENT:
                return self.event_significant if importance > self.significant_above else self.event
            case NodeType.PERSON:
                return self.person
            case NodeType.OPEN_LOOP:
                return self.open_loop
            case NodeType.HYPOTHESIS:
                return self.hypothesis
            case NodeType.FACT:
                return self.fact


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """What the door lets through at most."""

    content_bytes: int = 128 * 1024  # design §4.1: longer messages are split
    node_content_chars: int = 4_000
    operations_a_delta: int = 20_000
    attribute_chars: int = 500
    evidence_a_node: int = 64
    touches_a_node: int = 512
    identifier_chars: int = 128
    earliest_us: int = -2_208_988_800_000_000  # 1900-01-01
    latest_us: int = 7_258_118_400_000_000  # 2200-01-01
    earliest_valid_us: int = -62_135_596_800_000_000  # 0001-01-01: validity may lie further off than what was said
    latest_valid_us: int = 253_402_300_799_999_999  # the end of 9999
    emotional_threshold: float = 0.2  # |valence| below it makes no emotional note, design §3


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveSettings:
    """When two statements are taken for the same thing."""

    same_event_overlap: float = 0.75  # share of the shorter text's stems
    same_link_overlap: float = 0.6  # for an endpoint of a causal link told again
    link_min_stems: int = 2
    link_window_days: int = 120
    named_max_stems: int = 3  # "because of the move": so few words name something told before
    named_max_nodes: int = 8  # a word in more nodes than this names none of them
    observed_confidence: float = 0.95  # whitepaper §3.9: observed edges 0.9–1.0
    session_gap_minutes: int = 30  # design §4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    decay: DecaySettings = field(default_factory=DecaySettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    resolve: ResolveSettings = field(default_factory=ResolveSettings)
