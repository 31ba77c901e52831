"""Twin of engine/recall/index.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recalling import asked, index_of, keys, node, turn, unit
from selfimprint.engine.recall.index import HotIndex
from selfimprint.engine.recall.items import Item

WORDS = ("cat", "dog", "garden", "Tartu", "piano", "yesterday", "why?", "I", "you", "seven")
QUESTIONS = ("When did Anna see the cat in the garden?", "what does Ben play", "")

texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=6).map(" ".join)


@st.composite
def items(draw: st.DrawFn) -> list[Item]:
    made: list[Item] = []
    for number in range(draw(st.integers(2, 14))):
        text, session = draw(texts), draw(st.sampled_from(["s1", "s2"]))
        speaker = draw(st.sampled_from(["Anna", "Ben"]))
        if draw(st.booleans()):
            made.append(turn(f"t{number}", text, speaker, position=draw(st.integers(0, 9)), session=session))
        else:
            evidence = f"t{draw(st.integers(0, 14))}"
            made.append(node(f"n{number}", text, turn_key=evidence, subject=speaker, session=session))
    return made


def vector_of(key: str) -> np.ndarray:  # type: ignore[type-arg]
    number = int(key[1:])
    return unit(1.0, np.sin(number), np.cos(3 * number), number % 3)


def answers(index: HotIndex) -> list[tuple[dict[str, object], dict[str, set[str]], object]]:
    """Scores, nodes and confidence for every question; scores are sums of floats, equal up to their last bits."""
    found = []
    for text in QUESTIONS:
        for vector in (None, unit(1, 0.5, 0.2, 1)):
            ranking = asked(index, text, vector=vector)
            scores: dict[str, object] = {hit.key: pytest.approx(hit.score, abs=1e-4) for hit in ranking.hits}
            nodes = {hit.key: set(hit.nodes) for hit in ranking.hits}
            found.append((scores, nodes, pytest.approx(ranking.confidence, abs=1e-4)))
    return found


def filled(given_items: list[Item], *, one_by_one: bool = False) -> HotIndex:
    index = HotIndex()
    for item in given_items if one_by_one else ():
        index.add([item])
    index.add(given_items)
    chosen = sorted(item.key for item in given_items if int(item.key[1:]) % 4)
    if chosen:
        index.set_vectors(chosen, np.stack([vector_of(key) for key in chosen]))
    return index


@settings(max_examples=40, deadline=None)
@given(items(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(made: list[Item], random: object) -> None:
    """Items added at once and one by one in any order rank alike."""
    shuffled = list(made)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert answers(filled(shuffled, one_by_one=True)) == answers(filled(made))


@settings(max_examples=40, deadline=None)
@given(items(), st.data())
def test_removed_is_never_added(made: list[Item], data: st.DataObject) -> None:
    """After a removal every ranking is that of an index that never held the item."""
    gone = set(data.draw(st.lists(st.sampled_from([item.key for item in made]), unique=True)))
    index = filled(made)
    index.remove(gone)
    assert answers(index) == answers(filled([item for item in made if item.key not in gone]))
    assert len(index) == len(made) - len(gone)


@settings(max_examples=40, deadline=None)
@given(items(), st.data())
def test_excluded_is_as_good_as_removed_but_for_word_weights(made: list[Item], data: st.DataObject) -> None:
    """An excluded turn and the nodes learned from it are no hits, and no part of a hit depends on their words."""
    gone = frozenset(data.draw(st.lists(st.sampled_from([item.key for item in made]), unique=True)))
    changed = [item if item.key not in gone else _with_other_words(item) for item in made]
    one, other = filled(made), filled(changed)
    for text in ("piano", "zebra"):
        hits, others = asked(one, text, exclude=gone).hits, asked(other, text, exclude=gone).hits
        assert not gone & {hit.key for hit in hits} and not gone & {n for hit in hits for n in hit.nodes}
        assert {hit.key for hit in hits} == {hit.key for hit in others}
        assert {h.key for h in hits if h.parts.get("lexical")} == {h.key for h in others if h.parts.get("lexical")}


def _with_other_words(item: Item) -> Item:
    fields = {name: getattr(item, name) for name in Item.__dataclass_fields__}
    return Item(**{**fields, "text": f"zebra piano {item.text}"})


def test_a_removed_word_is_forgotten() -> None:
    """A word, a name and a session that only a removed item had are nowhere in the index."""
    index = index_of(turn("t1", "the zebra sings", "Zoe", session="secret"), turn("t2", "hello", "Ben", position=1))
    index.set_vectors(["t1"], unit(1, 2)[None])
    index.remove(["t1"])
    stored = b"".join(index.to_blocks().values())
    assert not any(word in stored for word in (b"zebra", b"Zoe", b"zoe", b"secret", b"sing"))
    assert index.vectors.rows is not None and not index.vectors.rows.view.any()


def test_an_item_is_replaced_by_its_key() -> None:
    """The newer item of a key counts, and keeps the vector only if the text is the same."""
    index = index_of(turn("t1", "a cat"), turn("t2", "nothing", position=1))
    index.set_vectors(["t1"], unit(1, 0)[None])
    index.add([turn("t1", "a cat", session="s2")])
    assert index.without_vector(["t1"]) == [] and index.item("t1").session == "s2"
    index.add([turn("t1", "a dog", session="s2")])
    assert index.without_vector(["t1", "t9"]) == ["t1"]
    assert keys(asked(index, "dog"))[0] == "t1" and len(index) == 2


def test_vectors_of_another_width_are_refused() -> None:
    """A second width is an error until the vectors are cleared."""
    index = index_of(turn("t1", "a cat"), turn("t2", "a dog", position=1))
    index.set_vectors(["t1"], unit(1, 0)[None])
    with pytest.raises(ValueError, match="2 wide"):
        index.set_vectors(["t2"], unit(1, 0, 0)[None])
    index.clear_vectors()
    index.set_vectors(["t2"], unit(1, 0, 0)[None])
    assert index.without_vector(["t1", "t2"]) == ["t1"]


def test_a_vector_that_is_no_direction_counts_as_none() -> None:
    """Zeros and values that are not finite leave the item without a vector."""
    index = index_of(turn("t1", "a cat"), turn("t2", "a dog", position=1))
    index.set_vectors(["t1", "t2"], np.array([[0, 0], [np.nan, 1]], np.float32))
    assert index.without_vector(["t1", "t2"]) == ["t1", "t2"]


def test_near_words_are_asked_for_and_match() -> None:
    """Words worth a vector are named, and a question for one then finds a turn that says its neighbour."""
    said = [
        ("t1", "my kitten sleeps"),
        ("t2", "the kitten eats"),
        ("t3", "a cat! a cat"),
        ("t4", "cat"),
        ("t5", "rain rain"),
    ]
    index = index_of(*(turn(key, text, "Anna", position=10 * n) for n, (key, text) in enumerate(said)))
    assert set(index.words_to_embed("en")) == {"kitten", "cat"}
    vectors = {"kitten": unit(1, 0.2, 0), "cat": unit(1, 0.1, 0), "rain": unit(0, 0, 1), "absent": unit(0, 1, 0)}
    index.set_word_vectors(vectors, "en")
    found = {hit.key: hit.parts.get("lexical", 0.0) for hit in asked(index, "cat").hits}
    assert found["t1"] > 0 and found["t5"] == 0 and found["t4"] > found["t1"]
    assert index.words_to_embed("en") == []
