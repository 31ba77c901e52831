from __future__ import annotations

import pytest
from selfimprint.engine.extraction.packs import PackError, bundled_languages, load_pack, pack_from_texts
from selfimprint.engine.extraction.packs.model import LazyPattern

MINIMAL = 'language = "xx"\n'


@pytest.mark.parametrize("language", bundled_languages())
def test_every_pattern_of_a_bundled_pack_compiles(language: str) -> None:
    """No bundled pack holds a malformed pattern, and rule ids are unique."""
    pack = load_pack(language)
    pack.compile()
    patterns: list[LazyPattern] = [p for _, p in pack.rule_patterns]
    assert patterns and all(pattern.regex.pattern for pattern in patterns)
    assert len({rule.id for rule in pack.rules}) == len(pack.rules)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "language"),
        (MINIMAL + "[surprise]\na = 1\n", "surprise"),
        (MINIMAL + '[[rule]]\nid = "a"\npatterns = ["{NOPE}"]\n', "NOPE"),
        (MINIMAL + '[[rule]]\nid = "a"\nslot = "shoe size"\npatterns = ["x"]\n', "shoe size"),
        (MINIMAL + '[[rule]]\nid = "a"\npattern = "x"\n', "pattern"),
        (MINIMAL + '[[rule]]\nid = "a"\npatterns = ["x"]\nin = ["maybe"]\n', "maybe"),
        (MINIMAL + '[[date]]\nkind = "soon"\npatterns = ["x"]\n', "soon"),
        (MINIMAL + '[guards]\nodd = ["x"]\n', "odd"),
        (MINIMAL + '[macros]\nA = "{A}"\n[[rule]]\nid = "a"\npatterns = ["{A}"]\n', "deep"),
    ],
)
def test_a_malformed_pack_names_what_is_wrong(text: str, named: str) -> None:
    """Unknown tables, keys, slots, macros and kinds are errors that name the culprit."""
    with pytest.raises(PackError, match=named):
        pack_from_texts([text])


def test_a_bad_regex_names_its_rule() -> None:
    """A pattern that does not compile is reported with its rule at first use."""
    pack = pack_from_texts([MINIMAL + '[[rule]]\nid = "broken"\npatterns = ["(a"]\n'])
    with pytest.raises(PackError, match="broken"):
        _ = pack.rules[0].patterns[0].regex


def test_files_of_one_language_merge() -> None:
    """Tables merge by key and rules concatenate; a contradiction is an error."""
    rule = '[[rule]]\nid = "{0}"\npatterns = ["{0}"]\n'
    pack = pack_from_texts([MINIMAL + rule.format("a"), rule.format("b")])
    assert [r.id for r in pack.rules] == ["a", "b"]
    with pytest.raises(PackError, match="language"):
        pack_from_texts([MINIMAL, 'language = "yy"\n'])


def test_an_unknown_language_has_no_pack() -> None:
    """Asking for a language nobody wrote a pack for is a clear error."""
    with pytest.raises(PackError, match="tlh"):
        load_pack("tlh")


@pytest.mark.parametrize("language", bundled_languages())
def test_compiling_a_pack_reaches_every_pattern(language: str) -> None:
    """After `compile` no pattern of the pack is left for the first message."""
    pack = load_pack(language)
    pack.compile()
    kept = [pack.connectives, pack.leading, pack.subject, *pack.mentions, *pack.naming, *pack.main_start]
    kept += [d.pattern for d in pack.dates] + [x.pattern for x in pack.links] + [p for _, p in pack.elisions]
    kept += [p for rule in pack.rules for p in (*rule.patterns, *rule.excludes, *rule.requires)]
    kept += [p for group in (*pack.guards.values(), *pack.signals.values()) for p in group]
    assert all("regex" in vars(pattern) for pattern in kept)
