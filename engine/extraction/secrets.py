"""Credentials in a message become `[secret]` before anything is written (design §4.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

PLACEHOLDER = "[secret]"

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private_key", re.compile(
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)", re.DOTALL)),
    ("age_key", re.compile(r"\bAGE-SECRET-KEY-1[A-Z0-9]{20,}\b")),
    ("jwt", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}")),
    ("api_key", re.compile(
        r"(?<![\w-])(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"
        r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{18,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{20,}"
        r"|(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}"
        r"|pypi-[\w-]{30,}|dop_v1_[a-f0-9]{40,}|SG\.[\w-]{16,}\.[\w-]{16,}|key-[a-f0-9]{32}|SK[a-f0-9]{32}|gsk_[A-Za-z0-9]{30,}"
        r"|\d{8,10}:AA[\w-]{32,})(?![\w-])")),
    ("url_password", re.compile(r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)")),
    ("bearer", re.compile(r"(?i)(?<=\bbearer )[\w.~+/=-]{16,}")),
    ("aws_secret", re.compile(r"(?i)(?<=aws_secret_access_key)\s*[=:]\s*[\"']?[A-Za-z0-9/+=]{30,}")),
)  # fmt: skip
_CARD = re.compile(r"(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d]|[.,-]\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_SECRET_NOUN = (
    r"(?:password|passwort|kennwort|passphrase|passcode|passwd|pwd|pin(?:[ -]?(?:code|number|nummer))?|secret|"
    r"(?:api|access|secret)[ _-]?(?:key|token)|token|cvv|cvc|seed phrase|пароль|парол[ья]|пин-?код|пин|код доступа|"
    r"parool|salasõna|pin-?kood|contraseña|clave|código pin|mot de passe|mdp|code pin|code secret)"
)
_COPULA = r"(?:is|was|are|ist|war|lautet|heißt|on|oli|es|era|sera|est|était|это|был|=|:|->|—|-)"
_NAMED = re.compile(
    rf"(?i)(?<![\w-]){_SECRET_NOUN}(?![\w])(?P<middle>(?:[ \t]+[^\s:=]+){{0,4}}?)[ \t]*(?<![\w]){_COPULA}(?![\w])[ \t]*"
    r"(?P<quote>[\"'`“„«]?)(?P<secret>[^\s\"'`”“»]+)"
)
_SEPARATED = re.compile(rf"(?i)(?<![\w-]){_SECRET_NOUN}\s*[=:]\s*[\"'`]?(?P<secret>[^\s\"'`,;]{{3,}})")
_ORDINARY = re.compile(r"(?i)^[^\W\d_]+[.,;!?]*$")
_WORDLIKE_SECRET_NOUNS = re.compile(
    r"(?i)^(?:pass(?:word|wort|code|phrase)|kennwort|pwd|пароль|parool|salasõna|contraseña|mot de passe|mdp)"
)
_NEVER = frozenset(
    (
        "not wrong right correct incorrect too very so the a an my in on at for to expired required needed "
        "secure safe saved stored compromised weak strong broken invalid empty missing forgotten lost always "
        "never only still now nicht falsch richtig abgelaufen ein eine zu sehr weg vergessen hier da не "
        "неверный неправильный неверен забыт слишком vale õige unustatud aegunud liiga ei incorrecta "
        "incorrecto correcta mala olvidada muy no una un demasiado faux incorrect correct oublié trop pas un "
        "une what something anything nothing different changed reset gone also just really kept about mis que "
    ).split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """The text safe to store, and the kinds of secrets that were taken out, in order of finding."""

    text: str
    found: tuple[str, ...] = ()


def luhn(digits: str) -> bool:
    """Whether the digits pass the check of payment cards (ISO/IEC 7812-1, annex B)."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if i % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban_valid(text: str) -> bool:
    """Whether the check digits fit (ISO 13616, modulo 97)."""
    compact = text.replace(" ", "")
    if not 15 <= len(compact) <= 34:
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def _is_secret_word(noun: str, word: str) -> bool:
    bare = word.strip(".,;!?)(").casefold()
    if len(bare) < 3 or bare in _NEVER:
        return False
    if not _ORDINARY.match(word):
        return True
    return bool(_WORDLIKE_SECRET_NOUNS.match(noun)) and len(bare) >= 4


def redact(text: str) -> Redaction:
    """The text with credentials replaced; the same text for one that holds none. Idempotent."""
    found: list[str] = []

    def take(kind: str) -> str:
        found.append(kind)
        return PLACEHOLDER

    for kind, pattern in _SHAPES:
        text = pattern.sub(lambda m, kind=kind: take(kind), text)  # type: ignore[misc]

    def card(match: re.Match[str]) -> str:
        digits = re.sub(r"\D", "", match[0])
        return take("card") if luhn(digits) and len(set(digits)) > 1 else match[0]

    def named(match: re.Match[str]) -> str:
        secret = match["secret"]
        if secret.startswith(PLACEHOLDER) or not _is_secret_word(match[0], secret):
            return match[0]
        tail = secret[len(secret.rstrip(".,;!?)")) :] if len(secret) > 1 else ""
        return match[0][: match.start("secret") - match.start()] + take("password") + tail

    def separated(match: re.Match[str]) -> str:
        secret = match["secret"]
        if secret.startswith(PLACEHOLDER) or secret.casefold() in _NEVER:
            return match[0]
        return match[0][: match.start("secret") - match.start()] + take("password")

    text = _IBAN.sub(lambda m: take("iban") if iban_valid(m[0]) else m[0], text)
    text = _CARD.sub(card, text)
    text = _NAMED.sub(named, text)
    text = _SEPARATED.sub(separated, text)
    return Redaction(text=text, found=tuple(found))
