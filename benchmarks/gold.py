"""Gold for the figures: a data set in LoCoMo's format. Nothing here is needed to run the memory itself.

Each conversation has `sample_id`, `conversation` (`session_N` lists of `{dia_id, speaker, text}` and their
`session_N_date_time`) and `qa` (`question`, `answer`, `evidence`, `category`). Category 5 asks about the wrong speaker:
it has no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scores import Gold

CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
_SWAPPED = 5
_TURN_ID = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSet:
    golds: tuple[Gold, ...]
    units: tuple[dict[str, Any], ...]

    def texts(self) -> dict[str, dict[str, str]]:
        """Each conversation's turns by id."""
        found: dict[str, dict[str, str]] = {}
        for unit in self.units:
            found.setdefault(unit["conv"], {})[unit["id"]] = unit["text"]
        return found

    def spoken(self, form: str) -> dict[str, dict[str, str]]:
        """The same, each turn written by the form, like `{speaker}: {text}`."""
        found: dict[str, dict[str, str]] = {}
        for unit in self.units:
            found.setdefault(unit["conv"], {})[unit["id"]] = form.format(**unit)
        return found


def read_gold(path: Path) -> GoldSet:
    golds: list[Gold] = []
    units: list[dict[str, Any]] = []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        name = str(sample["sample_id"])
        own = list(_units(name, sample["conversation"]))
        units += own
        valid = {unit["id"] for unit in own}
        for number, asked in enumerate(sample["qa"]):
            golds.append(
                Gold(
                    qid=f"{name}:q{number}",
                    conv=name,
                    question=asked["question"],
                    category=CATEGORIES[asked["category"]],
                    evidence=tuple(dict.fromkeys(i for e in asked.get("evidence") or () for i in _ids(e, valid))),
                    answer=str(asked.get("answer", asked.get("adversarial_answer", ""))),
                    answerable=asked["category"] != _SWAPPED,
                )
            )
    return GoldSet(golds=tuple(golds), units=tuple(units))


def _units(name: str, conversation: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    sessions = [key for key in conversation if re.fullmatch(r"session_\d+", key)]
    for session in sorted(sessions, key=lambda key: int(key.removeprefix("session_"))):
        time = conversation.get(f"{session}_date_time", "")
        for turn in conversation[session]:
            picture = f" [shares an image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield {
                "conv": name,
                "id": turn["dia_id"],
                "session": session,
                "time": time,
                "speaker": turn["speaker"],
                "text": turn.get("text", "") + picture,
            }


def _ids(written: object, valid: set[str]) -> list[str]:
    """The turn ids in an evidence string; a few are malformed and some name several turns."""
    found = (f"D{int(a)}:{int(b)}" for a, b in _TURN_ID.findall(str(written)))
    return [i for i in found if i in valid]
