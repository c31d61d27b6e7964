"""Pictures of a report, light, dark, narrow and printed, and what the browser says of it.

    python tools/pictures.py REPORT.html [FOLDER]

Chromium has to be on the PATH. Ends with 1 if the page complains on the console, asks the network
for anything, or is wider than its window.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--no-proxy-server", "--no-first-run", "--remote-debugging-port=0"),
)
TALLEST = 12_000
TOO_WIDE = """(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (e) => { for (; e; e = e.parentElement) {
    if (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)) return true; } return false; };
  const wide = [...document.body.querySelectorAll("*")].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > width + 1 && !scrolls(e.parentElement); });
  const all = document.documentElement.scrollWidth;
  return (all > width ? ["page " + all] : [])
    .concat(wide.slice(0, 5).map((e) => e.tagName + "." + e.className + " " + e.textContent.slice(0, 40)));
})()"""
DECODED = "Promise.all([...document.images].map((image) => image.decode().catch(() => 0)))"
UNFOLD = 'document.querySelectorAll("details").forEach((d) => { d.open = true; })'


@dataclass(frozen=True)
class View:
    """One way to look at a page."""

    name: str
    width: int
    height: int
    scheme: str = "light"
    unfolded: bool = False


VIEWS = (
    View("light", 1280, 1100),
    View("dark", 1280, 1100, scheme="dark"),
    View("narrow", 320, 900, unfolded=True),
    View("narrow-dark", 320, 900, scheme="dark"),
    View("tablet", 820, 1100),
)


@dataclass
class Browser:
    """A connection to a browser, one message at a time."""

    socket: aiohttp.ClientWebSocketResponse
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    events: list[dict[str, Any]] = field(default_factory=list)

    async def ask(self, method: str, session: str | None = None, **params: object) -> dict[str, Any]:
        """The result of one command; what happens meanwhile is kept in `events`."""
        number = next(self.numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        await self.socket.send_json(message | ({"sessionId": session} if session else {}))
        while True:
            answer: dict[str, Any] = await self.socket.receive_json(timeout=60)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    async def loaded(self) -> None:
        """Wait until the page has loaded."""
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(await self.socket.receive_json(timeout=60))


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """A browser with a profile of its own, which is gone afterwards."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("pictures: no chromium on the PATH")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            program, *FLAGS, f"--user-data-dir={profile}", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            address = await _address(Path(profile) / "DevToolsActivePort")
            async with (
                aiohttp.ClientSession() as client,
                client.ws_connect(address, max_msg_size=0) as socket,
            ):
                yield Browser(socket)
        finally:
            process.terminate()
            await process.wait()


async def _address(file: Path) -> str:
    """Where the browser listens; it writes that to a file once it does."""
    for _ in range(300):
        if file.exists() and len(lines := file.read_text().split()) > 1:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        await asyncio.sleep(0.1)
    raise SystemExit("pictures: the browser did not start")


async def look(chromium: Browser, page: Path, view: View, folder: Path) -> list[str]:
    """Take one picture; what is wrong with the page, in words."""
    chromium.events.clear()
    target = await chromium.ask("Target.createTarget", url="about:blank")
    attached = await chromium.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
    session = attached["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        await chromium.ask(f"{domain}.enable", session)
    size = {"width": view.width, "deviceScaleFactor": 1, "mobile": False}
    await chromium.ask("Emulation.setDeviceMetricsOverride", session, height=view.height, **size)
    scheme = {"name": "prefers-color-scheme", "value": view.scheme}
    await chromium.ask("Emulation.setEmulatedMedia", session, features=[scheme])
    await chromium.ask("Page.navigate", session, url=page.as_uri())
    await chromium.loaded()
    if view.unfolded:
        await chromium.ask("Runtime.evaluate", session, expression=UNFOLD)
    await chromium.ask("Runtime.evaluate", session, expression=DECODED, awaitPromise=True)
    wide = await chromium.ask("Runtime.evaluate", session, expression=TOO_WIDE, returnByValue=True)
    metrics = await chromium.ask("Page.getLayoutMetrics", session)
    height = min(round(metrics["cssContentSize"]["height"]), TALLEST)
    clip = {"x": 0, "y": 0, "width": view.width, "height": height, "scale": 1}
    shot = await chromium.ask("Page.captureScreenshot", session, clip=clip, captureBeyondViewport=True)
    (folder / f"{page.stem}-{view.name}.png").write_bytes(base64.b64decode(shot["data"]))
    if view.name == "light":
        printed = await chromium.ask("Page.printToPDF", session, preferCSSPageSize=True)
        (folder / f"{page.stem}-print.pdf").write_bytes(base64.b64decode(printed["data"]))
    await chromium.ask("Target.closeTarget", targetId=target["targetId"])
    overflow = [f"wider than the window: {words}" for words in wide["result"]["value"]]
    return overflow + complaints(chromium.events, page.as_uri())


def complaints(events: list[dict[str, Any]], own: str) -> list[str]:
    """Errors on the console, and addresses that were asked for."""
    found = []
    for event in events:
        params = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                found.append(f"exception: {params['exceptionDetails']}")
            case "Runtime.consoleAPICalled" if params["type"] in {"error", "warning", "assert"}:
                found.append(f"console: {params['args']}")
            case "Log.entryAdded" if params["entry"]["level"] in {"error", "warning"}:
                found.append(f"log: {params['entry']['text']}")
            case "Network.requestWillBeSent":
                address = params["request"]["url"]
                if address.split("#")[0] != own and not address.startswith("data:"):
                    found.append(f"asks for {address}")
    return found


async def main(page: Path, folder: Path) -> int:
    """All views of one page. 0 if nothing is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    async with browser() as chromium:
        for view in VIEWS:
            found = await look(chromium, page, view, folder)
            wrong += len(found)
            sys.stdout.write(f"{view.name}: {'nothing wrong' if not found else ''}\n")
            sys.stdout.writelines(f"  {words}\n" for words in found)
    sys.stdout.write(f"pictures in {folder}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        raise SystemExit(__doc__)
    report = Path(sys.argv[1]).resolve()
    raise SystemExit(
        asyncio.run(main(report, Path(sys.argv[2]) if len(sys.argv) > 2 else report.parent / "pictures"))
    )
