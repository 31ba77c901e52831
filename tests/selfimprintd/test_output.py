"""What a person reads: golden texts."""

from __future__ import annotations

from selfimprintd import output


def test_what_was_learned_is_said_in_words() -> None:
    """New, changed and heard again are told apart; a duplicate is said to be one."""
    said = output.added([
        {"state": "searchable", "warnings": ["no time was given"], "learned": [
            {"type": "fact", "content": "lives in Tallinn", "change": "superseded"},
            {"type": "open_loop", "content": "find a flat", "change": "new"}]},
        {"duplicate": True},
    ])  # fmt: skip
    assert said == (
        "Stored (searchable).\n"
        "  changed: lives in Tallinn  [fact]\n"
        "  learned: find a flat  [open loop]\n"
        "  note: no time was given\n"
        "Already stored."
    )


def test_a_context_is_shown_with_what_it_rests_on() -> None:
    """The paragraph first, numbers after it; nothing known is said plainly."""
    answer = {"text": "Anna lives in Tartu.", "tokens": 6, "confidence": 0.834, "citations": [1, 2], "degraded": True}
    assert output.context(answer) == "Anna lives in Tartu.\n\n(6 tokens, confidence 83%, by words only, 2 citations)"
    assert output.context({"text": "", "empty": True}) == "Nothing is known about that yet."


def test_found_items_are_numbered_with_kind_and_score() -> None:
    """Best first; past and pinned things are marked."""
    items = [
        {"id": "n1", "type": "fact", "content": "tea", "score": 0.8123, "pinned": True},
        {"id": "m4", "kind": "turn", "text": "We had\ntea", "speaker": "Anna", "score": 0.5, "retired_at": "2026"},
    ]
    assert output.recalled({"items": items}) == (
        "  1. tea  [fact, 0.81, pinned]  n1\n  2. We had tea  [turn, 0.50, past, Anna]  m4"
    )
    assert output.recalled({"items": []}) == "Nothing found."


def test_a_reason_is_told_step_by_step_with_the_words() -> None:
    """Each cause below its effect, each with who said it and when."""
    told = {"evidence": [{"speaker": "Anna", "at": "2026-03-01T09:30:00+02:00", "text": "I quit"}]}
    answer = {
        "node": {"content": "sleeps badly", **told},
        "chains": [
            {"nodes": [{"content": "sleeps badly"}, {"content": "quit the job", **told}, {"content": "was ill"}]}
        ],
    }
    assert output.why(answer) == (
        'sleeps badly\n  told by Anna, 2026-03-01 09:30: "I quit"\n  because: quit the job\n'
        '    told by Anna, 2026-03-01 09:30: "I quit"\n    because: was ill'
    )
    assert output.why({"node": {"content": "x"}, "chains": []}) == "x\n  (no cause of it is known)"


def test_status_is_a_table_with_sizes_in_words() -> None:
    """Nested parts are named by their place."""
    about = {"pid": 7, "port": 7717, "version": "0.1.0"}
    answer = {"messages": 3, "embedding": {"depth": 0}, "disk_bytes": 1_530_000, "read_only": ""}
    assert output.status(answer, about) == (
        "daemon            running, pid 7, port 7717, version 0.1.0\n"
        "messages          3\n"
        "embedding: depth  0\n"
        "disk              1.5 MB\n"
        "read only         none"
    )


def test_a_timeline_and_a_list_say_how_to_go_on() -> None:
    """Minutes are enough to read; the next page is one option away."""
    node = {"id": "n1", "type": "event", "content": "moved"}
    entries = {"entries": [{"at": "2026-03-01T09:30:00+02:00", "node": node}], "next": "n1"}
    assert output.timeline(entries) == "2026-03-01 09:30  moved  [event]  n1\n... more: --cursor n1"
    assert output.nodes({"nodes": [node], "next": ""}) == "moved  [event]  n1"
    assert output.nodes({"nodes": []}) == "Nothing is known yet."
    assert output.timeline({"entries": []}).startswith("Nothing happened")


def test_a_node_is_its_words_and_a_table() -> None:
    """Empty fields are left out."""
    node = {"id": "n1", "type": "fact", "content": "tea", "weight": 0.98765, "pinned": False, "valid_to": None,
            "attributes": {"slot": "likes"}}  # fmt: skip
    assert (
        output.node(node)
        == "tea\nid          n1\ntype        fact\nweight      0.988\npinned      no\nattributes  slot likes"
    )


def test_checks_say_what_to_do_only_where_something_is_wrong() -> None:
    """One line when well, a second with the command when not."""
    assert (
        output.checks([(True, "settings", ""), (False, "daemon", "run: x")])
        == "ok   settings\nBAD  daemon\n     run: x"
    )


def test_content_cannot_drive_the_terminal() -> None:
    """Escape sequences and direction marks from a conversation are shown as what they are."""
    assert output.printable("a\x1b[2Jb\u202ec\x07\nd\tõ🌊") == "a\ufffd[2Jb\ufffdc\ufffd\nd\tõ🌊"


def test_sizes_in_words() -> None:
    """Decimal units, one digit."""
    assert [output.bytes_in_words(n) for n in (0, 999, 1000, 2_500_000, 10**15)] == [
        "0 B",
        "999 B",
        "1.0 KB",
        "2.5 MB",
        "1000.0 TB",
    ]
