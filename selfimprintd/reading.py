"""The second reading: when a turn's vector has come, the heads judge it and correct what the rules made (design §4.6)."""

from __future__ import annotations

from selfimprintd.profile import Profile


class Reading:
    def read(self, profile: Profile, message_ids: list[str]) -> None:
        """Judge the turns and commit what follows."""
