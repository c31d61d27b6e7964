"""Fetches a paper from arXiv by its id.

An address that somebody typed is parsed to an id and never fetched; the address that is fetched is built
here. Each connection goes to an address that was resolved, checked and then used, so that a second
answer of the name server changes nothing.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urljoin, urlsplit

from rereview.errors import ConsentError, StorageError, UnusableInput
from rereview.text.plurals import many

HOST = "export.arxiv.org"
HOSTS = frozenset({HOST, "arxiv.org"})
"""Where a redirect may lead."""

_TYPED_HOSTS = r"(?:(?:www\.|export\.)?arxiv\.org|ar5iv\.(?:labs\.arxiv\.)?org)"
_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z]{2,8}(?:-[a-z]{2,8})?(?:\.[A-Z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ID = rf"(?P<id>(?:{_NEW}|{_OLD})(?:v[1-9]\d{{0,2}})?)"
# A path of this system has one slash where an address has two.
_ADDRESS = re.compile(
    rf"(?:https?:/{{1,2}})?{_TYPED_HOSTS}/(?:abs|pdf|html|e-print|src|format)/{_ID}(?:\.pdf)?/?(?:[?#].*)?",
    re.ASCII | re.IGNORECASE,
)
_BARE = re.compile(rf"(?:arxiv:\s*)?{_ID}", re.ASCII | re.IGNORECASE)
_VERSION = re.compile(r"v\d+\Z")
_LOOKS_LIKE_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:/|arxiv\b|(?:www\.)", re.IGNORECASE)

_NAT64 = IPv6Network("64:ff9b::/96")
_AGENT = "rereview (reads one paper for its reader)"
_CHUNK = 1 << 16
_MOST_REDIRECTS = 3
_OK, _NOT_FOUND = 200, 404
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SECONDS = 30.0

Resolve = Callable[[str], Sequence[str]]
"""A host name to its numeric addresses."""
Connect = Callable[[str, str], http.client.HTTPConnection]
"""A host name and the numeric address to use, to a connection that was not opened yet."""


def parse(text: str) -> str | None:
    """The id, with its version if it is given, of `2501.01234`, `arXiv:hep-th/9901001v2` or an address.

    None for everything else. Old ids keep their case but for the archive's, which is lower case.
    """
    found = _BARE.fullmatch(text.strip()) or _ADDRESS.fullmatch(text.strip())
    return None if found is None else found["id"]


def looks_like_address(text: str) -> bool:
    """Say whether somebody meant an address on the network and no file."""
    return _LOOKS_LIKE_ADDRESS.match(text.strip()) is not None


def resolved(host: str) -> Sequence[str]:
    """Ask the system for the numeric addresses of a host."""
    found = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


class _Pinned(http.client.HTTPSConnection):
    """A connection with TLS for a name, to an address that has been checked."""

    def __init__(self, host: str, address: str) -> None:
        super().__init__(host, 443, timeout=_SECONDS, context=ssl.create_default_context())
        self.address = address

    def connect(self) -> None:
        plain = socket.create_connection((self.address, 443), _SECONDS)
        try:
            self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
        except OSError:
            plain.close()
            raise


def connected(host: str, address: str) -> http.client.HTTPConnection:
    """Connect with TLS, verified for `host`, to `address`."""
    return _Pinned(host, address)


@dataclass
class Arxiv:
    """Fetches e-prints, one request in `pause` seconds at most."""

    resolve: Resolve = resolved
    connect: Connect = connected
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    pause: float = 3.0
    most_bytes: int = 200 * 1024**2
    most_seconds: float = 600.0
    _last: float | None = field(default=None, init=False)

    def fetch(self, paper: str) -> bytes:
        """The e-print of an id that `parse` gave: a tar.gz, a gzipped file or a PDF.

        Raises UnusableInput: no such paper, no source, too large, or no answer.
        """
        address = f"https://{HOST}/e-print/{paper}"
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                answer = self._get(address, paper)
            except (OSError, http.client.HTTPException) as error:
                raise _unusable(paper, f"no answer from {HOST} ({_one_line(error)})") from error
            if isinstance(answer, bytes):
                return answer
            address = _joined(address, answer, paper)
        raise _unusable(paper, f"more than {_MOST_REDIRECTS} redirects")

    def _get(self, address: str, paper: str) -> bytes | str:
        """The content at an address, or the address that it redirects to."""
        host, target = _checked_address(address, paper)
        numeric = self._addresses_of(host, paper)
        self._wait()
        with closing(self._opened(host, numeric)) as connection:
            connection.request("GET", target, headers={"User-Agent": _AGENT, "Accept-Encoding": "identity"})
            with closing(connection.getresponse()) as answer:
                if answer.status in _REDIRECTS:
                    return answer.getheader("Location") or ""
                if answer.status == _NOT_FOUND:
                    raise _unusable(paper, "arXiv has no such paper")
                if answer.status != _OK:
                    raise _unusable(paper, f"arXiv answered {answer.status}")
                return self._content(answer, paper)

    def _opened(self, host: str, addresses: Sequence[str]) -> http.client.HTTPConnection:
        """A connection to the first address that takes one."""
        for address in addresses[:-1]:
            connection = self.connect(host, address)
            try:
                connection.connect()
            except OSError:
                connection.close()
            else:
                return connection
        return self.connect(host, addresses[-1])

    def _content(self, answer: http.client.HTTPResponse, paper: str) -> bytes:
        end = self.clock() + self.most_seconds
        pieces, size = [], 0
        while piece := answer.read1(_CHUNK):
            size += len(piece)
            if size > self.most_bytes:
                raise _unusable(paper, f"more than {self.most_bytes // 1024**2} MiB")
            if self.clock() > end:
                raise _unusable(paper, f"not there after {self.most_seconds:.0f} seconds")
            pieces.append(piece)
        if answer.length:
            raise _unusable(paper, f"the connection ended {many(answer.length, 'byte')} too early")
        return b"".join(pieces)

    def _addresses_of(self, host: str, paper: str) -> Sequence[str]:
        """The addresses of a host; every one must be public."""
        found = self.resolve(host)
        if not found:
            raise _unusable(paper, f"{host} has no address")
        for each in found:
            if not _is_public(each):
                raise _unusable(paper, f"{host} resolves to {each}, which is no public address")
        return found

    def _wait(self) -> None:
        now = self.clock()
        if self._last is not None and now - self._last < self.pause:
            self.sleep(self.pause - (now - self._last))
        self._last = self.clock()


def _joined(address: str, target: str, paper: str) -> str:
    try:
        return urljoin(address, target) if target else ""
    except ValueError:
        raise _unusable(paper, f"a redirect to {target!a}, which is no address") from None


def _checked_address(address: str, paper: str) -> tuple[str, str]:
    """Host and target of an address that may be asked."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise _unusable(paper, f"a redirect to {address!a}, which is no address") from None
    plain = parts.scheme == "https" and parts.netloc in HOSTS
    if not plain or not re.fullmatch(r"[!-~]+", address) or "\\" in address:
        raise _unusable(paper, f"a redirect to {address!a}, which is not arXiv")
    return parts.netloc, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _is_public(address: str) -> bool:
    try:
        number = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = _inner(number) if isinstance(number, IPv6Address) else None
    return number.is_global and not number.is_multicast and (inner is None or inner.is_global)


def _inner(number: IPv6Address) -> IPv4Address | None:
    """The address of version 4 to which one of version 6 leads."""
    if number in _NAT64:
        return IPv4Address(int(number) & 0xFFFFFFFF)
    return number.ipv4_mapped or number.sixtofour


def _unusable(paper: str, what: str) -> UnusableInput:
    return UnusableInput(
        what,
        where=f"arXiv:{paper}",
        expected="expected a paper of arXiv; its source can be given as a file too",
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def fetched(paper: str, folder: Path, *, offline: bool, arxiv: Arxiv) -> Path:
    """The file of a paper in `folder`, fetched if it is not there; a paper without version always is.

    Raises ConsentError if it would have to be fetched and `offline` forbids it, UnusableInput as `fetch`,
    and StorageError where the folder cannot be written.
    """
    path = folder / paper.replace("/", "-")
    if _VERSION.search(paper) and path.is_file():
        return path
    if offline:
        raise ConsentError(
            f"--offline, and arXiv:{paper} is not here",
            expected="leave --offline out, or give the paper as a file",
        )
    content = arxiv.fetch(paper)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, content)
    except OSError as error:
        raise StorageError(
            f"arXiv:{paper} cannot be kept: {error.strerror or error}",
            where=str(folder),
            expected="a folder on a disk with room that this user may write, named by XDG_CACHE_HOME",
        ) from error
    return path


def _write(path: Path, content: bytes) -> None:
    """The whole file or none."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        part = Path(file.name)
        try:
            file.write(content)
            file.flush()
            part.replace(path)
        except BaseException:
            part.unlink()
            raise


def cache_folder() -> Path:
    """Where papers from arXiv are kept: `$XDG_CACHE_HOME/rereview/arxiv`, or in `~/.cache`."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "rereview" / "arxiv"
