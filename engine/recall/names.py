"""Small integers for strings that repeat."""

from __future__ import annotations

from selfimprint.engine.recall.columns import Column


class Names:
    """Numbers names in order of first use, counts their uses, forgets a name that nothing uses any more."""

    def __init__(self, names: list[str] | None = None, uses: list[int] | None = None) -> None:
        self.names: list[str] = []
        self.ids: dict[str, int] = {}
        self.uses: list[int] = []
        for name, count in zip(names or (), uses or (), strict=True):
            if count:
                self.ids[name] = len(self.names)
            self.names.append(name)
            self.uses.append(count)

    def take(self, name: str) -> int:
        """The number of a name, used once more."""
        number = self.ids.get(name)
        if number is None:
            number = self.ids[name] = len(self.names)
            self.names.append(name)
            self.uses.append(0)
        self.uses[number] += 1
        return number

    def drop(self, number: int) -> None:
        """One use less."""
        self.uses[number] -= 1
        if self.uses[number] == 0:
            del self.ids[self.names[number]]
            self.names[number] = ""


def release(pairs: tuple[tuple[Names, Column], ...], slot: int) -> None:
    """Drop one slot's use of every name."""
    for names, column in pairs:
        names.drop(int(column.view[slot]))
