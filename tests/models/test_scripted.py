"""Answers from a function."""

import pytest

from rereview.errors import UsageError
from rereview.models.base import endpoint
from rereview.models.scripted import ScriptedEndpoint
from rereview.types.call import Completion, Message, Request, Usage

ASK = Request(messages=(Message(role="user", text="Well?"),))


async def test_a_function_may_be_sync_or_async_and_give_text_or_a_completion():
    """All four forms are one completion."""
    whole = Completion(text="Well?", finish="stop", usage=Usage())

    async def late(request):
        return request.messages[0].text

    async def late_whole(_):
        return whole

    for script in (lambda request: request.messages[0].text, lambda _: whole, late, late_whole):
        end = ScriptedEndpoint(script)
        assert await end.complete(ASK) == whole
        assert (end.host, end.address) == ("", "")
        await end.aclose()


async def test_anything_else_is_a_mistake_of_the_script():
    """None is no answer."""
    with pytest.raises(UsageError, match="answered with NoneType"):
        await ScriptedEndpoint(lambda _: None).complete(ASK)


async def test_a_script_is_named_by_file_and_function(tmp_path):
    """`scripted:FILE.py:NAME` loads the function; the name is kept as it was given."""
    script = tmp_path / "answers.py"
    script.write_text("async def seven(request):\n    return '{\"score\": 7}'\n\nNUMBER = 7\n")
    end = endpoint(f"scripted:{script}:seven")
    assert end.name == f"scripted:{script}:seven"
    assert (await end.complete(ASK)).text == '{"score": 7}'
    with pytest.raises(UsageError, match=r"no 'sevn' in it .*'seven'"):
        endpoint(f"scripted:{script}:sevn")
    with pytest.raises(UsageError, match="is no function"):
        endpoint(f"scripted:{script}:NUMBER")
    with pytest.raises(UsageError, match="no such file"):
        endpoint(f"scripted:{tmp_path}/none.py:seven")
    with pytest.raises(UsageError, match=r"FILE\.py:NAME"):
        endpoint(f"scripted:{script}")
    with pytest.raises(UsageError, match="--base-url"):
        endpoint(f"scripted:{script}:seven", base_url="http://127.0.0.1:1/v1")


async def test_half_a_surrogate_pair_of_a_script_can_be_stored():
    """A replacement character stands there."""
    answer = await ScriptedEndpoint(lambda _: "a\ud800b").complete(ASK)
    assert answer.to_json().encode()
    assert answer.text == "a\ufffdb"
