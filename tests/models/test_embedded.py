"""The embedded model's child process, with a stand-in for its server; the real one where it is installed."""

import importlib.util
import json
import sys
import textwrap

import pytest

from rereview.errors import ServerFailed, UsageError
from rereview.models.base import endpoint, traits
from rereview.models.embedded import EmbeddedEndpoint, embedded
from rereview.models.weights import SMOLLM2, installed
from rereview.types.call import Message, Request

STAND_IN = """
    import json, sys
    from http.server import BaseHTTPRequestHandler, HTTPServer
    key = sys.stdin.readline().strip()
    class Requests(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = self.headers["Authorization"] == f"Bearer {key}" and len(key) > 20 and key not in sys.argv
            said = json.dumps({"known": known, "body": body})
            answer = {"choices": [{"message": {"content": said}, "finish_reason": "stop"}]}
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        def log_message(self, *given):
            pass
    server = HTTPServer(("127.0.0.1", 0), Requests)
    import threading
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    sys.stdin.read()
"""
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "score": {"type": "integer", "enum": [1, 2]},
            "words": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["score", "words"],
    }
)
ASK = Request(messages=(Message(role="user", text="Well?"),), answer_schema=SCHEMA, max_output_tokens=16_000)


def stand_in(tmp_path, program):
    script = tmp_path / "server.py"
    script.write_text(textwrap.dedent(program))
    return EmbeddedEndpoint(tmp_path / "none.gguf", server=(sys.executable, str(script)), timeout=60)


async def test_a_child_answers_with_a_key_of_its_own(tmp_path):
    """The key comes through its input; answers are bounded; the child ends with the endpoint."""
    toy = stand_in(tmp_path, STAND_IN)
    said = json.loads((await toy.complete(ASK)).text)
    process = toy._children[0].process
    await toy.aclose()
    assert said["known"]
    assert said["body"]["max_tokens"] <= 400
    asked = said["body"]["response_format"]["json_schema"]["schema"]["properties"]
    assert asked["score"] == {"type": "integer", "enum": [1, 2]}
    assert asked["words"]["maxItems"] == 1
    assert asked["words"]["items"]["maxLength"] < 100
    assert process.returncode == 0


async def test_a_closed_endpoint_can_be_used_again(tmp_path):
    """Each use has its own child."""
    toy = stand_in(tmp_path, STAND_IN)
    for _ in range(2):
        assert (await toy.complete(ASK)).finish == "stop"
        await toy.aclose()


async def test_a_child_that_does_not_start_says_why(tmp_path):
    """The last line of its error stream is in the one line of the error."""
    toy = stand_in(tmp_path, "raise SystemExit('no such weights')")
    with pytest.raises(ServerFailed, match="no such weights"):
        await toy.complete(ASK)


def test_it_is_a_toy_and_says_what_is_missing(tmp_path):
    """Its text stays here, it reads little, and without its parts the error names the command."""
    toy = EmbeddedEndpoint(tmp_path / "w.gguf")
    assert (toy.name, toy.host, toy.address) == ("embedded:toy", "", "")
    assert traits(toy).toy
    assert traits(toy).input_tokens == 2_000
    with pytest.raises(UsageError, match=r"rereview models install embedded"):
        endpoint("embedded", environ={"XDG_DATA_HOME": str(tmp_path)})
    with pytest.raises(UsageError, match="--model embedded"):
        embedded("large", environ={})
    with pytest.raises(UsageError, match="--base-url"):
        embedded("toy", base_url="http://127.0.0.1:1", environ={})


@pytest.mark.long
async def test_the_real_one_follows_a_schema():
    """Two answers of the real weights are JSON of the schema, and the second reads from the cache."""
    if importlib.util.find_spec("xllamacpp") is None or not installed():
        pytest.skip(f"{SMOLLM2.requirement} and xllamacpp are not installed")
    toy = endpoint("embedded")
    try:
        first, second = [await toy.complete(ASK) for _ in range(2)]
    finally:
        await toy.aclose()
    assert all(json.loads(each.text)["score"] in {1, 2} for each in (first, second))
    assert second.usage.cached_tokens > 0
