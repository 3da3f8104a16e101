"""Pictures of the job: SVG and DOT, their views, and hostile names in them."""
import subprocess
from xml.etree import ElementTree

from program import JOBS, Case, run


class Pictures(Case):
    def test_pictures(self):
        self.assertIn(b"<svg", run("-f", "svg", self.broken).stdout)
        dot = run("-f", "dot", self.broken).stdout
        self.assertEqual(subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, check=True).stderr, b"")

    def test_svg_says_who_is_who(self):
        done = run("-f", "svg", JOBS / "rank-killed/input.log")
        self.assertEqual(done.stderr, b"")
        root = ElementTree.fromstring(done.stdout)
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.get("role"), "img")
        self.assertTrue(root.find(name + "title").text.startswith("ERROR  A process died"))
        self.assertIn("prefers-color-scheme: dark", root.find(name + "style").text)
        titles = [title.text for title in root.iter(name + "title")]
        self.assertEqual(sum(title.startswith("rank 5 (train-job-worker-1, GPU 1, pid 102); ") for title in titles), 1)
        self.assertTrue(any(title.startswith("rank 0 \u2194 rank 1: P2P/CUMEM") for title in titles))
        self.assertFalse([title for title in titles if "c0r" in title])
        self.assertFalse(list(root.iter(name + "a")))
        colors = {value for part in root.iter() for key in ("fill", "stroke")
                  if (value := part.get(key)) not in (None, "none", "transparent")}
        for color in colors:  # each has one for a dark page
            self.assertIn(f'[fill="{color}"]', root.find(name + "style").text)

    def test_names_in_a_picture_stay_text(self):
        hostile = b"<i>&amp;\"]\\N\\lx</title><script>alert(1)</script>"
        log = (JOBS / "rank-killed/input.log").read_bytes().replace(b"train-job-worker-1", hostile)
        for view in ((), ("--machine",)):
            svg = run("-f", "svg", *view, data=log).stdout
            root = ElementTree.fromstring(svg)
            self.assertNotIn(b"<script", svg)
            self.assertFalse([part.tag for part in root.iter() if part.tag.rpartition("}")[2] not in
                              ("svg", "g", "title", "style", "text", "polygon", "path", "polyline")])

    def test_views_of_pictures(self):
        split = JOBS / "split-2x4/input.log"
        everything, rings, trees, machine = (run("-f", "dot", *view, split).stdout
                                             for view in ((), ("--rings",), ("--trees",), ("--machine",)))
        self.assertIn(b"rings with their channels", rings)
        self.assertIn(b"from the root on the left", trees)
        self.assertIn(b"train-job-worker-0 and 1 host like it", machine)
        self.assertEqual(len({everything, rings, trees, machine}), 4)
        one_host = run("-f", "dot", "--host", "worker-1$", split).stdout
        self.assertIn(b"train-job-worker-1", one_host)
        self.assertLess(one_host.count(b"busId"), everything.count(b"busId"))
        self.assert_one_line(run("--rings", split), "--format")
        self.assert_one_line(run("-f", "json", "--trees", split), "--format")
        self.assert_one_line(run("-f", "dot", "--rings", "--trees", split), "--trees")
        self.assert_one_line(run("--machine", split), "--format")
        self.assert_one_line(run("-f", "dot", "--trees", "--machine", split), "--machine")
        self.assert_one_line(run("-f", "dot", "--host", "elsewhere", split), "train-job-worker-0")
