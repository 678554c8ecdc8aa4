"""Takes out of texts what tells who and where somebody is: user and host names, home folders, secrets.

The same name gets the same stand-in everywhere, so that paths which were equal stay equal. What is looked for: the
names and values that the environment itself gives away, and shapes that secrets have wherever they stand (the token
formats that GitHub, GitLab, PyPI, npm, Slack, AWS, Google, Hugging Face, OpenAI and Anthropic publish for scanners;
RFC 3986 for credentials in URLs; RFC 7519 for JSON Web Tokens).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from whyload.base.regular import regular

HIDDEN = "***"
"""Stands for a secret."""
_USER, _HOST = "user", "host"

_NOT_A_PERSON = frozenset({"public", "default", "default user", "all users", "defaultaccount", "shared"})
_COMMON = """
user users admin administrator administrators guest owner root home default public system service local host hostname
network python test tests windows program programs data work dev developer build builder lib bin app apps conda anaconda
miniconda venv env temp tmp desktop documents project projects code src cuda torch localhost server workgroup http https
null none true false
"""
_WORDS = frozenset(_COMMON.split())
"""Words that are too common to be taken for a name or a secret wherever they stand."""
_ROOT = r"(?<![\w.\\/])((?:\\\\\?\\|file:///?)?(?:[A-Za-z]:|/mnt/[a-z]|/[a-z])?[\\/]+|\\\\+[^\\/\s]+\\+)"
_HOME = regular(
    rf"{_ROOT}(Users|Documents and Settings|home|users\$|homes?\$|profiles\$?)([\\/]+)"
    r"""((?:[^\\/"'`<>|:*?;,\r\n]*(?=[\\/]))|[^\\/"'`<>|:*?;,\s)\]}]+)""",
    re.IGNORECASE,
)
"""What stands above, the folder of homes, separators, the name; a name that ends the path has no blank in it."""
_UNC = regular(r"(?<![\w\\:/])(\\\\(?:\\\\)?)(?![?.])([\w.-]+)(?=[\\/]+[\w$])")
_LOCAL_SERVERS = frozenset({"localhost", "wsl$", "wsl.localhost", "127.0.0.1", "?", "."})
_SHORT_NAME = regular(r"([^~.]{1,6})~\d(?:\.[^.]{1,3})?")
_SID = regular(r"\bS-1-5-21(?:-\d+){3,4}\b")
_MAIL = regular(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b")
_URL_CREDENTIALS = regular(r"(\b[a-z][a-z0-9+.-]*://)[^/\s\"'<>@]+@", re.IGNORECASE)
_SECRET_NAME = regular(
    r"token|secret|passw|passphrase|pwd$|(?:^|_)pass$|credential|api_?key|apikey|(?:^|_)keys?$|(?:^|_)key_?id|auth"
    r"|cookie|session_?(?:id|key)|private|(?:^|_)pat$|signature|connection_?string|(?:^|_)dsn$|license|bearer|webhook",
    re.IGNORECASE,
)
_NO_SECRET = regular(r"^(?:ssh_auth_sock|sessionname|.*_dir|.*_path|.*_home|pythonpath|path)$", re.IGNORECASE)
_ASSIGNED = regular(
    r"""(?P<head>(?<![A-Za-z0-9])[\w.-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|"""
    r"""private[_-]?key|account[_-]?key|sharedaccesskey|pwd|sig)["']?\s*(?:=|:|%3D)\s*["']?|"""
    r"""--?(?:token|password|passwd|api-key|secret)[ =]["']?|authorization["']?\s*[:=]\s*["']?(?:\w+\s+)?|"""
    r"""\bbearer\s+(?=\S{12}))"""
    r"""(?P<value>[^\s"'&;,<>]{3,})""",
    re.IGNORECASE,
)
_TOKENS = regular(
    r"(?<![A-Za-z0-9])(?:"
    r"gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|pypi-[\w-]{16,}|npm_[A-Za-z0-9]{20,}"
    r"|xox[abeoprs]-[\w-]{10,}|hf_[A-Za-z0-9]{16,}|sk-[\w-]{16,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}"
    r"|ya29\.[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|dckr_pat_[\w-]{16,}|nvapi-[\w-]{16,}"
    r")"
)
_CHANNEL_TOKEN = regular(r"(://[^\s\"']*/t/)[A-Za-z0-9-]{16,}(?=/)")
"""As conda writes the token of a channel into its address."""
_PRIVATE_KEY = regular(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_USER_VARIABLES = ("USERNAME", "USER", "LOGNAME")
_HOME_VARIABLES = ("USERPROFILE", "HOMEPATH", "HOME")
_HOST_VARIABLES = ("COMPUTERNAME", "HOSTNAME", "USERDOMAIN", "USERDNSDOMAIN", "LOGONSERVER", "CLIENTNAME")


class Redaction:
    """Replaces names and secrets in texts. Lengths of names and secrets are in characters."""

    def __init__(
        self,
        *,
        users: Iterable[str] = (),
        hosts: Iterable[str] = (),
        secrets: Iterable[str] = (),
        keep: Iterable[str] = (),
    ) -> None:
        """`keep` are words in lower case (names of modules and files) that stay although they contain a name."""
        self._users: dict[str, str] = {}
        self._keep = frozenset(keep)
        self._literal: dict[str, str] = {}
        for name in users:
            self._add_user(name)
        for name in dict.fromkeys(name.strip("\\/ ") for name in hosts):
            if len(name) > 1 and name.lower() not in _WORDS:
                self._literal.setdefault(name.lower(), _numbered(_HOST, self._literal.values()))
        for secret in secrets:
            if len(secret) >= 6 and secret.lower() not in _WORDS:
                self._literal.setdefault(secret.lower(), HIDDEN)
        self._names = _any_of(self._literal)

    def _add_user(self, name: str) -> None:
        name = name.strip("\\/ ")
        if not name or name.lower() in _NOT_A_PERSON:
            return
        if name.lower() in _WORDS:
            return  # replaced where it names a home folder only, with the stand-in that it gets there
        stand_in = self._user(name)
        for form in (name, _short_name(name)):
            if form:
                self._literal.setdefault(form.lower(), stand_in)

    def _user(self, name: str) -> str:
        """The stand-in for a user, a new one for a new name."""
        key = name.lower()
        if key not in self._users:
            known = self._literal.get(key) or self._long_form(key)
            self._users[key] = known or _numbered(_USER, self._users.values())
        return self._users[key]

    def _long_form(self, key: str) -> str | None:
        """The stand-in of the user whose 8.3 name this is."""
        match = _SHORT_NAME.fullmatch(key)
        known = ((_plain(name), stand_in) for name, stand_in in self._users.items())
        return next((stand_in for name, stand_in in known if match and name.startswith(match[1])), None)

    @classmethod
    def of_environment(
        cls,
        variables: Mapping[str, str],
        *,
        texts: Iterable[str] = (),
        hosts: Iterable[str] = (),
        keep: Iterable[str] = (),
    ) -> Redaction:
        """What the variables give away; `texts` are paths (current folder, interpreter …) that name a home too."""
        values = {name.upper(): value for name, value in variables.items() if value}
        users = [values[name] for name in _USER_VARIABLES if name in values]
        users += [re.split(r"[\\/]", values[name].rstrip("\\/"))[-1] for name in _HOME_VARIABLES if name in values]
        users += [match[4] for text in (*values.values(), *texts) for match in _HOME.finditer(text)]
        found = [values[name] for name in _HOST_VARIABLES if name in values]
        secrets = [value for name, value in values.items() if is_secret_name(name)]
        return cls(users=dict.fromkeys(users), hosts=(*hosts, *found), secrets=secrets, keep=keep)

    def text(self, text: str) -> str:
        """`text` without names and secrets."""
        if not text:
            return text
        text = _PRIVATE_KEY.sub(HIDDEN, text)
        text = _URL_CREDENTIALS.sub(rf"\g<1>{HIDDEN}@", text)
        text = _TOKENS.sub(HIDDEN, text)
        text = _ASSIGNED.sub(lambda match: match["head"] + HIDDEN, text)
        text = _CHANNEL_TOKEN.sub(rf"\g<1>{HIDDEN}", text)
        text = _UNC.sub(_server, self.names(text))
        return _MAIL.sub(f"{_USER}@{_HOST}", _SID.sub("S-1-5-21-0", text))

    def names(self, text: str) -> str:
        """`text` without the names and secrets that the environment gives away, and without names of home folders; for
        long lists of files, in which nothing else can be.
        """
        text = _HOME.sub(lambda match: match[1] + match[2] + match[3] + self._home(match[4]), text)
        return self._names.sub(self._stand_in, text) if self._names is not None else text

    def variable(self, name: str, value: str) -> str:
        """The value of a variable or of a registry entry: nothing is left of it where the name says secret."""
        return HIDDEN if value and is_secret_name(name) else self.text(value)

    def values(self, value: object) -> object:
        """The same for all texts in lists and tables, keys included; what stands under a secret's name is hidden."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._value(str(key), item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.values(item) for item in value]
        return value

    def _value(self, name: str, value: object) -> object:
        return self.variable(name, value) if isinstance(value, str) else self.values(value)

    def _home(self, name: str) -> str:
        return name if name.lower() in _NOT_A_PERSON else self._user(name)

    def _stand_in(self, match: re.Match[str]) -> str:
        word = _whole_word(match)
        return match[0] if word.lower() in self._keep else self._literal[match[0].lower()]


def is_secret_name(name: str) -> bool:
    """May a variable of this name hold a secret?"""
    return _SECRET_NAME.search(name) is not None and _NO_SECRET.match(name) is None


def _any_of(literals: Iterable[str]) -> re.Pattern[str] | None:
    """Any of the literals as a word of its own; one of one or two letters only as a whole name in a path."""
    long = [re.escape(item) for item in sorted(literals, key=len, reverse=True) if len(item) > 2]
    short = [re.escape(item) for item in literals if len(item) <= 2]
    parts = []
    if long:
        parts.append(rf"(?<![A-Za-z0-9])(?:{'|'.join(long)})(?![A-Za-z0-9])")
    if short:
        parts.append(rf"(?<=[\\/])(?:{'|'.join(short)})(?=[\\/;\"']|$)")
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _whole_word(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    inside: Callable[[str], bool] = lambda letter: letter.isalnum() or letter == "_"  # noqa: E731
    while start and inside(text[start - 1]):
        start -= 1
    while end < len(text) and inside(text[end]):
        end += 1
    return text[start:end]


def _server(match: re.Match[str]) -> str:
    return match[0] if match[2].lower() in _LOCAL_SERVERS else match[1] + _HOST


def _numbered(kind: str, taken: Iterable[str]) -> str:
    count = len({item for item in taken if item.startswith(kind)})
    return kind if not count else f"{kind}{count + 1}"


def _short_name(name: str) -> str | None:
    """The 8.3 form that Windows makes of a long name (Microsoft, "Naming Files, Paths, and Namespaces")."""
    plain = _plain(name)
    return f"{plain[:6]}~1" if name != plain or len(name) > 8 else None


def _plain(name: str) -> str:
    return re.sub(r"[\s.+,;=\[\]]", "", name)
