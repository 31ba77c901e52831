"""The heads: small linear classifiers on an embedder's vector of a message (DESIGN §4.6); they need no text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from selfimprint.models.linear import Affine, Floats, Rows, softmax, unit
from selfimprint.models.lines import ABOUTS, MODALITIES, TYPES

SHIPPED = Path(__file__).parent / "trained"
"""Not `heads`: a folder of this module's own name hides it from type checkers."""

OUTPUTS: Mapping[str, tuple[str, ...]] = {
    "worth": ("no", "yes"),
    "type": TYPES,
    "about": ABOUTS,
    "modality": MODALITIES,
    "valence": ("very bad", "bad", "neutral", "good", "very good"),
    "importance": ("importance",),
}
"""Each head and what its outputs mean, in order. Importance is a value, the others are classes."""

VALENCE_LEVELS = (-0.65, -0.25, 0.0, 0.25, 0.65)
"""The valence each class of that head stands for; what is answered is the expected one. In cross-validation a
regression straight to the number told the sign about as well (0.78, classes 0.81) and felt lines from neutral ones
worse (AUC 0.66, classes 0.80)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the heads say of one message.

    `worth` is the probability that it holds something to remember. `type` (NodeType value → probability) and
    `importance` (0 to 1) are given that it does; `about`, `modality` and `valence` (−1 to 1) are for any message."""

    worth: float
    type: dict[str, float]
    about: dict[str, float]
    modality: dict[str, float]
    valence: float
    importance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Thresholds that belong to one embedder's heads, chosen when they were trained."""

    retire_worth: float
    """A candidate that rules made without a slot is better dropped when `worth` is below this."""
    add_worth: float
    """Where rules found nothing, a node may be added when `worth` is at least this,"""
    add_stated: float
    """the probability of modality "stated" is at least this,"""
    add_type: float
    """and so is the highest probability in `type` at least this."""

    def retires(self, judgement: Judgement) -> bool:
        return judgement.worth < self.retire_worth

    def adds(self, judgement: Judgement) -> str | None:
        """The node type to add where rules found nothing, or None."""
        kind = max(judgement.type, key=lambda name: judgement.type[name])
        sure = judgement.worth >= self.add_worth and judgement.modality["stated"] >= self.add_stated
        return kind if sure and judgement.type[kind] >= self.add_type else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """Trained heads for the embedder of that fingerprint: one affine map a head, calibration and scaling folded in."""

    fingerprint: str
    maps: Mapping[str, Affine]
    advice: Advice

    @property
    def width(self) -> int:
        return int(self.maps["worth"].weights.shape[0])

    @staticmethod
    def load(fingerprint: str, folder: Path = SHIPPED) -> Heads | None:
        """The heads for exactly that embedder; None when the folder has none. ValueError for a damaged file."""
        path = heads_path(fingerprint, folder)
        if not path.is_file():
            return None
        try:
            with np.load(path, allow_pickle=False) as stored:
                heads = _from_arrays({name: stored[name] for name in stored.files})
        except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
            raise ValueError(f"{path.name} is not a heads file: {error}") from error
        return heads if heads.fingerprint == fingerprint else None

    def save(self, folder: Path) -> Path:
        """Writes `<fingerprint>.npz` there and gives its path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = heads_path(self.fingerprint, folder)
        arrays: dict[str, Any] = {"fingerprint": np.array(self.fingerprint)}
        for name, mapping in self.maps.items():
            arrays[f"{name}_weights"], arrays[f"{name}_bias"] = mapping.weights, mapping.bias
        for name, value in asdict(self.advice).items():
            arrays[f"advice_{name}"] = np.array(value, dtype=np.float64)
        np.savez(path, **arrays)
        return path

    def judge(self, vectors: NDArray[np.floating]) -> list[Judgement]:
        """One judgement a row of float[n, width]; the rows' lengths do not matter. ValueError for another width."""
        if vectors.ndim != 2 or vectors.shape[1] != self.width:
            raise ValueError(f"heads of {self.fingerprint} read rows of {self.width}, not of shape {vectors.shape}")
        rows = unit(vectors)
        classes = {name: self._probabilities(name, rows) for name in ("worth", "type", "about", "modality")}
        valence = expected_valence(self.maps["valence"].scores(rows))
        importance = np.clip(self.maps["importance"].scores(rows)[:, 0], 0.0, 1.0)
        return [
            Judgement(
                worth=classes["worth"][at]["yes"],
                type=classes["type"][at],
                about=classes["about"][at],
                modality=classes["modality"][at],
                valence=float(valence[at]),
                importance=float(importance[at]),
            )
            for at in range(len(rows))
        ]

    def _probabilities(self, name: str, rows: Rows) -> list[dict[str, float]]:
        if not len(rows):
            return []
        table = softmax(self.maps[name].scores(rows))
        return [dict(zip(OUTPUTS[name], map(float, row), strict=True)) for row in table]


def expected_valence(scores: Rows) -> Floats:
    """The mean of the levels under the probabilities these scores give."""
    return np.asarray(softmax(scores) @ np.array(VALENCE_LEVELS))


def heads_path(fingerprint: str, folder: Path = SHIPPED) -> Path:
    """Where that embedder's heads lie; a fingerprint may hold any characters, the file name only plain ones."""
    return folder / (re.sub(r"[^A-Za-z0-9._-]", "_", fingerprint) + ".npz")


def _from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Heads:
    maps: dict[str, Affine] = {}
    width = arrays["worth_weights"].shape[0]
    for name, outputs in OUTPUTS.items():
        weights, bias = arrays[f"{name}_weights"], arrays[f"{name}_bias"]
        if weights.shape != (width, len(outputs)) or bias.shape != (len(outputs),):
            raise ValueError(f"head {name} has shape {weights.shape}")
        if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
            raise ValueError(f"head {name} holds a value that is no number")
        maps[name] = Affine(weights=weights.astype(np.float32), bias=bias.astype(np.float32))
    advice = Advice(**{field.name: float(arrays[f"advice_{field.name}"]) for field in fields(Advice)})
    return Heads(fingerprint=str(arrays["fingerprint"]), maps=maps, advice=advice)
