"""The benchmarks are scripts beside the packages: their folder goes onto the path as it does when one is run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
