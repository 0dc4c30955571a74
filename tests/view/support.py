"""Shared by the tests of the viewer: a virtual display (Xvfb), keys and mouse (xdotool), pixels, and headless Chromium, controlled through its debugging
socket. Python's standard library only."""
import base64
import contextlib
import json
import mmap
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAZE = os.environ.get("GRAZE", os.path.join(ROOT, "build", "release", "graze"))
SKIPPED = 77
os.environ["GRAZE_SCENES"] = os.path.join(ROOT, "scenes")  # examples by name, wherever the viewer runs


def need(*programs):
    """Exits with the code for 'skipped' when a program is missing."""
    missing = [p for p in programs if not shutil.which(p)]
    if missing:
        print("skipped: not on this machine: " + ", ".join(missing))
        sys.exit(SKIPPED)


def graze(*arguments, code=0, env=None, cwd=None, text=None):
    r = subprocess.run([GRAZE, *arguments], capture_output=True, text=True, env={**os.environ, **(env or {})}, cwd=cwd, input=text, timeout=170)
    assert code is None or r.returncode == code, "graze %s: exit code %d, expected %s\n%s%s" % (" ".join(arguments), r.returncode, code, r.stdout, r.stderr)
    return r


def query(*questions):
    r = graze("query", text="\n".join(json.dumps(q) for q in questions) + "\n")
    return [json.loads(line) for line in r.stdout.splitlines()]


def obj(path, vertices, triangles):
    with open(path, "w") as f:
        f.writelines("v %r %r %r\n" % tuple(map(float, v)) for v in vertices)
        f.writelines("f %d %d %d\n" % tuple(i + 1 for i in t) for t in triangles)


def boxes(path, *list_of_boxes):
    """Boxes, each (low corner, high corner), as one OBJ file that bounds solids."""
    faces = ((0, 3, 1), (0, 2, 3), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 7, 3), (2, 6, 7), (0, 6, 2), (0, 4, 6), (1, 3, 7), (1, 7, 5))
    corners = [[high[k] if i >> k & 1 else low[k] for k in range(3)] for low, high in list_of_boxes for i in range(8)]
    obj(path, corners, [[8 * n + i for i in f] for n in range(len(list_of_boxes)) for f in faces])


def gltf(path, size):
    """A box of that size as a glTF file; its y axis points up, as in every glTF."""
    corners = [(x * size[0], y * size[1], z * size[2]) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    faces = [(0, 3, 1), (0, 2, 3), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 7, 3), (2, 6, 7), (0, 6, 2), (0, 4, 6), (1, 3, 7), (1, 7, 5)]
    data = b"".join(struct.pack("<3f", *p) for p in corners) + b"".join(struct.pack("<3H", *f) for f in faces)
    with open(path, "w") as f:
        json.dump(
            {
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "accessors": [
                    {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": list(size)},
                    {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
                ],
                "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
                "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
            },
            f,
        )


def bad_inputs(folder):
    """Files that must be refused at once, each with a word that the message must contain: pipes without a writer, directories, empty files, unreadable
    files, unknown formats."""
    at = lambda name: os.path.join(folder, name)
    for name in ("pipe.gltf", "pipe.json"):
        os.mkfifo(at(name))
    for name in ("folder.obj", "folder.json"):
        os.mkdir(at(name))
    for name, content in (("empty.obj", ""), ("empty.gltf", ""), ("empty.json", ""), ("unknown.xyz", "hello there\n"), ("wrong.glb", "hello there\n")):
        with open(at(name), "w") as f:
            f.write(content)
    with open(at("named.gltf"), "w") as f:  # names a pipe as its buffer
        json.dump(
            {
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
                "bufferViews": [{"buffer": 0, "byteLength": 36}],
                "buffers": [{"uri": "pipe.gltf", "byteLength": 36}],
            },
            f,
        )
    words = {
        "pipe.gltf": "is a pipe that no program writes to",
        "pipe.json": "is a pipe that no program writes to",
        "folder.obj": "is a directory",
        "folder.json": "is a directory",
        "empty.obj": "empty",
        "empty.gltf": "empty",
        "empty.json": "empty",
        "unknown.xyz": "format is not known",
        "wrong.glb": "expected a JSON value",
        "named.gltf": "pipe.gltf",
        "missing.stl": "no such file",
        "missing.json": "No such file",
    }
    if os.geteuid() != 0:  # root may read all
        with open(at("locked.obj"), "w") as f:
            f.write("v 0 0 0\n")
        os.chmod(at("locked.obj"), 0)
        words["locked.obj"] = "cannot be opened"
    return [(at(name), word) for name, word in words.items()]


TETRAHEDRON = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])


class Pixels:
    """Rows from top to bottom, three bytes per pixel."""

    def __init__(self, width, height, rgb):
        self.width, self.height, self.rgb = width, height, rgb

    def at(self, x, y):
        i = 3 * (y * self.width + x)
        return tuple(self.rgb[i : i + 3])

    def count(self, color, tolerance=0, box=None):
        """The number of pixels of that colour within (x0, y0, x1, y1)."""
        x0, y0, x1, y1 = box or (0, 0, self.width, self.height)
        n = 0
        for y in range(y0, y1):
            row = self.rgb[3 * (y * self.width + x0) : 3 * (y * self.width + x1)]
            if tolerance == 0:
                at = row.find(bytes(color))
                while at >= 0:
                    n += at % 3 == 0
                    at = row.find(bytes(color), at + 1)
            else:
                n += sum(
                    abs(row[i] - color[0]) <= tolerance and abs(row[i + 1] - color[1]) <= tolerance and abs(row[i + 2] - color[2]) <= tolerance
                    for i in range(0, len(row), 3)
                )
        return n

    def differs(self, other):
        return sum(1 for i in range(0, len(self.rgb), 30) if self.rgb[i : i + 3] != other.rgb[i : i + 3])

    def save(self, path):
        raw = b"".join(b"\0" + bytes(self.rgb[3 * y * self.width : 3 * (y + 1) * self.width]) for y in range(self.height))
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        with open(path, "wb") as f:
            f.write(
                b"\x89PNG\r\n\x1a\n"
                + chunk(b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(raw, 6))
                + chunk(b"IEND", b"")
            )


def read_png(path):
    """Of 8 bits, RGB or RGBA, not interlaced."""
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG: " + path
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and color in (2, 6) and not interlaced
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, n = zlib.decompress(packed), 3 if color == 2 else 4
    rows, last = bytearray(), bytearray(width * n)
    for y in range(height):
        kind, row = raw[y * (width * n + 1)], bytearray(raw[y * (width * n + 1) + 1 : (y + 1) * (width * n + 1)])
        if kind == 1:
            for i in range(n, len(row)):
                row[i] = (row[i] + row[i - n]) & 255
        elif kind == 2:
            for i in range(len(row)):
                row[i] = (row[i] + last[i]) & 255
        elif kind == 3:
            for i in range(len(row)):
                row[i] = (row[i] + ((row[i - n] if i >= n else 0) + last[i]) // 2) & 255
        elif kind == 4:
            for i in range(len(row)):
                a, b, c = (row[i - n] if i >= n else 0), last[i], (last[i - n] if i >= n else 0)
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        last = row
        rows += row if n == 3 else bytes(v for i in range(0, len(row), 4) for v in row[i : i + 3])
    return Pixels(width, height, bytes(rows))


class Display:
    """Xvfb with its framebuffer as a file."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="graze-view-")
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "%dx%dx24" % (width, height), "-fbdir", self.folder, "-nolisten", "tcp", "-noreset"],
            pass_fds=(write,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as f:
            self.name = ":" + f.readline().strip()
        assert self.name != ":", "Xvfb did not start"
        self.env = {**os.environ, "DISPLAY": self.name, "LIBGL_ALWAYS_SOFTWARE": "1"}

    def pixels(self):
        with open(os.path.join(self.folder, "Xvfb_screen0"), "rb") as f, mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ) as m:
            h = struct.unpack(">25I", m[:100])
            size, width, height, bits, stride, colors = h[0], h[4], h[5], h[11], h[12], h[19]
            assert bits == 32
            raw = m[size + 12 * colors : size + 12 * colors + stride * height]
        rgb = bytearray(3 * width * height)
        rgb[0::3], rgb[1::3], rgb[2::3] = raw[2::4], raw[1::4], raw[0::4]
        return Pixels(width, height, bytes(rgb))

    def do(self, *arguments):
        r = subprocess.run(["xdotool", *map(str, arguments)], env=self.env, capture_output=True, text=True, timeout=60)
        assert r.returncode == 0, "xdotool %s: %s" % (arguments, r.stderr)
        return r.stdout.strip()

    def close(self):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Viewer:
    """`graze view` on a display."""

    def __init__(self, display, *arguments, cwd=None):
        self.display = display
        w, h = display.pixels().width, display.pixels().height
        self.told = tempfile.TemporaryFile("w+")  # the text in the window
        self.process = subprocess.Popen(
            [GRAZE, "view", "--tell", "--size", "%dx%d" % (w, h), *arguments], env=display.env, cwd=cwd, stdout=self.told, stderr=subprocess.PIPE, text=True
        )
        self.window = None
        end = time.time() + 40
        while time.time() < end and self.window is None:
            assert self.process.poll() is None, "graze view ended: " + self.process.stderr.read()
            r = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Graze: "], env=display.env, capture_output=True, text=True)
            self.window = r.stdout.split()[0] if r.stdout.split() else None
            time.sleep(0.05)
        assert self.window, "no window within 40 s"
        display.do("windowmove", self.window, 0, 0)
        display.do("windowfocus", self.window)
        self.settle()

    def title(self):
        return self.display.do("getwindowname", self.window)

    def words(self):
        """The current text of the window: title, caption, message."""
        self.told.seek(0)
        lines = self.told.read().split("\n")[:-1]
        return json.loads(lines[-1]) if lines else {}

    def drop(self, *files):
        w, h = self.display.pixels().width, self.display.pixels().height
        r = subprocess.run(
            [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "dropping.py"), self.window, str(w * 2 // 3), str(h // 2), *files],
            env=self.display.env,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert r.returncode == 0, r.stderr

    @contextlib.contextmanager
    def a_long_frame(self):
        """Stops the viewer meanwhile, so that it then receives all events at once."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def keys(self, *names):
        self.display.do("key", "--delay", "2", *names)

    def settle(self, at_most=8):
        """Waits until the screen no longer changes; longer on a busy machine."""
        busy = max(1, min(3, os.getloadavg()[0] / os.cpu_count()))
        end, last = time.time() + at_most, None
        time.sleep(0.15 * busy)
        while time.time() < end:
            now = self.display.pixels().rgb
            if now == last:
                return
            last = now
            time.sleep(0.12 * busy)

    def until(self, what, condition, at_most=15):
        end = time.time() + at_most
        while time.time() < end:
            if condition():
                return
            time.sleep(0.05)
        raise AssertionError("not within %d s: %s; the window's title: %s, its words: %s" % (at_most, what, self.title(), self.words()))

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stderr.close()
        self.told.close()


def on_a_display(*arguments, size=(1280, 800)):
    """A test of the viewer, called with these arguments ('@': its folder), on its own display."""

    def wrap(test):
        def run():
            with tempfile.TemporaryDirectory() as folder:
                display = Display(*size)
                try:
                    viewer = Viewer(display, *[a.replace("@", folder) for a in arguments], cwd=folder)
                    try:
                        test(viewer, folder)
                    finally:
                        viewer.close()
                finally:
                    display.close()

        run.__name__ = test.__name__
        return run

    return wrap


def scene(p):
    """The centre of the picture, without panel and text."""
    return (320, p.height // 8, p.width * 4 // 5, p.height * 5 // 6)


def sees(viewer, color, box=None):
    """Whether a shape of that colour is on the screen, in any light."""
    p = viewer.display.pixels()
    total = sum(color)
    n = 0
    x0, y0, x1, y1 = box or scene(p)
    for y in range(y0, y1, 3):
        for x in range(x0, x1, 3):
            c = p.at(x, y)
            s = sum(c)
            n += s > 120 and all(abs(c[k] / s - color[k] / total) < 0.03 for k in range(3))
    return n > 15


class Browser:
    """Headless Chromium with one page."""

    def __init__(self, url, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="graze-page-")
        self.process = subprocess.Popen(
            [
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu-sandbox",
                "--use-gl=angle",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--remote-debugging-port=0",
                "--user-data-dir=" + self.folder,
                "--no-first-run",
                "--window-size=%d,%d" % (width, height),
                "--hide-scrollbars",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port, end = None, time.time() + 40
        while port is None and time.time() < end:
            try:
                with open(os.path.join(self.folder, "DevToolsActivePort")) as f:
                    port = int(f.readline())
            except (OSError, ValueError):
                time.sleep(0.1)
        assert port, "Chromium did not start"
        pages = []
        while not pages and time.time() < end:
            with urllib.request.urlopen("http://127.0.0.1:%d/json" % port, timeout=10) as r:
                pages = [p for p in json.load(r) if p["type"] == "page"]
            time.sleep(0.05)
        address = pages[0]["webSocketDebuggerUrl"]
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n"
                % (address.split("/", 3)[3].join(["/", ""]), port, key)
            ).encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        self.buffer = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.number, self.errors, self.requests = 0, [], []
        for domain in ("Runtime", "Log", "Page", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=url)

    def _exactly(self, n):
        while len(self.buffer) < n:
            more = self.socket.recv(1 << 16)
            assert more, "Chromium closed the connection"
            self.buffer += more
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def _receive(self):
        message = b""
        while True:
            first, second = self._exactly(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self._exactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._exactly(8))[0]
            message += self._exactly(size)
            if first & 128:
                return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": params}).encode()
        head = (
            struct.pack(">BB", 0x81, 0x80 | len(data))
            if len(data) < 126
            else struct.pack(">BBH", 0x81, 0xFE, len(data))
            if len(data) < 65536
            else struct.pack(">BBQ", 0x81, 0xFF, len(data))
        )
        self.socket.sendall(head + b"\0\0\0\0" + data)
        while True:
            m = self._receive()
            if m.get("method") == "Runtime.exceptionThrown":
                self.errors.append(m["params"]["exceptionDetails"].get("exception", {}).get("description") or str(m["params"]["exceptionDetails"]))
            elif m.get("method") == "Runtime.consoleAPICalled" and m["params"]["type"] in ("error", "warning", "assert"):
                self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in m["params"]["args"]))
            elif m.get("method") == "Log.entryAdded" and m["params"]["entry"]["level"] == "error":
                self.errors.append(m["params"]["entry"]["text"])
            elif m.get("method") == "Network.requestWillBeSent":
                self.requests.append(m["params"]["request"]["url"])
            elif m.get("id") == self.number:
                assert "error" not in m, m
                return m["result"]

    def js(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in r, r
        return r["result"].get("value")

    def until(self, expression, at_most=60):
        end = time.time() + at_most
        while time.time() < end:
            if self.js(expression):
                return
            time.sleep(0.05)
        raise AssertionError("not within %d s: %s; errors: %s" % (at_most, expression, self.errors))

    def click(self, selector):
        x, y = self.js(
            "(() => { const e = document.querySelector(%r); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
            % selector
        )
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def pixels(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        path = path or os.path.join(self.folder, "screen.png")
        with open(path, "wb") as f:
            f.write(data)
        return read_png(path)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def run_all(tests):
    """Runs functions without arguments and prints the failed ones. Returns the exit code."""
    import traceback

    failed = 0
    for t in tests:
        start = time.time()
        try:
            t()
            print("ok    %-44s %5.1f s" % (t.__name__, time.time() - start), flush=True)
        except Exception:
            failed += 1
            print("FAIL  %s" % t.__name__, flush=True)
            traceback.print_exc(file=sys.stdout)
    print("%d passed, %d failed" % (len(tests) - failed, failed))
    return 1 if failed else 0
