import os

from process_facts import resident_mib, wakeups_a_second


def test_a_process_tells_of_itself() -> None:
    """Our own memory is of a plausible size, and somebody who sleeps wakes up."""
    assert 5 < resident_mib(os.getpid()) < 100_000
    assert wakeups_a_second(os.getpid(), 0.05) > 0
