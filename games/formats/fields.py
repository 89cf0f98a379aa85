"""A JSON object from a file that cannot be trusted, read one checked field at a time."""

from __future__ import annotations

from typing import Any

from games.formats.common import FormatError


class Fields:
    """The fields of `value`, which must be a JSON object; `owner` is what messages call it ("node 7").

    Every method raises `FormatError` for a field that is missing, unless it is given a `default`, or
    that is not what it should be. A field that is `null` counts as missing.
    """

    def __init__(self, value: object, owner: str) -> None:
        if not isinstance(value, dict):
            raise FormatError(f"The file is damaged: {owner} is not a JSON object.")
        self._fields: dict[str, Any] = value
        self._owner = owner

    def has(self, key: str) -> bool:
        return self._fields.get(key) is not None

    def text(self, key: str, most: int, default: str | None = None) -> str:
        """A string of at most `most` characters. Halves of surrogate pairs, which are no characters
        and cannot be drawn or saved, become U+FFFD."""
        value = self._get(key, default)
        if not isinstance(value, str) or len(value) > most:
            raise self._wrong(key, f"text of at most {most:,} characters")
        return well_formed(value)

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number from `least` to `most`."""
        value = self._get(key, default)
        if type(value) is not int or not least <= value <= most:  # JSON's true and false are ints to Python
            raise self._wrong(key, f"a whole number from {least:,} to {most:,}")
        return value

    def number(self, key: str, least: int, most: int) -> float:
        """A number from `least` to `most`."""
        value = self._get(key, None)
        if type(value) not in (int, float) or not least <= value <= most:
            raise self._wrong(key, f"a number from {least:,} to {most:,}")
        return float(value)

    def items(self, key: str, least: int, most: int) -> list[object]:
        """A list of `least` to `most` items."""
        value = self._get(key, None)
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise self._wrong(key, f"a list of {least:,} to {most:,} items")
        return value

    def fields(self, key: str) -> Fields:
        """An object inside this one."""
        return Fields(self._get(key, None), f"“{key}” of {self._owner}")

    def _get(self, key: str, default: object) -> Any:
        value = self._fields.get(key)
        if value is None:
            value = default
        if value is None:
            raise FormatError(f"“{key}” of {self._owner} is missing.")
        return value

    def _wrong(self, key: str, wanted: str) -> FormatError:
        return FormatError(f"“{key}” of {self._owner} must be {wanted}.")


def well_formed(text: str) -> str:
    """`text` with pairs of surrogates joined and single ones replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
