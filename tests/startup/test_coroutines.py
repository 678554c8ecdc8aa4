"""Coroutines: an `async def` function runs when what it returns is awaited (Python reference, "Coroutines")."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines

FILES = {"_n.pyd": "", "_m.pyd": ""}


@pytest.mark.parametrize(
    "start",
    [
        "asyncio.run(main())",
        "asyncio.get_event_loop().run_until_complete(main())",
        "async def outer():\n    await main()\nasyncio.run(outer())",
        "async def outer():\n    await asyncio.gather(main(), other())\nasyncio.run(outer())",
        "async def outer():\n    task = asyncio.create_task(main())\n    await task\nasyncio.run(outer())",
    ],
)
def test_a_coroutine_that_is_awaited(start: str) -> None:
    code = f"import asyncio\nasync def other():\n    pass\nasync def main():\n    import _n\n{start}\nimport _m\n"
    assert lines(FILES, code)[-2:] == ["load _n.pyd 0x1100", "load _m.pyd 0x1100"]


def test_a_coroutine_that_nobody_awaits() -> None:
    code = "import asyncio\nasync def main():\n    import _n\nlater = main()\nimport _m\n"
    assert "load _n.pyd 0x1100" not in lines(FILES, code)


def test_what_a_coroutine_returns() -> None:
    code = (
        "import asyncio, ctypes\nasync def name():\n    return 'a.dll'\n"
        "async def main():\n    ctypes.CDLL(await name())\nasyncio.run(main())\n"
    )
    assert lines({}, code)[-1:] == ["load a.dll 0x1000"]


def test_statements_of_coroutines() -> None:
    code = (
        "import asyncio\nasync def main(session, rows):\n    async with session() as s:\n        import _n\n"
        "    async for row in rows:\n        import _m\nasyncio.run(main(None, None))\n"
    )
    assert lines(FILES, code)[-2:] == ["load _n.pyd 0x1100", ["maybe", "load _m.pyd 0x1100"]]
