"""What is wrong with a file that is no valid image, in words.

Source of the terms: Microsoft, "PE Format" (English and Chinese edition).
"""

from __future__ import annotations

from whyload.base.errors import FormatError
from whyload.base.message import Message, Text
from whyload.formats.pe.headers import BadImageError, Defect

_DEFECTS_ZH = {
    Defect.EMPTY: "文件为空",
    Defect.NO_DOS_HEADER: "文件不以 MZ 开头",
    Defect.NO_PE_HEADER: "没有有效的 PE 头",
    Defect.TRUNCATED: "文件不完整，末尾缺少数据",
    Defect.BAD_OPTIONAL_HEADER: "可选标头无效",
    Defect.BAD_ALIGNMENT: "对齐值无效",
    Defect.BAD_SECTIONS: "节表无效",
    Defect.BAD_IMAGE_SIZE: "映像大小与各节不符",
}


def damage(error: FormatError) -> Text:
    """The reason and where it was seen; the words of the reader where its error has no kind."""
    if not isinstance(error, BadImageError):
        return str(error)
    where = error.place if error.offset is None else f"{error.place}，偏移 0x{error.offset:X}"
    return Message(en=str(error), zh=f"{_DEFECTS_ZH[error.defect]}（{where}）")
