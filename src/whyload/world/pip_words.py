"""What pip says on standard error where it fails; its exit status is the same for every reason.

Source: pip's own log formatter (`ERROR: ` before what ends it), and the words of urllib3 and of the operating systems'
resolvers, which it passes on.
"""

from __future__ import annotations

import re

_UNREACHABLE = re.compile(
    r"ConnectionError|Failed to establish|getaddrinfo|Name or service not known|Temporary failure in name resolution|"
    r"Network is unreachable|Connection refused|ConnectTimeoutError|ReadTimeoutError|ProxyError|SSLError|"
    r"Could not fetch URL|Max retries exceeded|Connection aborted|Connection broken"
)


def index_is_unreachable(said: str) -> bool:
    """The index did not answer: what else pip says, such as that nothing fits, follows from that."""
    return _UNREACHABLE.search(said) is not None


def last_error(said: str) -> str | None:
    """The error that ended it, without its mark; its last line where none is marked, None where it said nothing."""
    lines = said.strip().splitlines()
    marked = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    found = marked or lines
    return found[-1] if found else None
