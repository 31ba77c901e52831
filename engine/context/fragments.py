"""The stuff sentences are put together from: runs of text, some of which cite an item."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from selfimprint.engine.context.counters import TokenCounter
from selfimprint.engine.context.parts import Citation, ContextItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A run of text; with `item` set it is what that item says."""

    text: str
    item: ContextItem | None = None


Sentence = tuple[Fragment, ...]


def plain(text: str) -> Fragment:
    return Fragment(text=text)


def cost(fragments: Iterable[Fragment], count: TokenCounter) -> int:
    """Tokens of the fragments counted one by one: exact for counters that never join across a seam, else a guide."""
    return sum(count(fragment.text) for fragment in fragments)


def capitalised(sentence: Sequence[Fragment]) -> Sentence:
    """The sentence with its first letter upper-case."""
    if not sentence:
        return ()
    first = sentence[0]
    return (Fragment(text=first.text[:1].upper() + first.text[1:], item=first.item), *sentence[1:])


def filled(template: str, **values: Fragment | Sentence | str) -> Sentence:
    """A template's text and its `{field}` values as fragments, so that what a value cites keeps its place."""
    out: list[Fragment] = []
    rest = template
    while rest:
        head, brace, tail = rest.partition("{")
        if head:
            out.append(plain(head))
        if not brace:
            break
        name, _, rest = tail.partition("}")
        value = values[name]
        if isinstance(value, str):
            out.append(plain(value))
        elif isinstance(value, Fragment):
            out.append(value)
        else:
            out.extend(value)
    return tuple(fragment for fragment in out if fragment.text)


def joined(sentences: Iterable[Sentence]) -> tuple[str, tuple[Citation, ...]]:
    """The paragraph and, in its order, what stands where."""
    text: list[str] = []
    citations: list[Citation] = []
    position = 0
    for number, sentence in enumerate(sentence for sentence in sentences if sentence):
        for fragment in (plain(" "), *sentence) if number else sentence:
            end = position + len(fragment.text)
            if fragment.item is not None:
                item = fragment.item
                citations.append(Citation(key=item.key, message_id=item.evidence_message, start=position, end=end))
            text.append(fragment.text)
            position = end
    return "".join(text), tuple(citations)
