"""The answer of `nvidia-smi -q -x`. Source: NVIDIA, nvidia-smi, and the `nvsmi_device` document type that it prints."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from whyload.world.measured import Gpu, NvidiaDriver


def parse_nvidia(text: str) -> NvidiaDriver:
    """Driver, CUDA and GPUs. Raises ValueError where the text is no such document."""
    start = text.find("<nvidia_smi_log")
    try:
        root = ElementTree.fromstring(text[start:] if start >= 0 else text)
    except ElementTree.ParseError as error:
        raise ValueError(f"nvidia-smi: {error}") from None
    return NvidiaDriver(
        version=root.findtext("driver_version"),
        cuda=root.findtext("cuda_version"),
        gpus=tuple(_gpu(item) for item in root.findall("gpu")),
    )


def _gpu(item: ElementTree.Element) -> Gpu:
    size = re.match(r"(\d+) MiB", item.findtext("fb_memory_usage/total") or "")
    return Gpu(name=item.findtext("product_name") or "", memory=int(size[1]) if size else None)
