from __future__ import annotations

import pytest
from selfimprint.engine.extraction.secrets import PLACEHOLDER, iban_valid, luhn, redact

# Assembled at run time, so that secret scanners do not stop at this file.
KEYS = {
    "api_key": ["sk-" + "a1B2" * 8, "gh" + "p_" + "x" * 36, "AKIA" + "ABCD1234" * 2, "xox" + "b-1234567890-abcdef"],
    "jwt": ["eyJhbGciOiJI." + "eyJzdWIiOiIx." + "c2lnbmF0dXJl"],
    "card": ["4111 1111 1111 1111", "5500-0000-0000-0004"],
    "iban": ["DE89 3704 0044 0532 0130 00"],
    "private_key": ["-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc\n-----END OPENSSH " + "PRIVATE KEY-----"],
}


@pytest.mark.parametrize(("kind", "secret"), [(kind, s) for kind, group in KEYS.items() for s in group])
def test_known_shapes_are_taken_out(kind: str, secret: str) -> None:
    """Each known shape is replaced, its kind reported and the words around it kept."""
    result = redact(f"look at {secret} please")
    assert secret not in result.text and result.found == (kind,)
    assert result.text == f"look at {PLACEHOLDER} please"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is Tr0ub4dor&3.", "Tr0ub4dor&3"),
        ("the wifi password is sunflower", "sunflower"),
        ("password: hunter2", "hunter2"),
        ("My PIN is 4931", "4931"),
        ("api_key=abcdef123456", "abcdef123456"),
        ("mein Passwort lautet Geheim123", "Geheim123"),
        ("мой пароль: Qwerty77", "Qwerty77"),
        ("пароль от почты - Qwerty77", "Qwerty77"),
        ("minu parool on kala123", "kala123"),
        ("mi contraseña es Luna2020", "Luna2020"),
        ("mon mot de passe est Soleil9", "Soleil9"),
        ("postgres://bob:s3cret@db/x", "s3cret"),
    ],
)
def test_named_credentials_are_taken_out(text: str, secret: str) -> None:
    """ "Password is …" in six languages, PINs, key assignments and passwords in URLs."""
    result = redact(text)
    assert secret not in result.text and PLACEHOLDER in result.text


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again",
        "the password is not working",
        "my order number is 1234567890123456",
        "call me at +49 30 1234567",
        "the secret is patience",
        "my token of love",
        "das Passwort ist falsch",
        "Bach wrote 1128 pieces between 1703 and 1750",
    ],
)
def test_ordinary_talk_is_left_alone(text: str) -> None:
    """Talking about passwords, numbers that fail the check digit, and proverbs stay as they are."""
    assert redact(text).text == text


def test_redaction_is_idempotent() -> None:
    """Redacted text comes back unchanged."""
    once = redact("my password is Tr0ub4dor&3 and card 4111111111111111").text
    assert redact(once).text == once


def test_check_digits() -> None:
    """Luhn and modulo 97 tell a typing error."""
    assert luhn("4111111111111111") and not luhn("4111111111111112")
    assert iban_valid("DE89370400440532013000") and not iban_valid("DE89370400440532013001")
