import re
import string
import tomllib
from importlib.resources import files

import pytest
from selfimprint.engine.context.wording import LANGUAGES, known, wording

FIELDS_OF_SLOTS = {"value", "quoted"}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_region_tags_are_ignored_and_other_languages_are_worded_in_english() -> None:
    """A tag finds its language whatever its region or case; what we have no words for falls back to English."""
    assert [known(tag) for tag in ("de-AT", "RU", "pt_BR", "")] == ["de", "ru", "en", "en"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_templates_as_english(language: str) -> None:
    """No frame, slot or date form is missing anywhere, and each uses the same fields as in English."""
    ours, english = wording(language), wording("en")
    assert set(ours.slots) == set(english.slots)
    assert set(ours.said) == set(english.said)
    assert set(english.dates) <= set(ours.dates)
    assert set(ours.frames) == set(english.frames)
    for name, frame in english.frames.items():
        if isinstance(frame, str):
            assert fields(ours.frames[name]) == fields(frame), name
        else:
            assert set(ours.frames[name]) == set(frame)


@pytest.mark.parametrize("language", LANGUAGES)
def test_slot_templates_hold_one_value(language: str) -> None:
    """Each slot says its value once, plain or quoted, when affirmed and when denied."""
    for slot in wording(language).slots.values():
        assert len(fields(slot.now)) == 1 and fields(slot.now) <= FIELDS_OF_SLOTS
        assert not slot.not_now or fields(slot.not_now) <= FIELDS_OF_SLOTS
        assert slot.label


@pytest.mark.parametrize("language", LANGUAGES)
def test_months_and_weekdays_are_complete(language: str) -> None:
    """Twelve months in every case, and names for all seven days."""
    words = wording(language)
    cases = [names for key, names in words.dates.items() if key.startswith("months") and isinstance(names, list)]
    assert cases and all(len(names) == 12 for names in cases)
    assert set(words.relative.weekdays.values()) == set(range(7))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_relative_expression_holds_an_anchor(language: str) -> None:
    """A text without an anchor is not looked at, so an expression without one would never get its note."""
    data = tomllib.loads(files("selfimprint.engine.context.data").joinpath(f"{language}.toml").read_text("utf-8"))
    anchors = wording(language).relative.anchors
    for rule in data["relative"]["rules"]:
        outside = re.sub(r"\([^()]*\)", lambda group: group[0].replace("|", "/"), rule["pattern"])
        for alternative in outside.casefold().split("|"):
            assert "{weekday}" in alternative or any(anchor in alternative for anchor in anchors), alternative
