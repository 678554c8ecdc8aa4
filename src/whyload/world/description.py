"""A world file: JSON or TOML, every key optional; absent, null and "" all mean unknown; unknown keys are ignored."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.errors import UsageError
from whyload.base.json_text import json_value
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from whyload.world.disk import HostPath

_T = TypeVar("_T")
_TEXT = Message(en="a text", zh="字符串")


class Description:
    """Typed access to the keys of a world file; errors name the file and the key."""

    def __init__(self, values: Mapping[str, Any], file: object, place: str = "") -> None:
        """`place`: the keys that lead to these values."""
        self.values = values
        self.file = file
        self.place = place

    @classmethod
    def read(cls, file: HostPath) -> Description:
        """The description in a file. Raises UsageError where it cannot be read or is neither JSON nor TOML."""
        try:
            with open(file, "rb") as stream:  # noqa: PTH123 - `pathlib` costs 3 ms
                text = stream.read().decode("utf-8-sig")
        except OSError as error:
            raise UsageError(
                Message(
                    en=f"cannot read the world file {file}: {error.strerror}",
                    zh=f"无法读取机器描述文件 {file}：{error.strerror}",
                )
            ) from None
        except UnicodeDecodeError as error:
            raise UsageError(
                Message(
                    en=f"the world file {file} is not UTF-8 (byte {error.start})",
                    zh=f"机器描述文件 {file} 不是 UTF-8 编码（第 {error.start} 字节）",
                )
            ) from None
        values = _parse(text, file)
        if not isinstance(values, dict):
            raise UsageError(
                Message(en=f"the world file {file} must hold one object", zh=f"机器描述文件 {file} 的内容应为一个对象")
            )
        return cls(values, file)

    def below(self, values: Mapping[str, Any], key: str) -> Description:
        """What stands under a key, as a description of its own."""
        return Description(values, self.file, self._place(key))

    def _place(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def error(self, key: str, why: Message) -> UsageError:
        """What is wrong with the value of a key."""
        place = self._place(key)
        return self.failed(Message(en=f"{place}: {why.en}", zh=f"{place}：{why.zh}"))

    def failed(self, why: Message) -> UsageError:
        """What is wrong, with its place."""
        return UsageError(Message(en=f"world file {self.file}: {why.en}", zh=f"机器描述文件 {self.file}：{why.zh}"))

    def _wrong(self, key: str, wanted: Message) -> UsageError:
        kind = type(self.values.get(key)).__name__
        return self.error(key, Message(en=f"must be {wanted.en}, not {kind}", zh=f"应为{wanted.zh}，而不是 {kind}"))

    def raw_text(self, key: str) -> str | None:
        """A text as it stands, the empty one included; None where it is absent or null."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            raise self._wrong(key, _TEXT)
        return value

    def text(self, key: str) -> str | None:
        """A text; None where it is unknown."""
        return self.raw_text(key) or None

    def path(self, key: str) -> WinPath | None:
        """An absolute Windows path; None where it is unknown."""
        text = self.text(key)
        return None if text is None else self.as_path(text, key)

    def as_path(self, value: Any, key: str) -> WinPath:
        """`value` as an absolute Windows path."""
        path = WinPath(value) if isinstance(value, str) else None
        if path is None or not path.is_absolute:
            raise self.error(
                key,
                Message(
                    en=f"must be an absolute Windows path, not {value!r}",
                    zh=f"应为 Windows 绝对路径，而不是 {value!r}",
                ),
            )
        return path

    def number(self, key: str) -> int | None:
        """A whole number; None where it is unknown."""
        value = self.values.get(key)
        if value is None or value == "":
            return None
        try:
            return int(value)
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(key, Message(en="a whole number", zh="整数")) from None

    def flags(self, key: str, default: int) -> int:
        """Load flags, a number or a text such as "0x1100"."""
        value = self.values.get(key)
        if value is None or value == "":
            return default
        try:
            return int(value, 0) if isinstance(value, str) else int(value)
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(key, Message(en='flags such as "0x1100"', zh=' "0x1100" 这样的标志')) from None

    def choice(self, key: str, choices: Mapping[str, _T]) -> _T | None:
        """One of the named choices; None where it is unknown."""
        text = self.text(key)
        if text is None:
            return None
        if text not in choices:
            raise self.error(
                key,
                Message(
                    en=f"{text!r} is none of {', '.join(choices)}",
                    zh=f"不能是 {text!r}，只能是 {'、'.join(choices)} 之一",
                ),
            )
        return choices[text]

    def items(self, key: str) -> list[Any]:
        """A list; empty where it is unknown."""
        value = self.values.get(key)
        if value is None or value == "":
            return []
        if not isinstance(value, list):
            raise self._wrong(key, Message(en="a list", zh="列表"))
        return value

    def table(self, key: str) -> Description:
        """A table; empty where it is unknown."""
        value = self.values.get(key)
        if value is None or value == "":
            value = {}
        if not isinstance(value, dict):
            raise self._wrong(key, Message(en="a table", zh="对象"))
        return self.below(value, key)

    def strings(self) -> dict[str, str]:
        """All entries that are texts; null ones are left out."""
        for key, value in self.values.items():
            if value is not None and not isinstance(value, str):
                raise self._wrong(key, _TEXT)
        return {key: value for key, value in self.values.items() if value is not None}


def _parse(text: str, file: HostPath) -> Any:
    name = str(file).lower()
    if not name.endswith(".toml"):
        try:
            return json_value(text)
        except ValueError as error:
            if name.endswith(".json"):
                raise UsageError(
                    Message(
                        en=f"the world file {file} is not JSON: {error}", zh=f"机器描述文件 {file} 不是 JSON：{error}"
                    )
                ) from None
    from whyload.knowledge.reader import toml_loads

    try:
        return toml_loads(text)
    except ValueError as error:
        raise UsageError(
            Message(en=f"the world file {file} is not TOML: {error}", zh=f"机器描述文件 {file} 不是 TOML：{error}")
        ) from None
