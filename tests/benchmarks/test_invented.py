from __future__ import annotations

import numpy as np
from invented import FUNCTION_WORDS, Language, Vectors


def test_words_are_said_as_often_as_in_real_talk() -> None:
    """Function words make up about half of what is said; content words are none of them."""
    rng = np.random.default_rng(1)
    language = Language(rng, words=2_000, names=5)
    said = language.sentence(4_000).rstrip(".").split()
    common = sum(word in set(FUNCTION_WORDS) for word in said) / len(said)
    assert 0.35 < common < 0.75
    assert not set(language.content_words(rng, 50).split()) & set(FUNCTION_WORDS)


def test_vectors_lie_in_a_cone() -> None:
    """Rows have length 1 and unrelated ones a cosine of about 0.75, as sentence embedders have."""
    rows = Vectors(np.random.default_rng(1), 384).rows(np.random.default_rng(2), 200)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    cosines = rows @ rows.T
    assert 0.70 < float(np.median(cosines)) < 0.80
