# SPDX-License-Identifier: Apache-2.0
"""Report pages and 'tumble view' from outside. Usage: report_test.py TUMBLE SCHEMAS. The browser tests are in viewer/."""
import base64
import http.client
import json
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import unittest
from pathlib import Path

import cli_test
from cli_test import CliTest, load_strictly, moved


def data_of(page):
    """The JSON and the bytes of a page."""
    report = re.search(r'<script id="report" type="application/json">(.*?)</script>', page, re.S).group(1)
    binary = re.search(r'<script id="binary" type="application/octet-stream">(.*?)</script>', page, re.S).group(1)
    return load_strictly(report), base64.b64decode(binary, validate=True)


class ReportTest(CliTest):
    def parts(self, names_and_x):
        return self.file("parts.json", json.dumps({"units": "mm", "parts": [
            {"name": name, "mesh": "cube.off", "pose": [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0]} for name, x in names_and_x]}))

    def page(self, name="page.html"):
        data, binary = data_of((self.dir / name).read_text())
        self.assert_valid(data, "report")
        return data, binary


class Clash(ReportTest):
    def test_rows_are_the_pairs_of_the_json(self):
        parts = self.parts([("a", 0), ("b", 0.5), ("c", 1.5), ("d", 2.6), ("<script>", 9)])
        self.succeed("clash", parts, "--clearance", "0.2", "--report", "page.html", "--json", "clashes.json", status=1)
        pairs = load_strictly((self.dir / "clashes.json").read_text())["pairs"]
        data, _ = self.page()
        names = [part["name"] for part in data["parts"]]
        self.assertEqual(names, ["a", "b", "c", "d", "<script>"])
        self.assertEqual([(names[c["a"]], names[c["b"]], c["class"], c["depth"], c["contacts"]) for c in data["clashes"]],
                         [(p["a"], p["b"], p["class"], p["depth"], p["contacts"]) for p in pairs])
        self.assertEqual([c["class"] for c in data["clashes"]], ["piercing", "touching", "too close"])
        self.assertEqual([c["outline"]["segments"] > 0 for c in data["clashes"]], [True, True, False])
        self.fail_with("both --json and --report", "clash", parts, "--json", "x.html", "--report", "./x.html")

    def test_a_folder_names_the_page(self):
        (self.dir / "gears").mkdir()
        for name in "a.off", "b.off":
            self.file(f"gears/{name}", Path(self.cube).read_text())
        for folder in "gears", "gears/", "./gears/.", "gears/../gears/":
            self.succeed("clash", folder, "--report", "page.html", status=1)
            self.assertEqual(self.page()[0]["title"], "gears", folder)

    def test_verdicts(self):
        parts = self.parts([("a", 0), ("b", 0.5), ("c", 1.5), ("d", 2.25), ("e", 3)])
        verdicts = lambda: [c["verdict"] for c in self.page()[0]["clashes"]]
        self.succeed("clash", parts, "--report", "page.html", "--json", "base.json", "--between", "a", "b", status=1)
        self.assertEqual(verdicts(), ["fails"])
        self.succeed("clash", parts, "--report", "page.html", "--baseline", "base.json", "--allow", self.file("l", "c d"), status=1)
        self.assertEqual(verdicts(), ["known", "passes", "allowed", "fails"])  # b and c are flush


class World(ReportTest):
    def test_pairs_in_contact(self):
        self.succeed("world", self.parts([("a", 0), ("b", 0.5), ("c", 9)]), "--report", "page.html", status=1)
        data, binary = self.page()
        self.assertEqual([part["name"] for part in data["parts"]], ["a", "b", "c"])
        self.assertEqual({part["mesh"] for part in data["parts"]} <= set(range(len(data["meshes"]))), True)
        self.assertEqual(data["units"], "mm")
        (clash,) = data["clashes"]
        self.assertEqual((clash["a"], clash["b"], clash["class"], clash["steps"]), (0, 1, "contact", None))
        self.assertGreater(clash["outline"]["segments"], 0)
        for segment in range(clash["outline"]["segments"]):  # in the scene's coordinates
            for value in struct.unpack_from("<6f", binary, clash["outline"]["offset"] + 24 * segment):
                self.assertLessEqual(abs(value), 1)
        self.assertIsNone(data["motion"])

    def test_near_pairs_have_a_gap(self):
        self.succeed("world", self.parts([("a", 0), ("b", 1.5), ("c", 9)]), "--within", "1", "--report", "page.html", status=1)
        (clash,) = self.page()[0]["clashes"]
        self.assertEqual((clash["class"], clash["gap"], clash["point"][0]), ("near", 0.5, 1.25))

    def test_names_stay_data(self):
        name = "</script><img src=x onerror=alert(1)>\u2028<!--"
        self.succeed("world", self.parts([(name, 0), ("b", 9)]), "--report", "page.html")
        text = (self.dir / "page.html").read_text()
        self.assertNotIn("<img", text)
        self.assertNotIn("\u2028", text)
        self.assertEqual(self.page()[0]["parts"][0]["name"], name)

    def test_configurations_are_a_motion(self):
        arm = Path(cli_test.SCHEMAS).parents[1] / "examples" / "arm.urdf"
        joints = re.findall(r'<joint name="([^"]+)"', arm.read_text())
        csv = self.file("path.csv", ",".join(joints[:2]) + "\n" + "".join(f"0,{0.1 * i}\n" for i in range(10)))
        self.run_tumble("world", str(arm), self.cube, "--configurations", csv, "--report", "page.html", status=1)
        data, binary = self.page()
        motion = data["motion"]
        self.assertEqual(motion["steps"], 10)
        self.assertTrue(motion["moved"])
        colliding = binary[motion["colliding"]:motion["colliding"] + 10]
        for clash in data["clashes"]:
            first, last = clash["steps"]
            self.assertTrue(all(colliding[first:last + 1]))
        self.assertTrue(data["clashes"])


class Fly(ReportTest):
    def fly(self, *arguments, status=1):
        poses = self.file("poses.txt", "\n".join(moved(x, 0, 0) for x in (0.5, 0.9, 3, 0.5)) + "\n")
        self.succeed("fly", self.cube, self.cube, poses, *arguments, "--report", "page.html", status=status)
        return self.page()

    def test_steps(self):
        data, binary = self.fly("--query", "distance")
        motion = data["motion"]
        self.assertEqual((motion["moved"], motion["steps"], motion["value"]), ([1], 4, "distance"))
        self.assertEqual(struct.unpack_from("<4f", binary, motion["values"]), (0, 0, 2, 0))
        self.assertEqual([clash["steps"] for clash in data["clashes"]], [[0, 1], [3, 3]])
        ends = struct.unpack_from("<4I", binary, motion["outline_ends"])
        self.assertEqual(ends[1], ends[2])  # nothing touches in step 2
        self.assertEqual(ends[3], motion["outline"]["segments"])
        # A step's pose takes the mesh to where the report's own pose does.
        row = struct.unpack_from("<12f", binary, motion["poses"])
        self.assertAlmostEqual(row[3], (0.5 - data["origin"][0]) / data["scale"], places=5)

    def test_both_move(self):
        env = self.file("env.txt", "\n".join(moved(0, y, 0) for y in (0, 1, 2, 3)) + "\n")
        self.assertEqual(self.fly("--poses-env", env)[0]["motion"]["moved"], [0, 1])

    def test_lab_scene(self):
        self.succeed("lab", "scene", "zachmann_torus", "--triangles", "400", "--steps", "6", "-o", "scene", "--report", "page.html")
        self.assertEqual(self.page()[0]["motion"]["steps"], 6)


class Files(ReportTest):
    def test_same_file_twice(self):
        self.fail_with("both --json and --report", "world", self.cube, "--json", "x", "--report", "x")
        self.assert_nothing_left()

    def test_folder_that_does_not_exist(self):
        self.fail_with("no/page.html", "world", self.cube, "--report", "no/page.html")

    def test_full_disk_leaves_nothing(self):
        _, err = self.run_tumble("world", self.cube, self.cube, "--report", "/dev/full", status=2)
        self.assertRegex(err, r"\Atumble: /dev/full: [^\n]*No space left[^\n]*\n\Z")
        poses = self.file("poses.txt", "1 0 0 5 0 1 0 0 0 0 1 0\n")
        self.run_tumble("fly", self.cube, self.cube, poses, "--glb", "flight.glb", "--report", "/dev/full", status=2)
        self.assertFalse((self.dir / "flight.glb").exists())
        # A limit of the file's size stands for a disk that is full in the middle; an earlier page stays as it was.
        self.file("page.html", "earlier")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        done = subprocess.run([cli_test.TUMBLE, "world", self.cube, self.cube, "--report", "page.html"], cwd=self.dir,
                              capture_output=True, timeout=60, preexec_fn=limit)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"\Atumble: page.html: cannot write the file: [^\n]+\n\Z")
        self.assertEqual((self.dir / "page.html").read_text(), "earlier")
        self.assert_nothing_left("page.html", "poses.txt")


class View(ReportTest):
    def serve(self, *arguments, **options):
        port = () if "--port" in arguments else ("--port", "0")
        server = subprocess.Popen([cli_test.TUMBLE, "view", self.cube, *port, *arguments], cwd=self.dir,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        self.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", server.stdout.readline()).group(1))
        return server

    def ask(self, method="GET", path="/", host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host=True)
        if host != "":
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body.decode()

    def raw(self, request):
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(request)
            answer = b""
            while block := connection.recv(65536):
                answer += block
        return answer

    def test_the_page(self):
        self.serve()
        answer, body = self.ask()
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
        data, _ = data_of(body)
        self.assert_valid(data, "report")
        self.assertEqual([part["name"] for part in data["parts"]], ["cube"])
        self.assertEqual(data["clashes"], [])
        for host in "localhost", "LOCALHOST", "[::1]":
            self.assertEqual(self.ask(host=f"{host}:{self.port}")[0].status, 200)
        answer, body = self.ask("HEAD")
        self.assertEqual((answer.status, body), (200, ""))
        self.assertGreater(int(answer.headers["Content-Length"]), 100000)

    def test_other_hosts_get_nothing(self):
        """A name that was made to point here: DNS rebinding."""
        self.serve()
        for host in "evil.example", f"evil.example:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}", "", \
                    f"localhost:{self.port}.evil.example", f"127.0.0.1:{self.port}@evil.example":
            answer, body = self.ask(host=host)
            self.assertEqual((answer.status, "cube" in body), (403, False), host)
        twice = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nHost: evil.example\r\n\r\n"
        self.assertIn(b" 403 ", self.raw(twice.encode()).split(b"\r\n")[0])

    def test_the_port_that_browsers_leave_out(self):
        try:
            socket.create_server(("127.0.0.1", 80)).close()
        except OSError as error:
            self.skipTest(f"port 80: {error}")
        self.serve("--port", "80")
        for host, status in ("127.0.0.1", 200), ("localhost", 200), ("localhost:80", 200), ("evil.example", 403):
            self.assertEqual(self.ask(host=host)[0].status, status, host)

    def test_no_other_path_and_no_file(self):
        self.serve()
        for path in "/cube.off", "/../cube.off", "/%2e%2e/cube.off", "/etc/passwd", "//", "/index.html", "/?x", "http://127.0.0.1/", "/\\..\\", \
                    "/" + "a" * 5000:
            answer, body = self.ask(path=path)
            self.assertEqual((answer.status, "OFF" in body, "root:" in body), (404, False, False), path)

    def test_no_other_method(self):
        self.serve()
        for method in "POST", "PUT", "DELETE", "OPTIONS", "get":
            self.assertEqual(self.ask(method)[0].status, 405, method)

    def test_garbage(self):
        self.serve()
        host = f"Host: 127.0.0.1:{self.port}\r\n\r\n".encode()
        for request in b"\r\n\r\n", b"GET\r\n\r\n", b"GET / FTP/1.0\r\n" + host, b"\0" * 100 + b"\r\n\r\n", b"a" * 20000:
            self.assertIn(b" 400 ", self.raw(request).split(b"\r\n")[0])
        self.assertEqual(self.ask()[0].status, 200)

    def test_those_who_say_nothing_keep_nobody_waiting(self):
        self.serve()
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(100)]
        self.assertEqual(self.ask()[0].status, 200)
        for connection in silent:
            connection.close()
        gone = socket.create_connection(("127.0.0.1", self.port))
        gone.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        gone.close()  # before it has read the answer
        self.assertEqual(self.ask()[0].status, 200)

    def test_this_machine_alone(self):
        server = self.serve()
        listening = [line.split() for line in Path(f"/proc/{server.pid}/net/tcp").read_text().splitlines()[1:]]
        addresses = {line[1] for line in listening if line[3] == "0A" and line[1].endswith(f":{self.port:04X}")}
        self.assertEqual(addresses, {f"0100007F:{self.port:04X}"})

    def test_port_in_use(self):
        self.serve()
        self.fail_with(f"port {self.port} .*--port 0.*in use", "view", self.cube, "--port", str(self.port))

    def test_interruption_ends_it(self):
        server = self.serve()
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=10), -signal.SIGINT)

    def test_standard_input(self):
        with open(self.cube, "rb") as mesh:
            self.serve("-", "--format", "off", stdin=mesh)
        self.assertIn("standard input", self.ask()[1])

    def test_errors_come_before_serving(self):
        self.fail_with("missing.stl", "view", "missing.stl")
        self.fail_with("--port", "view", self.cube, "--port", "65536")

    def test_without_a_browser(self):
        server = self.serve("--open")
        self.assertEqual(self.ask()[0].status, 200)
        self.assertIsNone(server.poll())


if __name__ == "__main__":
    cli_test.TUMBLE = os.path.abspath(sys.argv.pop(1))
    cli_test.SCHEMAS = Path(sys.argv.pop(1)).resolve()
    unittest.main()
