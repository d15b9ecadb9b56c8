"""Opens the pictures of commands in headless Chromium and measures them.

    pictures.py DIR

DIR holds SVGs. In each: no letter leaves the frame, no two texts touch, letters can be read against
their ground and are large enough, enlarged cells of a map are not blended, something is drawn and nothing says "no data".
The checks themselves are checked on a picture in which all of that is wrong.
"""
import glob
import json
import os
import shutil
import sys

import browser

LOOK = r"""
(() => {
  const svg = document.documentElement, box = svg.viewBox.baseVal;
  // At its own size: shrunk to the window, letters of a tall picture are hinted otherwise.
  svg.style.width = box.width + 'px';
  svg.style.height = box.height + 'px';
  const scale = svg.getScreenCTM().a, toFrame = svg.getScreenCTM().inverse();
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const [r, g, b] = parse(c).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  // The corners of what letters cover, turned as they are: a line's box without most of the gap to its neighbours.
  const corners = t => { const b = t.getBBox(), m = toFrame.multiply(t.getScreenCTM()), s = 0.18 * b.height;
    return [[b.x, b.y + s], [b.x + b.width, b.y + s], [b.x + b.width, b.y + b.height - s], [b.x, b.y + b.height - s]]
      .map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]); };
  // Two rectangles are apart where a side of one separates them.
  const apart = (p, q) => [p, q].some(r => [0, 1].some(i => {
    const [ax, ay] = [r[i + 1][0] - r[i][0], r[i + 1][1] - r[i][1]], l = Math.hypot(ax, ay) || 1;
    const on = s => s.map(([x, y]) => (x * ax + y * ay) / l);
    return Math.max(...on(p)) < Math.min(...on(q)) + 0.5 || Math.max(...on(q)) < Math.min(...on(p)) + 0.5; }));
  const letters = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim() !== '')
      .map(t => ({t, c: corners(t), s: t.textContent}));
  const ground = getComputedStyle(svg.querySelector('rect')).fill, touching = [];
  letters.forEach((a, i) => letters.slice(i + 1).forEach(b => { if (!apart(a.c, b.c)) touching.push(a.s + ' | ' + b.s); }));
  const images = [...svg.querySelectorAll('image')], boxes = images.map(i => i.getBoundingClientRect());
  const onImage = t => { const b = t.getBoundingClientRect(), x = b.left + b.width / 2, y = b.top + b.height / 2;
    return boxes.some(i => x > i.left && x < i.right && y > i.top && y < i.bottom); };
  // Width and height in cells stand in the PNG's header.
  const cells = i => { const head = atob((i.getAttribute('xlink:href') || i.getAttribute('href')).split(',')[1].slice(0, 32));
    const at = k => head.charCodeAt(k) << 8 | head.charCodeAt(k + 1); return [at(18), at(22)]; };
  const enlarged = i => { const [w, h] = cells(i), x = +i.getAttribute('width'), y = +i.getAttribute('height');
    return w <= x && h <= y && (2 * w <= x || 2 * h <= y); };
  return JSON.stringify({touching, scale,
    outside: letters.filter(({c}) => c.some(([x, y]) => x < -0.5 || x > box.width + 0.5 || y < -0.5 || y > box.height + 0.5))
        .map(l => l.s),
    small: letters.filter(({t}) => parseFloat(getComputedStyle(t).fontSize) < 10).map(l => l.s),
    // Numbers in the cells of a map stand on other grounds.
    pale: letters.filter(({t}) => !onImage(t) && contrast(getComputedStyle(t).fill, ground) < 4.5).map(l => l.s),
    blended: images.filter(i => enlarged(i) && getComputedStyle(i).imageRendering !== 'pixelated').length,
    empty: letters.some(l => l.s === 'no data'),
    marks: [...svg.querySelectorAll('path, use, image, polygon')].filter(e => !e.closest('defs')).length});
})()
"""

BAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><rect width="100" height="60" fill="#ffffff"/>
<text x="10" y="20" font-size="8" fill="#eeeeee">touches</text><text x="20" y="20" font-size="12">this</text>
<text x="80" y="50" font-size="12">goes outside</text><text x="10" y="50" font-size="12">no data</text>
<image x="70" y="2" width="9" height="9"
href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnW"/></svg>"""


def seen_in(chromium, path):
    chromium.events = []
    chromium.call("Page.navigate", {"url": "file://" + path})
    chromium.wait("Page.loadEventFired")
    return json.loads(chromium.call("Runtime.evaluate", {"expression": LOOK, "returnByValue": True})["result"]["value"])


def main():
    directory = os.path.abspath(sys.argv[1])
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if program is None:
        print("chromium is not installed: the pictures were not opened")
        return browser.end()
    chromium = browser.Browser(program)
    try:
        for domain in ("Page", "Runtime"):
            chromium.call(domain + ".enable")
        for path in sorted(glob.glob(os.path.join(directory, "*.svg"))):
            name, seen = os.path.basename(path), seen_in(chromium, path)
            for what in ("touching", "outside", "small", "pale"):
                browser.check("%s: %s" % (name, what), not seen[what], seen[what])
            browser.check(name + ": is measured at its own size", abs(seen["scale"] - 1) < 1e-6, seen["scale"])
            browser.check(name + ": cells are blended", seen["blended"] == 0, seen["blended"])
            browser.check(name + ": nothing is drawn", seen["marks"] > 3 and not seen["empty"], seen)
        bad = os.path.join(directory, "bad.xml")
        with open(bad, "w", encoding="utf-8") as f:
            f.write(BAD)
        seen = seen_in(chromium, bad)
        browser.check("a bad picture is caught", all(seen[k] for k in ("touching", "outside", "small", "pale", "blended", "empty")), seen)
    finally:
        chromium.close()
    return browser.end()


if __name__ == "__main__":
    sys.exit(main())
