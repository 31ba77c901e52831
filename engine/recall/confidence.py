"""How likely it is that what was asked for is known at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.signals import Signals


def confidence(index: HotIndex, signals: Signals, allowed: NDArray[np.bool_]) -> float:
    """In [0, 1]; enough to word an answer carefully, not to refuse one."""
    return float(np.clip(signals.coverage.max(initial=0.0), 0.0, 1.0))
