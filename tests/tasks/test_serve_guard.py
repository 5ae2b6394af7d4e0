"""What the rehearsal server does to clients, and what it does not put up with, on real sockets."""

from __future__ import annotations

import json
import select
import socket
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import httpx
import openai
import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.serve import Counter, Faults, running
from seqniah_tasks.serve.guarding import own_names

Json = dict[str, Any]

ASKED: Json = {"model": "lexical", "messages": [{"role": "user", "content": "A.\n\nWho is Ada?"}]}
BODY = json.dumps(ASKED).encode()
HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY

WEB = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))


def connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    assert parts.hostname and parts.port
    return socket.create_connection((parts.hostname, parts.port), timeout=30)


def rest(open_one: socket.socket) -> bytes:
    """All that still comes; raises `TimeoutError` if the server keeps the connection open."""
    found = b""
    while part := open_one.recv(65_536):
        found += part
    return found


def dripped(open_one: socket.socket, drip: bytes) -> bytes:
    """What comes while a drip is sent ten times a second, until the server closes."""
    found = b""
    for _ in range(300):
        try:
            open_one.sendall(drip)
            if select.select([open_one], [], [], 0.1)[0]:
                part = open_one.recv(65_536)
                found += part
                if not part:
                    return found
        except ConnectionError:
            return found
    raise AssertionError("the server put up with 30 seconds of drips")


# Faults


@pytest.mark.parametrize("path", ["chat/completions", "responses"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_server_can_hang_without_a_word(path: str, stream: bool) -> None:
    counter, asked = Counter(), {**ASKED, "input": "A.\n\nWho?", "stream": stream}
    with running(Faults(hanging=1), counter=counter) as url:
        with pytest.raises(httpx.ReadTimeout):
            WEB.post(f"{url}/{path}", json=asked, timeout=1)
        assert WEB.get(f"{url}/models").status_code == 200
    assert (counter.requests, counter.answered) == (1, 0)


@pytest.mark.parametrize("path", ["chat/completions", "responses"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_server_can_hang_in_the_middle(path: str, stream: bool) -> None:
    asked = {**ASKED, "input": "A.\n\nWho?", "stream": stream}
    with running() as url:
        sound = WEB.post(f"{url}/{path}", json=asked).content
    found = b""
    with (
        running(Faults(hanging=1, hang_after=0.5)) as url,
        WEB.stream("POST", f"{url}/{path}", json=asked, timeout=1) as response,
    ):
        assert response.status_code == 200
        with pytest.raises(httpx.ReadTimeout):
            for part in response.iter_raw():
                found += part
    assert 0 < len(found) < len(sound)
    if not stream:
        assert len(found) == len(sound) // 2


@pytest.mark.parametrize("stream", [False, True])
def test_garbage_is_no_json(stream: bool) -> None:
    with running(Faults(garbage=1)) as url:
        response = WEB.post(f"{url}/chat/completions", json={**ASKED, "stream": stream})
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/html")
        with pytest.raises(ValueError):
            response.json()


def test_each_answer_is_spoilt_in_one_way_and_every_time_alike() -> None:
    faults = Faults(dropped=0.25, hanging=0.25, garbage=0.25, seed=3)
    drawn = [faults.spoils(str(number), 1) for number in range(400)]
    assert drawn == [faults.spoils(str(number), 1) for number in range(400)]
    assert all(60 < drawn.count(one) < 140 for one in ("dropped", "hanging", "garbage", None))
    assert {faults.spoils("a", attempt) for attempt in range(1, 50)} == set(drawn)


def test_openais_client_gives_up_on_a_server_that_hangs() -> None:
    counter = Counter()
    with running(Faults(hanging=1), counter=counter) as url:
        client = openai.OpenAI(base_url=url, api_key="none", max_retries=1, timeout=0.5)
        with pytest.raises(openai.APITimeoutError):
            client.responses.create(model="lexical", input="A.\n\nWho?")
    assert counter.requests == 2


# Clients that are too slow


@pytest.mark.parametrize(
    "begun",
    [b"", b"POST /v1/chat", HEAD, HEAD + b"Content-Length: 5000\r\n\r\n{"],
    ids=["nothing", "line", "header", "body"],
)
def test_who_says_nothing_more_is_dropped(begun: bytes) -> None:
    counter = Counter()
    with running(read_timeout=0.5, counter=counter) as url, connected(url) as slow:
        slow.sendall(begun)
        said = rest(slow)
        assert said.startswith(b"HTTP/1.1 408 ") == bool(begun)
        if begun:
            fields = json.loads(said.partition(b"\r\n\r\n")[2])["error"]
            assert fields["message"] == "The request did not come whole within 0.5 s."
        assert WEB.post(f"{url}/chat/completions", json=ASKED).status_code == 200
    assert counter.answered == 1


@pytest.mark.parametrize(
    ("begun", "drip", "status"),
    [
        (b"", b"P", b"408"),
        (HEAD, b"X-Drop: 1\r\n", b"408"),
        (HEAD + b"Content-Length: 5000\r\n\r\n", b" ", b"408"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n", b"408"),
        (HEAD.replace(b"chat", b"none") + b"Content-Length: 5000\r\n\r\n", b" ", b"404"),
        (WHOLE + HEAD, b"X-Drop: 1\r\n", b"200"),
    ],
    ids=["line", "header", "body", "chunks", "body that nobody reads", "second request"],
)
def test_who_sends_in_drips_is_dropped(begun: bytes, drip: bytes, status: bytes) -> None:
    with running(read_timeout=0.5) as url, connected(url) as slow:
        slow.sendall(begun)
        said = dripped(slow, drip)
        assert said.startswith(b"HTTP/1.1 " + status) or not said  # a reset can take it along


def test_time_to_answer_is_no_time_to_read() -> None:
    counter = Counter()
    with running(Faults(latency=1.5), read_timeout=0.5, counter=counter) as url:
        patient = HTTPConnection(urlsplit(url).netloc, timeout=30)
        for _ in range(2):
            patient.request("POST", "/v1/chat/completions", BODY)
            kept = patient.sock
            answer = patient.getresponse()
            assert answer.status == 200 and json.loads(answer.read())["choices"]
            assert patient.sock is kept is not None
        patient.close()
    assert counter.answered == 2


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_that_is_none_is_told(seconds: float) -> None:
    with pytest.raises(SeqniahError, match="--read-timeout"), running(read_timeout=seconds):
        pass


# Names


@pytest.mark.parametrize("name", ["localhost", "LocalHost", "127.0.0.1", "[::1]"])
def test_this_machines_names_are_answered(name: str) -> None:
    with running() as url:
        port = urlsplit(url).port
        for host in (name, f"{name}:{port}"):
            assert WEB.get(f"{url}/models", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8399", "localhost.evil.example", "[::2]", "", "[", "::1"]
)
def test_another_name_is_refused(host: str) -> None:
    counter = Counter()
    with running(counter=counter) as url:
        refused = WEB.post(f"{url}/chat/completions", json=ASKED, headers={"Host": host})
        assert refused.status_code == 403
        message = refused.json()["error"]["message"]
        assert "--host" in message and "127.0.0.1, [::1], localhost" in message
    assert counter.requests == 0


def test_a_name_is_asked_for_on_this_machine_alone() -> None:
    here = {"localhost", "127.0.0.1", "[::1]"}
    assert own_names("localhost", "127.0.0.1") == here
    assert own_names("Box", "127.0.1.1") == here | {"box"}
    assert own_names("::1", "::1") == here
    assert own_names("127.0.0.2", "127.0.0.2") == here | {"127.0.0.2"}
    for host, address in (("0.0.0.0", "0.0.0.0"), ("::", "::"), ("box", "192.168.0.7")):
        assert own_names(host, address) is None
