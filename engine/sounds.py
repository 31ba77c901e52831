"""Names across scripts: "Андрей" and "Andrei" are one name, and so are "Юлия" and "Yulia"."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "z", "з": "z", "и": "i", "й": "i",
        "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
        "х": "h", "ц": "ts", "ч": "c", "ш": "s", "щ": "s", "ъ": "", "ы": "i", "ь": "", "э": "e", "ю": "iu", "я": "ia",
    }
)  # fmt: skip
_SPELLINGS = (
    ("tsch", "c"), ("tch", "c"), ("sch", "s"), ("shch", "s"), ("sh", "s"), ("zh", "z"), ("ch", "c"), ("kh", "h"),
    ("ph", "f"), ("x", "ks"), ("w", "v"), ("y", "i"), ("j", "i"), ("ie", "e"), ("ck", "k"),
)  # fmt: skip
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_REPEATED = re.compile(r"(.)\1+")


@lru_cache(maxsize=4096)
def sound(name: str) -> str:
    """The skeleton that spellings of one name in two scripts share; within one it joins too much ("Jan", "Ian")."""
    folded = name.casefold().replace("ß", "ss")
    plain = folded.translate(_LETTERS)
    latin = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    for spelling, simple in _SPELLINGS:
        latin = latin.replace(spelling, simple)
    return _REPEATED.sub(r"\1", latin)


def is_cyrillic(name: str) -> bool:
    return _CYRILLIC.search(name) is not None
