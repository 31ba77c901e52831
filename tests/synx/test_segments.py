"""Twin of synx/segments.py."""

import random

import pytest
from selfimprint.synx import segments
from selfimprint.synx.errors import Damaged
from selfimprint.synx.segments import HEADER_BYTES, SegmentSeal

HEADER = segments.segment_header(5, b"s" * 32)
PAYLOADS = [b"one", b"", b"three" * 30]


def seal(header: bytes = HEADER, key: bytes = b"k" * 32, profile: bytes = b"p" * 16) -> SegmentSeal:
    return SegmentSeal(header, journal_key=key, profile=profile)


def segment(first: int = 1) -> bytes:
    return HEADER + b"".join(seal().seal(first + n, payload) for n, payload in enumerate(PAYLOADS))


def test_records_come_back_in_order() -> None:
    """A whole segment gives its records and no complaint."""
    data = segment()
    assert list(segments.records(data, seal())) == list(enumerate(PAYLOADS, start=1))
    scanned = segments.scan(data, seal(), expected_seq=1)
    assert (scanned.first_seq, scanned.last_seq, scanned.good_bytes, scanned.torn_bytes, scanned.damage) == (
        1,
        3,
        len(data),
        0,
        None,
    )
    assert HEADER_BYTES == 48


def test_every_cut_is_a_torn_tail_after_the_last_whole_record() -> None:
    """Cut anywhere, the records before stay, the rest is counted as torn, nothing is called damage."""
    data = segment()
    ends = [HEADER_BYTES]
    for payload in PAYLOADS:
        ends.append(ends[-1] + 16 + len(payload) + 16)
    for cut in range(HEADER_BYTES, len(data)):
        scanned = segments.scan(data[:cut], seal(), expected_seq=1)
        good = max(end for end in ends if end <= cut)
        assert (scanned.good_bytes, scanned.torn_bytes, scanned.damage) == (good, cut - good, None)


def test_a_tail_of_zeros_is_torn() -> None:
    """A file that grew before its bytes arrived is no damage."""
    data = segment()
    scanned = segments.scan(data + bytes(100), seal(), expected_seq=1)
    assert (scanned.good_bytes, scanned.torn_bytes, scanned.damage) == (len(data), 100, None)


def test_every_flipped_bit_is_noticed() -> None:
    """A changed bit in a record is damage, or makes its frame short at the very end; never another payload."""
    data = segment()
    whole = list(enumerate(PAYLOADS, start=1))
    for at in range(HEADER_BYTES * 8, len(data) * 8):
        changed = bytearray(data)
        changed[at // 8] ^= 1 << at % 8
        scanned = segments.scan(bytes(changed), seal(), expected_seq=1)
        assert scanned.damage is not None
        found = []
        with pytest.raises(Damaged):
            for record in segments.records(bytes(changed), seal()):
                found.append(record)
        assert found == whole[: len(found)]


def test_a_gap_a_swap_and_a_repeat_are_damage() -> None:
    """Records removed, exchanged or repeated do not run on."""
    pieces = [seal().seal(n, payload) for n, payload in enumerate(PAYLOADS, start=1)]
    for order in ([0, 2], [1, 0, 2], [0, 0, 1], [1, 2]):
        data = HEADER + b"".join(pieces[n] for n in order)
        assert segments.scan(data, seal(), expected_seq=1).damage is not None
    assert segments.scan(HEADER + pieces[1], seal(), expected_seq=None).damage is None


def test_a_record_belongs_to_its_segment_profile_key_and_number() -> None:
    """Moved to another segment, profile, key or number a record does not open."""
    record = seal().seal(1, b"mine")
    others = [
        seal(segments.segment_header(6, b"s" * 32)),
        seal(segments.segment_header(5, b"t" * 32)),
        seal(key=b"x" * 32),
        seal(profile=b"q" * 16),
    ]
    for other in others:
        with pytest.raises(Damaged):
            other.open(1, record[16:])
    with pytest.raises(Damaged):
        seal().open(2, record[16:])
    with pytest.raises(Damaged):
        seal(b"X" + HEADER[1:])


def test_random_bytes_end_quietly() -> None:
    """No input makes the scan fail otherwise than by saying damage or torn."""
    chance = random.Random(3)
    for _ in range(2000):
        data = HEADER + chance.randbytes(chance.randrange(200))
        scanned = segments.scan(data, seal(), expected_seq=1)
        assert scanned.first_seq is None and (scanned.damage is not None or scanned.torn_bytes == len(data) - 48)


def test_a_salt_of_another_length_is_refused() -> None:
    """The header has one length."""
    with pytest.raises(ValueError, match="32 bytes"):
        segments.segment_header(1, b"short")
