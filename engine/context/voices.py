"""Whom the prose names as speaker or subject."""

from collections.abc import Iterable
from dataclasses import dataclass

from selfimprint.engine.context.parts import ContextItem
from selfimprint.engine.context.quoting import harmless
from selfimprint.engine.context.wording import Wording

_SELF = frozenset({"", "user", "me", "self"})
_ASSISTANT = frozenset({"assistant", "ai", "bot", "model"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """The user's name where it is known, how to call the others, and all names in lower case."""

    user: str
    assistant: str
    document: str
    tool: str
    names: frozenset[str]

    def speaker(self, item: ContextItem) -> str:
        """Who said an item."""
        name = item.speaker.strip().casefold()
        if item.role == "assistant" or name in _ASSISTANT:
            return self.assistant
        if item.role in ("document", "tool") and name in _SELF:
            return self.document if item.role == "document" else self.tool
        return self.user if name in _SELF else self._called(item.speaker)

    def _called(self, name: str) -> str:
        """A stranger's name; one that would pass for somebody else's voice stands in quotation marks."""
        shown = named(name)[:_LONGEST_NAME].strip()
        taken = (self.user, self.assistant, self.document, self.tool, *_VOICES)
        if any(map(str.isalnum, shown)) and shown.casefold() not in (voice.casefold() for voice in taken):
            return shown
        return f"“{shown or '?'}”"

    @staticmethod
    def is_user(item: ContextItem) -> bool:
        """Whether a node is about the user."""
        return item.person.strip().casefold() in _SELF or not named(item.person)

    def subject(self, item: ContextItem) -> str:
        """Whom a node is about."""
        if self.is_user(item):
            return self.user
        name = named(item.person)
        return f"{name} ({named(item.relation)})" if item.relation and item.relation.casefold() != "self" else name


_LONGEST_NAME = 60
_VOICES = "i we you ich wir du я мы ты ma mina me sa sina yo nosotros tú je nous tu system user human".split()
"""Words that speak for somebody; a name that is one of them is somebody's trick."""


def named(name: str) -> str:
    """A display name as it may stand in prose: one line, no marks that end a clause."""
    return " ".join(harmless(name).translate(_NO_MARKS).split())


_NO_MARKS = str.maketrans(dict.fromkeys(':;"“”„«».!?,()[]{}<>', " "))


def voices_for(base_profile: Iterable[ContextItem], items: Iterable[ContextItem], words: Wording) -> Voices:
    """The voices of a request: the user's own name comes from the base profile."""
    given = (item for item in base_profile if item.slot == "name" and item.status == "current" and not item.person)
    user = next((named(item.value) for item in given if item.value.strip()), words.said["self"])
    people = {part.casefold() for item in items for part in (item.speaker, item.person) if part}
    return Voices(
        user=user,
        assistant=words.said["assistant"],
        document=words.said["document"],
        tool=words.said["tool"],
        names=frozenset(word for name in (*people, user.casefold()) for word in name.split()),
    )
