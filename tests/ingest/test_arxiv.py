"""Papers by their arXiv id; addresses that attack."""

import gzip
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.errors import ConsentError, StorageError, UnusableInput
from rereview.ingest.arxiv import HOSTS, Arxiv, cache_folder, fetched, looks_like_address, parse

SOURCE = gzip.compress(b"\\documentclass{article}\\begin{document}Text.\\end{document}")
PUBLIC = "151.101.3.42"


class Site:
    """A server on this machine that stands for every host, and a record of who was asked for."""

    def __init__(self, answers):
        self.answers = answers
        self.paths = []
        self.asked = []
        self.time = 100.0
        self.slept = []
        site = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                site.paths.append(self.path)
                status, headers, body = site.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.005,))
        self.thread.start()

    def connect(self, host, address):
        self.asked.append((host, address))
        return http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.time += seconds

    def arxiv(self, resolve=lambda host: [PUBLIC], **options):
        return Arxiv(resolve, self.connect, lambda: self.time, self.sleep, **options)

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def site():
    made = Site({"/e-print/2501.01234v1": (200, {}, SOURCE)})
    yield made
    made.close()


@pytest.mark.parametrize(
    ("typed", "paper"),
    [
        ("2501.01234", "2501.01234"),
        ("0704.0001", "0704.0001"),
        ("arXiv:2501.01234v2", "2501.01234v2"),
        ("arxiv: 2501.01234", "2501.01234"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136v1", "math.GT/0309136v1"),
        ("https://arxiv.org/abs/2501.01234", "2501.01234"),
        ("https:/arxiv.org/abs/2501.01234", "2501.01234"),
        ("http://www.arxiv.org/pdf/2501.01234v3.pdf", "2501.01234v3"),
        ("arxiv.org/html/2501.01234v3/", "2501.01234v3"),
        ("https://export.arxiv.org/abs/hep-th/9901001?context=x", "hep-th/9901001"),
        ("https://ar5iv.labs.arxiv.org/html/2501.01234#S1", "2501.01234"),
        (" https://ARXIV.org/abs/2501.01234 ", "2501.01234"),
    ],
)
def test_ids_and_addresses_name_a_paper(typed, paper):
    """With its version, if one is given."""
    assert parse(typed) == paper


TRICKS = [
    "https://arxiv.org@evil.example/abs/2501.01234",
    "https://arxiv.org:443@evil.example/abs/2501.01234",
    "https://user:pass@arxiv.org/abs/2501.01234",
    "https://evil.example/arxiv.org/abs/2501.01234",
    "https://evil.example/?arxiv.org/abs/2501.01234",
    "https://evil.example/#arxiv.org/abs/2501.01234",
    "https://evil.example#@arxiv.org/abs/2501.01234",
    "https://arxiv.org.evil.example/abs/2501.01234",
    "https://evilarxiv.org/abs/2501.01234",
    "https://arxiv.org.:443/abs/2501.01234",
    "https://arxiv.org:8080/abs/2501.01234",
    "https://arxiv.org:@evil.example/abs/2501.01234",
    "https://arxiv.org\\@evil.example/abs/2501.01234",
    "https:\\\\arxiv.org\\abs\\2501.01234",
    "https://evil.example\\arxiv.org/abs/2501.01234",
    "https:///arxiv.org/abs/2501.01234",
    "https:arxiv.org/abs/2501.01234",
    "//arxiv.org/abs/2501.01234",
    "file:///etc/passwd",
    "file://arxiv.org/abs/2501.01234",
    "ftp://arxiv.org/abs/2501.01234",
    "gopher://arxiv.org/abs/2501.01234",
    "javascript://arxiv.org/abs/2501.01234",
    "data:text/plain,2501.01234",
    "jar:https://arxiv.org!/abs/2501.01234",
    "https://127.0.0.1/abs/2501.01234",
    "https://127.1/abs/2501.01234",
    "https://2130706433/abs/2501.01234",
    "https://0x7f000001/abs/2501.01234",
    "https://0177.0.0.1/abs/2501.01234",
    "https://localhost/abs/2501.01234",
    "https://[::1]/abs/2501.01234",
    "https://[::ffff:127.0.0.1]/abs/2501.01234",
    "https://[arxiv.org]/abs/2501.01234",
    "https://169.254.169.254/latest/meta-data/2501.01234",
    "https://\u0430rxiv.org/abs/2501.01234",
    "https://ar\u0445iv.org/abs/2501.01234",
    "https://arx\u0131v.org/abs/2501.01234",
    "https://xn--rxiv-53d.org/abs/2501.01234",
    "https://arxiv\uff0eorg/abs/2501.01234",
    "https://arxiv\u3002org/abs/2501.01234",
    "https://arxiv.org\u2215abs/2501.01234",
    "https://arxiv.org/abs/\u0662\u0665\u0660\u0661.01234",
    "https://arxiv.org/abs/2501.0123\uff14",
    "https://arxiv.org/abs/../../etc/2501.01234",
    "https://arxiv.org/abs/..%2f2501.01234",
    "https://arxiv.org/abs/2501.01234/../../secret",
    "https://arxiv.org/abs/2501.01234%2f..%2fsecret",
    "https://arxiv.org/abs/2501.01234%00.evil",
    "https://arxiv.org/abs/2501.01234\r\nHost: evil.example",
    "https://arxiv.org/abs/2501.01234\nevil",
    "https://arxiv.org/abs/2501.01234 HTTP/1.1",
    "https://arxiv.org/abs/2501.01234@evil.example",
    "https://arxiv.org/abs/https://evil.example/2501.01234",
    "https://arxiv.org/login?next=https://evil.example/2501.01234",
    "https://arxiv.org//evil.example/2501.01234",
    "https://arxiv.org/abs//2501.01234",
    "https://arxiv.org/ABS?2501.01234",
    "https://arxiv%2eorg/abs/2501.01234",
    "https://arxiv.org%2f@evil.example/abs/2501.01234",
    "https://arxiv.org%00.evil.example/abs/2501.01234",
    "https://evil.example/redirect?to=arxiv.org/abs/2501.01234",
    "\u202ehttps://arxiv.org/abs/2501.01234",
    "https://arxiv.org\u200b/abs/2501.01234",
    "https://arxiv.org\t.evil.example/abs/2501.01234",
    "ht\ttps://arxiv.org/abs/2501.01234",
    "https://mail.arxiv.org/abs/2501.01234",
    "https://arxiv.org;evil.example/abs/2501.01234",
    "https://arxiv.org,evil.example/abs/2501.01234",
    "https://arxiv.org&evil.example/abs/2501.01234",
    "arXiv:../../2501.01234",
    "arXiv:2501.01234/../x",
    "arXiv:2501.01234@evil.example",
    "2501.01234@evil.example",
    "evil.example/2501.01234",
    "2513.01234",
    "2501.0123456",
    "2501.01234v0",
    "hep-th/99010011",
    "hep-th/../9901001",
    "../hep-th/9901001",
    "hep-th\\9901001",
]
REDIRECTS = [
    "http://127.0.0.1/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/x",
    "https://evil.example/x",
    "//evil.example/x",
    "https://export.arxiv.org@evil.example/x",
    "https://evil.example\\@export.arxiv.org/x",
    "https://export.arxiv.org:8443/x",
    "https://export.arxiv.org.evil.example/x",
    "http://export.arxiv.org/x",
    "file:///etc/passwd",
    "ftp://export.arxiv.org/x",
    "https://[export.arxiv.org/x",
    "https://export.arxiv.org:port/x",
    "https://EXPORT\u3002arxiv.org/x".encode().decode("latin-1"),
    "",
]


def test_there_are_enough_tricks():
    """As many as the threats ask for."""
    assert len(set(TRICKS)) >= 80


@pytest.mark.parametrize("typed", TRICKS)
def test_a_trick_names_no_paper(typed):
    """So there is nothing to fetch."""
    assert parse(typed) is None


@given(st.text(), st.sampled_from(["", "https://arxiv.org/abs/", "arXiv:", "https://"]), st.text(max_size=5))
def test_whatever_is_typed_gives_an_id_or_nothing(middle, before, after):
    """An id holds only what an id of arXiv may hold."""
    paper = parse(before + middle + after)
    assert paper is None or paper.replace("/", "").replace(".", "").replace("-", "").isalnum()
    assert paper is None or paper.isascii()


@pytest.mark.parametrize("where", REDIRECTS)
def test_a_redirect_leads_to_arxiv_or_nowhere(site, where):
    """No connection is opened to where it points."""
    site.answers["/e-print/2501.01234v1"] = (302, {"Location": where}, b"")
    with pytest.raises(UnusableInput, match="redirect") as caught:
        site.arxiv().fetch("2501.01234v1")
    assert site.asked == [("export.arxiv.org", PUBLIC)]
    assert str(caught.value).isprintable()


def test_a_redirect_within_arxiv_is_followed(site):
    """Over the same checks, and one request in three seconds."""
    site.answers["/e-print/2501.01234v1"] = (301, {"Location": "/src/2501.01234v1"}, b"")
    site.answers["/src/2501.01234v1"] = (302, {"Location": "https://arxiv.org/src/2501.01234v1?a=b"}, b"")
    site.answers["/src/2501.01234v1?a=b"] = (200, {}, SOURCE)
    assert site.arxiv().fetch("2501.01234v1") == SOURCE
    assert [host for host, _ in site.asked] == ["export.arxiv.org", "export.arxiv.org", "arxiv.org"]
    assert {host for host, _ in site.asked} <= HOSTS
    assert site.slept == [3.0, 3.0]


def test_a_circle_of_redirects_ends(site):
    """After three."""
    site.answers["/e-print/2501.01234v1"] = (302, {"Location": "/e-print/2501.01234v1"}, b"")
    with pytest.raises(UnusableInput, match="more than 3 redirects"):
        site.arxiv().fetch("2501.01234v1")
    assert len(site.asked) == 4


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.9", "192.168.1.1", "169.254.169.254", "0.0.0.0",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0",
        "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1",
        "not an address", "",
    ],
)  # fmt: skip
def test_a_host_that_resolves_to_a_private_address_is_not_asked(site, address):
    """Not even where another of its addresses is public."""
    for found in ([address], [PUBLIC, address]):
        with pytest.raises(UnusableInput, match="no public address"):
            site.arxiv(lambda host, found=found: found).fetch("2501.01234v1")
    assert site.asked == []


def test_the_address_that_was_checked_is_the_one_that_is_used(site):
    """A name server that changes its answer changes nothing: it is asked once for each request."""
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    arxiv = site.arxiv(lambda host: next(answers))
    assert arxiv.fetch("2501.01234v1") == SOURCE
    assert site.asked == [("export.arxiv.org", PUBLIC)]
    with pytest.raises(UnusableInput, match=r"resolves to 127\.0\.0\.1"):
        arxiv.fetch("2501.01234v1")
    assert len(site.asked) == 1


def test_requests_are_three_seconds_apart(site):
    """Less if time has passed by itself."""
    arxiv = site.arxiv()
    arxiv.fetch("2501.01234v1")
    site.time += 1
    arxiv.fetch("2501.01234v1")
    site.time += 5
    arxiv.fetch("2501.01234v1")
    assert site.slept == [2.0]


@pytest.mark.parametrize(
    ("status", "headers", "body", "message"),
    [
        (404, {}, b"", "arXiv has no such paper"),
        (503, {}, b"", "arXiv answered 503"),
        (200, {}, b"x" * 5000, "more than 0 MiB"),
        (200, {"Content-Length": "900"}, b"x", "no answer|too early"),
        (200, {"Transfer-Encoding": "chunked", "Content-Length": "4"}, b"zzzz", "no answer"),
    ],
)
def test_what_is_no_paper_is_refused_in_one_line(site, status, headers, body, message):
    """With the paper's id."""
    site.answers["/e-print/2501.01234v1"] = (status, headers, body)
    with pytest.raises(UnusableInput, match=message) as caught:
        site.arxiv(most_bytes=4000).fetch("2501.01234v1")
    assert str(caught.value).startswith("arXiv:2501.01234v1: ")


def test_a_host_that_does_not_answer_is_named(site):
    """So is one that cannot be resolved."""

    def nobody(host):
        raise OSError("Name or service\nnot known")

    with pytest.raises(UnusableInput, match=r"no answer from export.arxiv.org \(Name or service not known\)"):
        site.arxiv(nobody).fetch("2501.01234v1")


def test_a_version_is_fetched_once(site, tmp_path):
    """Then it is here, with or without network; the newest version is always asked for."""
    site.answers["/e-print/hep-th/9901001"] = (200, {}, SOURCE)
    arxiv = site.arxiv()
    path = fetched("2501.01234v1", tmp_path / "new", offline=False, arxiv=arxiv)
    assert path.read_bytes() == SOURCE
    assert fetched("2501.01234v1", tmp_path / "new", offline=True, arxiv=arxiv) == path
    for _ in range(2):
        path = fetched("hep-th/9901001", tmp_path / "new", offline=False, arxiv=arxiv)
    assert path.name == "hep-th-9901001"
    assert len(site.asked) == 3
    assert sorted(each.name for each in (tmp_path / "new").iterdir()) == ["2501.01234v1", "hep-th-9901001"]


def test_offline_fetches_nothing(site, tmp_path):
    """Exit code 3, no connection and no folder."""
    with pytest.raises(ConsentError, match=r"--offline, and arXiv:2501.01234v1 is not here") as caught:
        fetched("2501.01234v1", tmp_path / "new", offline=True, arxiv=site.arxiv())
    assert caught.value.exit_code == 3
    assert site.asked == []
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "text", ["https:/evil.example/x", "http://x", "file:///etc/passwd", "arXiv:12", "arxiv.org/x"]
)
def test_an_address_is_told_from_a_file(text):
    """So that the error can say what is fetched and what is not."""
    assert looks_like_address(text)
    assert not looks_like_address("paper.tex")
    assert not looks_like_address("C:\\paper.tex")


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_cache_that_cannot_be_written_is_a_line_and_leaves_nothing_half(site, tmp_path, place):
    """A file where the folder should be; a folder where the paper should be."""
    kept = tmp_path / "kept"
    if place == "file":
        kept.write_text("x")
    else:
        (kept / "2501.01234v1").mkdir(parents=True)
    with pytest.raises(StorageError, match="cannot be kept"):
        fetched("2501.01234v1", kept, offline=False, arxiv=site.arxiv())
    assert kept.is_file() or [path.name for path in kept.iterdir()] == ["2501.01234v1"]


def test_a_cache_that_is_no_absolute_path_is_passed_over(monkeypatch, tmp_path):
    """As the rule of XDG has it."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache/rereview/arxiv"
