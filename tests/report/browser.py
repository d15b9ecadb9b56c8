"""Opens reports in headless Chromium: wide and narrow, light and dark, on paper.

    browser.py DIR PICTURES...

DIR holds reports (directories with an index.html). In each, at each width and theme: no complaint on the console,
no request but for the page, no script, no dialogue, nothing wider than the screen, every figure visible in the
theme asked for, its letters large enough and in contrast to the background. Screenshots go to DIR/NAME-WIDTH-THEME.png.
Speaks the DevTools protocol through pipes; needs nothing but Chromium and Python.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tally import check, end  # noqa: E402
SECONDS = 60
SCREENS = 12  # of 1280 x 900: the longest page before anything is opened

LOOK = r"""
(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const [r, g, b] = parse(c).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const page = getComputedStyle(document.body).backgroundColor, folded = document.documentElement.scrollHeight;
  document.querySelectorAll('details').forEach(d => d.open = true);
  const figures = [...document.querySelectorAll('figure')].map(f => {
    const shown = [...f.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width > 0);
    const boxes = shown.map(s => s.getBoundingClientRect());
    const letters = shown.flatMap(s => [...s.querySelectorAll('text')]).filter(t => t.textContent.trim() !== '');
    const ground = shown.map(s => s.querySelector('rect')).filter(Boolean).map(r => getComputedStyle(r).fill);
    return {
      id: f.id, shown: shown.length,
      panels: f.querySelectorAll('.plot > div').length,
      right: Math.max(...boxes.map(b => b.right)), least: Math.min(...boxes.map(b => b.width)),
      flattest: Math.min(...boxes.map(b => b.height)),
      marks: Math.min(...shown.map(s => s.querySelectorAll('path, use, image').length)),
      height: Math.min(...letters.map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a || 99)),
      outside: letters.filter(t => { const s = t.closest('svg').getBoundingClientRect(), b = t.getBoundingClientRect();
          return b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 || b.bottom > s.bottom + 1; })
          .map(t => t.textContent).slice(0, 3),
      ground: [...new Set(ground)],
      pale: letters.filter(t => t.closest('svg').querySelector('image') === null)
          .filter(t => contrast(getComputedStyle(t).fill, ground[0] || page) < 4.5).map(t => t.textContent).slice(0, 3),
    };
  });
  const wide = [...document.querySelectorAll('body *')].filter(e => !e.closest('.gs-table') && !e.closest('svg') &&
      e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + ' ' + (e.className || e.id));
  return JSON.stringify({
    folded, width: innerWidth, overflow: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight, page,
    figures, wide: wide.slice(0, 5), scripts: document.scripts.length, touched: 'touched' in window,
    text: contrast(getComputedStyle(document.body).color, page), tables: document.querySelectorAll('table').length,
    cut: [...document.querySelectorAll('section:not(#provenance) .gs-table')].filter(t => t.scrollWidth > t.clientWidth)
        .map(t => t.querySelector('caption').textContent),
    // Names of up to 16 letters beside a single column: one that is broken is two lines high.
    broken: [...document.querySelectorAll('#provenance tbody tr')].filter(r => r.cells.length === 2).map(r => r.cells[0])
        .filter(c => c.textContent.length <= 16 && c.firstChild).filter(c => { const all = document.createRange();
          all.selectNodeContents(c); return all.getClientRects().length > 1; }).map(c => c.textContent).slice(0, 3),
    dead: [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length,
  });
})()
"""


class Browser:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="gpustat-chromium-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def channels():
            # The numbers 3 and 4 may be taken by the pipes themselves: go through higher ones.
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            while a < 10:
                a = os.dup(a)
            while b < 10:
                b = os.dup(b)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + self.profile,
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=channels, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output, self.rest, self.number, self.events = ours_in, ours_out, b"", 0, []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]

    session = None

    def receive(self, deadline):
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.input, 1 << 20)
            if not got:
                raise EOFError("the browser has gone")
            self.rest += got
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, params=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait(self, method):
        deadline = time.monotonic() + SECONDS
        while not any(e["method"] == method for e in self.events):
            self.events.append(self.receive(deadline))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, EOFError, RuntimeError, TimeoutError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.profile, ignore_errors=True)


def listen(browser, url):
    """What the browser complained of and asked for since the last page."""
    complaints, requests = [], []
    for e in browser.events:
        p = e.get("params", {})
        if e["method"] in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening",
                           "Network.loadingFailed", "Inspector.targetCrashed"):
            complaints.append(json.dumps(p))
        if e["method"] == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("data:", url)):
            requests.append(p["request"]["url"])
    return complaints, requests


def look(browser, directory, name, width, theme):
    url = "file://" + os.path.join(directory, name, "index.html")
    where = "%s at %d, %s: " % (name, width, theme)
    browser.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
    browser.call("Emulation.setEmulatedMedia", {"media": "", "features": [{"name": "prefers-color-scheme", "value": theme}]})
    browser.events = []
    browser.call("Page.navigate", {"url": url})
    browser.wait("Page.loadEventFired")
    seen = json.loads(browser.call("Runtime.evaluate", {"expression": LOOK, "returnByValue": True})["result"]["value"])
    complaints, requests = listen(browser, url)
    check(where + "the browser complains of nothing", not complaints, complaints)
    check(where + "nothing else is asked for", not requests, requests)
    check(where + "no script is there", seen["scripts"] == 0 and not seen["touched"])
    check(where + "the page is as wide as the screen", seen["overflow"] <= seen["width"] == width and not seen["wide"], seen["wide"] + [seen["overflow"]])
    check(where + "the text can be read", seen["text"] >= 7, seen["text"])
    check(where + "short names are whole", not seen["broken"], seen["broken"])
    check(where + "what is not asked for is folded away", width < 1280 or name == "hostile" or seen["folded"] <= SCREENS * 900, seen["folded"])
    check(where + "links lead somewhere", seen["dead"] == 0)
    check(where + "there are tables and figures", seen["tables"] > 5 and len(seen["figures"]) > 1, seen["tables"])
    check(where + "no table is cut", width < 1280 or name == "hostile" or not seen["cut"], seen["cut"])
    for f in seen["figures"]:
        good = (f["shown"] == f["panels"] > 0 and f["right"] <= width and f["least"] >= min(width - 40, 300)
                and f["flattest"] > 100 and f["marks"] > 3)
        check(where + f["id"] + " is visible", good, f)
        check(where + f["id"] + " has letters that can be read", f["height"] >= 7.5 and not f["pale"], f)
        check(where + f["id"] + " keeps its letters inside", not f["outside"], f["outside"])
        check(where + f["id"] + " has the page's background", f["ground"] == [seen["page"]], (f["ground"], seen["page"]))
    picture = browser.call("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True,
                                                      "clip": {"x": 0, "y": 0, "width": width, "height": min(seen["height"], 15000), "scale": 1}})
    with open(os.path.join(directory, "%s-%d-%s.png" % (name, width, theme)), "wb") as out:
        out.write(base64.b64decode(picture["data"]))


def on_paper(browser, directory, name):
    """Printed from a dark screen it is light, every figure once."""
    browser.call("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    seen = json.loads(browser.call("Runtime.evaluate", {"expression": LOOK, "returnByValue": True})["result"]["value"])
    check(name + " on paper: figures are light", all(f["ground"] == ["rgb(255, 255, 255)"] and f["shown"] == f["panels"]
                                                     for f in seen["figures"]), seen["figures"][:1])
    check(name + " on paper: the page is white", seen["page"] == "rgb(255, 255, 255)", seen["page"])
    pdf = base64.b64decode(browser.call("Page.printToPDF", {"printBackground": False})["data"])
    check(name + " on paper: it prints", pdf[:5] == b"%PDF-" and len(pdf) > 20000, len(pdf))


def main():
    directory, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if program is None:
        print("chromium is not installed: the page was not opened")
        return end()
    browser = Browser(program)
    try:
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.call(domain + ".enable")
        for name in names:
            for width in (1280, 400):
                for theme in ("light", "dark"):
                    look(browser, directory, name, width, theme)
            on_paper(browser, directory, name)
        # A check that cannot fail checks nothing: a page that does what is forbidden must be caught.
        bad = os.path.join(directory, "bad")
        os.makedirs(bad, exist_ok=True)
        with open(os.path.join(bad, "index.html"), "w", encoding="utf-8") as f:
            f.write("<!doctype html><div style='width:3000px'>x</div><img src='nowhere.png'><script>console.log(1)</script>")
        browser.events = []
        browser.call("Page.navigate", {"url": "file://" + bad + "/index.html"})
        browser.wait("Page.loadEventFired")
        seen = json.loads(browser.call("Runtime.evaluate", {"expression": LOOK, "returnByValue": True})["result"]["value"])
        complaints, requests = listen(browser, "file://" + bad + "/index.html")
        check("a bad page is caught", complaints and requests and seen["scripts"] and seen["overflow"] > seen["width"] and seen["wide"],
              (complaints, requests, seen))
    finally:
        browser.close()
    return end()


if __name__ == "__main__":
    sys.exit(main())
