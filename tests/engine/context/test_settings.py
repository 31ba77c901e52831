"""Twin of engine/context/settings.py: numbers that must fit one another."""

from __future__ import annotations

from dataclasses import fields, replace

from selfimprint.engine.context.compose import compose
from selfimprint.engine.context.parts import ContextItem, ContextRequest
from selfimprint.engine.context.settings import ComposeSettings

TURNS = tuple(
    ContextItem(
        key=f"m_{n}", text=f"We planted {tree} in the garden and watered it on the first evening.", score=1 - n / 9
    )
    for n, tree in enumerate(["an apple tree", "a plum tree", "a cherry", "a walnut", "a pear tree", "two vines"])
)


def test_shares_are_shares() -> None:
    """No part of the budget is nothing or more than the whole, and what may be used in doubt is less than all."""
    settings = ComposeSettings()
    shares = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name.endswith("_share")}
    assert len(shares) >= 7 and all(0 < share < 1 for share in shares.values())
    assert settings.profile_share + settings.statements_share < 1  # the turns keep a room of their own
    assert settings.profile_asked_share > settings.profile_share
    assert settings.statements_only_share > settings.statements_share
    assert settings.whole_turns < settings.sentence_candidates


def tokens(confidence: float, settings: ComposeSettings, budget: int = 80) -> int:
    """How much is said at this confidence of the ranking."""
    request = ContextRequest(
        question="What did we plant in the garden?", budget=budget, counter="words", confidence=confidence
    )
    return compose(TURNS, (), (), (), request, settings).tokens


def test_an_unsure_ranking_may_say_less() -> None:
    """Below `uncertain_below` only `uncertain_share` of the budget is used; from it on the whole is."""
    settings = ComposeSettings()
    used = settings.uncertain_share * 80
    assert tokens(settings.uncertain_below / 2, settings) <= used < tokens(settings.uncertain_below, settings)
    assert tokens(0.5, replace(settings, uncertain_below=0.6)) <= used


def test_settings_are_what_the_composer_goes_by() -> None:
    """Without whole turns, and with single sentences that are never worth their room, nothing is left to say."""
    settings = ComposeSettings()
    assert tokens(1.0, settings) > tokens(1.0, replace(settings, whole_turns=0, least_worth=1e9)) == 0
