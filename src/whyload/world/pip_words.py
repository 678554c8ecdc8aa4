"""What pip says on standard error where it fails; its exit status is the same for every reason.

Source: pip's own log formatter (`ERROR: ` before what ends it), and the words of urllib3 and of the operating systems'
resolvers, which it passes on.
"""

from __future__ import annotations

from whyload.base.regular import regular

_UNREACHABLE = regular(
    r"ConnectionError|Failed to establish|getaddrinfo|Name or service not known|Temporary failure in name resolution|"
    r"Network is unreachable|Connection refused|ConnectTimeoutError|ReadTimeoutError|ProxyError|SSLError|"
    r"Could not fetch URL \S+: (?!\d{3} )|Could not fetch URL \S+: 5\d\d |"
    r"Max retries exceeded|Connection aborted|Connection broken"
)
_REFUSED = regular(r"Could not fetch URL \S+: (?!404|410)4\d\d ")
_NO_VERSION = "(from versions: none)"


def index_is_unreachable(said: str, log: str = "") -> bool:
    """The index did not answer, or did not let pip in: what else pip says, as that nothing fits, follows from that.

    `log` is what pip wrote with `--log`: with few retries it says there alone, in its own words around the system's,
    that a page could not be fetched.
    """
    everything = f"{said}\n{log}"
    if _UNREACHABLE.search(everything) is not None:
        return True
    return _REFUSED.search(everything) is not None and (_NO_VERSION in said or "from versions:" not in said)


def has_no_version(said: str) -> bool:
    """The index has no release of that name at all, for this Python."""
    return _NO_VERSION in said


def last_error(said: str) -> str | None:
    """The error that ended it, without its mark; its last line where none is marked, None where it said nothing."""
    lines = said.strip().splitlines()
    marked = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    if marked[-1:] == ["Exception:"]:  # pip's own traceback follows: a full disk, for example
        marked = []
    found = marked or [line for line in lines if line.strip()]
    return found[-1] if found else None
