from conversation_sample import messages, texts


def test_messages_differ_and_repeat() -> None:
    """All texts differ from one another and are the same at each call; sessions hold fifty turns in order of time."""
    assert len(set(texts(300))) == 300
    assert texts(20) == texts(30)[:20]
    made = messages(120)
    assert [m.session for m in made].count("talk-0") == 50
    assert [m.at_us for m in made] == sorted(m.at_us for m in made if m.at_us is not None)
