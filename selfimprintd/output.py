"""What the commands print for a person: pure functions from an answer to text, tolerant of what an answer lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Answer = Mapping[str, Any]

_CHANGES = {"new": "learned", "reinforced": "heard again", "superseded": "changed", "ended": "no longer"}
_UNITS = ("B", "KB", "MB", "GB", "TB")


def added(messages: Iterable[Answer]) -> str:
    lines = []
    for message in messages:
        if message.get("duplicate"):
            lines.append("Already stored.")
            continue
        lines.append(f"Stored ({message.get('state', 'stored')}).")
        lines += [
            f"  {_CHANGES.get(item.get('change', ''), 'noted')}: {item.get('content', '')}  [{_kind(item)}]"
            for item in message.get("learned", ())
        ]
        lines += [f"  note: {warning}" for warning in message.get("warnings", ())]
    return "\n".join(lines)


def context(answer: Answer) -> str:
    if answer.get("empty") or not answer.get("text"):
        too_small = int(answer.get("omitted") or 0) > 0
        return "The budget is too small for an answer." if too_small else "Nothing is known about that yet."
    note = f"({answer.get('tokens', '?')} tokens, confidence {_percent(answer.get('confidence'))}"
    if answer.get("degraded"):
        note += ", by words only"
    return f"{answer['text']}\n\n{note}, {len(answer.get('citations', ()))} citations)"


def recalled(answer: Answer) -> str:
    items = answer.get("items", ())
    if not items:
        return "Nothing found."
    return "\n".join(f"{number:>3}. {_line(item)}" for number, item in enumerate(items, 1))


def nodes(answer: Answer) -> str:
    items = answer.get("nodes", ())
    if not items:
        return "Nothing is known yet."
    lines = [_line(item) for item in items]
    if answer.get("next"):
        lines.append(f"... more: --cursor {answer['next']}")
    return "\n".join(lines)


def node(answer: Answer) -> str:
    hidden = {"content", "evidence", "touches", "pieces", "id"}
    rows = [(key.replace("_", " "), _value(value)) for key, value in answer.items() if key not in hidden]
    rows = [(key, value) for key, value in rows if value]
    return f"{answer.get('content', '')}\n" + _table([("id", str(answer.get("id", ""))), *rows])


def why(answer: Answer) -> str:
    held = answer.get("node", {})
    lines = [str(held.get("content", "")), *_told(held, "  ")]
    chains = [chain.get("nodes", ()) for chain in answer.get("chains", ())]
    for chain in chains:
        for depth, cause in enumerate(chain[1:], 1):
            lines.append(f"{'  ' * depth}because: {cause.get('content', '')}")
            lines += _told(cause, "  " * (depth + 1))
    if not chains:
        lines.append("  (no cause of it is known)")
    return "\n".join(lines)


def timeline(answer: Answer) -> str:
    entries = answer.get("entries", ())
    if not entries:
        return "Nothing happened in that time, as far as is known."
    lines = [f"{_minute(entry.get('at'))}  {_line(entry.get('node', {}))}" for entry in entries]
    if answer.get("next"):
        lines.append(f"... more: --cursor {answer['next']}")
    return "\n".join(lines)


def status(answer: Answer, about: Answer) -> str:
    rows = [("daemon", f"running, pid {about.get('pid')}, port {about.get('port')}, version {about.get('version')}")]
    rows += _flat(answer)
    return _table(rows)


def checks(found: Iterable[tuple[bool, str, str]]) -> str:
    """Doctor's list: what was looked at, and what to do about what is wrong."""
    return "\n".join(
        f"{'ok  ' if good else 'BAD '} {what}" + ("" if good else f"\n     {do}") for good, what, do in found
    )


def bytes_in_words(count: float) -> str:
    for unit in _UNITS:
        if count < 1000 or unit == _UNITS[-1]:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError("the last unit takes everything")


def printable(text: str) -> str:
    """Without control characters: what a conversation holds must not drive the terminal that shows it."""
    return "".join(char if char in "\n\t" or char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _flat(answer: Answer, prefix: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in answer.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        if isinstance(value, dict):
            rows += _flat(value, f"{name}: ")
        elif key.endswith("bytes") and isinstance(value, int | float):
            rows.append((name.removesuffix(" bytes"), bytes_in_words(value)))
        else:
            rows.append((name, _value(value) or "none"))
    return rows


def _table(rows: Iterable[tuple[str, str]]) -> str:
    rows = list(rows)
    width = max((len(key) for key, _ in rows), default=0)
    return "\n".join(f"{key:<{width}}  {value}" for key, value in rows)


def _told(held: Answer, indent: str) -> list[str]:
    """The words a node rests on, with who said them and when."""
    lines = []
    for quote in held.get("evidence", ()):
        by = ", ".join(word for word in (str(quote.get("speaker") or ""), _minute(quote.get("at"))) if word)
        lines.append(f'{indent}told{f" by {by}" if by else ""}: "{quote.get("text", "")}"')
    return lines


def _line(item: Answer) -> str:
    notes = [_kind(item)]
    if isinstance(item.get("score"), int | float):
        notes.append(f"{item['score']:.2f}")
    notes += [word for word in ("pinned", "archived", "sensitive") if item.get(word)]
    if item.get("valid_to") or item.get("retired_at"):
        notes.append("past")
    shown = item.get("id", "")
    notes += [str(item["speaker"])] if item.get("speaker") and item.get("kind") == "turn" else []
    text = " ".join(str(item.get("content") or item.get("text") or "").split())
    return f"{text}  [{', '.join(note for note in notes if note)}]" + (f"  {shown}" if shown else "")


def _kind(item: Answer) -> str:
    return str(item.get("type") or item.get("kind") or item.get("role") or "").replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_value(inner) for inner in value)
    return "" if value is None else str(value)


def _percent(value: Any) -> str:
    return f"{value:.0%}" if isinstance(value, int | float) else "unknown"


def _minute(value: Any) -> str:
    return str(value or "")[:16].replace("T", " ")
