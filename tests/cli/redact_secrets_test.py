"""`nccl-analyze redact`: none of the secrets that are planted in the cases of testdata is in what it writes."""
import base64
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import tempfile
import unittest
import urllib.parse

import program

SEED = 36
SECRETS_OF_CASE = 80
KINDS = ("jobs", "rules", "damaged", "messages", "diff")
ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
HEX = "0123456789abcdef"


def text(rng, size, letters=ALNUM):
    return "".join(rng.choice(letters) for _ in range(size))


def name(rng):
    """A word that nobody uses, which reads like one."""
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(3)) + rng.choice("kxq")


def full_percent(word):
    return "".join(f"%{ord(c):02x}" for c in word)


def unicode_escapes(word):
    return "".join(f"\\u{ord(c):04x}" for c in word)


# Each maker returns what is planted and what must not be found; without the latter, all of it.
def hosts(rng):
    word, number = name(rng), rng.randrange(100, 999)
    domain = f"{name(rng)}.{name(rng)}.internal"
    host, full = f"{word}-{number}", f"{word}{number}.{domain}"
    ec2 = f"{rng.randrange(11, 99)}-{rng.randrange(100, 255)}-{rng.randrange(100, 255)}-{rng.randrange(10, 99)}"
    return [(host, word), (full, word), (host.upper(), word), (full.replace(".", "%2E"), word), (full_percent(host), full_percent(word)),
            (f"x_{word}_{number}_y", word), (f"https://{host}.{domain}:8080/v1/run?q=1", word), (f"root@{host}", word),
            (f"ec2-{ec2}.compute-1.amazonaws.com", ec2), (f"gpu-node-{number}.{domain}", domain.split(".")[0]),
            (f"{word}-[{number}-{number + 3}]", word), (f"host='{host}'", word), (f"...{word[2:]}-{number}", f"{word[2:]}-{number}"),
            (unicode_escapes(host), unicode_escapes(word)), (f"{word}_{number}", word), (f"NODE={host};", word)]


def addresses(rng):
    first = rng.choice((10, 100, 172, 192, rng.randrange(11, 100)))
    parts = [first, rng.randrange(16, 250), rng.randrange(100, 255), rng.randrange(101, 250) | 1]
    number = int.from_bytes(bytes(parts), "big")
    groups = [f"{rng.randrange(0x1000, 0xffff):04x}" for _ in range(6)]
    dotted = ".".join(map(str, parts))
    spellings = [dotted, ".".join(f"{part:03}" for part in parts), "-".join(map(str, parts)), "_".join(map(str, parts)), str(number),
                 f"0x{number:08x}", ".".join(f"0{part:o}" for part in parts), dotted.replace(".", "%2E"), "::ffff:" + dotted,
                 "2a01:" + ":".join(groups) + ":1", "fd00:" + "::".join(groups[:2]), "[2a01:" + "::".join(groups[:2]) + "]:443"]
    glued = [(f"v{dotted}", dotted), (f"-{dotted}", dotted), (f"x{dotted}", dotted), (f"host%3A{dotted}", dotted), (f"_{dotted}", dotted),
             (f"eth0:{dotted}<0>", dotted), (f"remoteGids2a01:{':'.join(groups)}:1", ":".join(groups[:3]))]
    defanged = [dotted.replace(".", point) for point in ("[.]", "\\.", "(.)", "[dot]")] + [dotted[::-1].replace(".", "].[", 1)[::-1]]
    passive = "(" + ",".join(map(str, parts)) + ",195,149)"
    glued += [(f"{interface}{dotted}", dotted) for interface in ("eth0.", "ib", "net", "br", "tun0.")]
    return [(one, one) for one in spellings + defanged + [passive]] + glued


def numbers_of_hardware(rng):
    mac = text(rng, 12, HEX[1:])
    guid = text(rng, 16, HEX[1:])
    uuid = "-".join(text(rng, size, HEX) for size in (8, 4, 4, 4, 12))

    def cut(word, size, by):
        return by.join(word[at:at + size] for at in range(0, len(word), size))
    serial = f"{rng.randrange(10 ** 12, 10 ** 13 // 8)}"
    return [(one, one) for one in (cut(mac, 2, ":"), cut(mac, 2, "-"), cut(mac, 4, "."), mac + "z", cut(guid, 4, ":"), cut(guid, 2, ":"), "0x" + guid, guid,
                                   uuid, "GPU-" + uuid, "{" + uuid + "}", uuid.replace("-", ""), "MIG-" + uuid, "enx" + mac, serial)]


def users(rng):
    user = name(rng)
    places = ("/home/{}/run", "/Users/{}/x", "/fsx/{}/train.py", "/scratch/{}", r"C:\Users\{}\run.log", "~{}/x", "/data/{}/ckpt", "file:///mnt/beegfs/{}/a",
              "/projects/{}/b", "uid=1000({})", "s3://{}/model", "gs://{}/x", "/gpfs/users/{}", "{}@example.org", "user {} logged in", "/opt/x/site-packages/torch/../../{}/topo.xml", "fk7{}.12xlarge", "z9{}.large")
    return [(place.format(user), user) for place in places] + [(one, one) for one in spelled_in_bytes(user)]


def spelled_in_bytes(word):
    """The word as lists of bytes and as escapes, of which each part alone is a number. The letters must not rise, as ranks do."""
    codes = [ord(c) for c in "z" + word]
    return (str(codes), ",".join(map(str, codes)), "".join(f"\\{c:03o}" for c in codes), "".join(f"\\x{c:02x}" for c in codes), "".join(f"&#{c};" for c in codes),
            "".join(f"&#x{c:x};" for c in codes))


def tokens(rng):
    jwt = ".".join(base64.urlsafe_b64encode(text(rng, 30).encode()).decode().rstrip("=") for _ in range(3))
    one = [f"hf_{text(rng, 34)}", f"AKIA{text(rng, 16, ALNUM[:26])}", f"ghp_{text(rng, 36)}", f"github_pat_{text(rng, 22)}_{text(rng, 59)}", f"glpat-{text(rng, 20)}",
           f"sk-{text(rng, 48)}", f"sk-ant-api03-{text(rng, 40)}", f"xoxb-{rng.randrange(10 ** 11)}-{text(rng, 24)}", f"eyJ{jwt}", f"npm_{text(rng, 36)}",
           f"pypi-{text(rng, 60)}", f"AIza{text(rng, 35)}", f"ya29.{text(rng, 40)}", f"dckr_pat_{text(rng, 27)}", f"SG.{text(rng, 22)}.{text(rng, 43)}",
           f"rk_live_{text(rng, 24)}", f"dop_v1_{text(rng, 64, HEX)}", f"nvapi-{text(rng, 64)}", text(rng, 40, HEX), f"AGE-SECRET-KEY-1{text(rng, 50, ALNUM[:26])}",
           f"tskey-auth-{text(rng, 20)}", f"hvs.{text(rng, 24)}"]
    aws = base64.b64encode(text(rng, 30).encode()).decode()
    ways = ["{}", "Bearer {}", "?token={}", "Authorization: {}", "https://x:{}@git.example.org/y", "api_key='{}'", '"token": "{}"']
    return [(rng.choice(ways).format(token), token) for token in one] + [(f"AWS_SECRET_ACCESS_KEY={aws}", aws)]


def settings(rng):
    word, number = name(rng), str(rng.randrange(1000001, 9999999))
    return [(f"ACME_PIN={number}", number), (f"{word.upper()}_KEY={text(rng, 12)}", word), (f"export DB_PASSWORD={word}!", word), (f"MYSQL_PWD={number}", number),
            (f"{word}_secret: {text(rng, 10)}", word), (f"WANDB_ENTITY={word}", word), (f"SLURM_JOB_ACCOUNT={word}", word), (f"--run-name={word}", word),
            (f"h:1:1 [0] NCCL INFO NCCL_{word.upper()} set by environment to {number}", number),
            (f"h:1:1 [0] NCCL INFO NCCL_COMM_ID set by environment to {word}:2222", word),
            (f"h:1:1 [0] NCCL INFO NCCL_TOPO_FILE set by environment to /etc/{word}/topo.xml", word), (f'"passwd": {number}', number)]


EXCEPTIONS = (
    "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='{}', port=443): Max retries exceeded with url: /v1/{}",
    "botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: \"https://{}.s3.amazonaws.com/x\"",
    "grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with: details = \"failed to connect to {}\"",
    "redis.exceptions.ConnectionError: Error 111 connecting to {}:6379. Connection refused.",
    "psycopg2.OperationalError: could not translate host name \"{}\" to address: Name or service not known",
    "pymongo.errors.ServerSelectionTimeoutError: {}:27017: timed out",
    "huggingface_hub.errors.RepositoryNotFoundError: 404 Client Error: {} private",
    "wandb.errors.CommError: permission denied for entity {}",
    "ray.exceptions.RayTaskError(ValueError): ray::{}() (pid=1, ip=10.1.2.3)",
    "kubernetes.client.exceptions.ApiException: (403) pods \"{}\" is forbidden",
    "torch.distributed.DistStoreError: Timed out; client socket has timed out after 60000ms while trying to connect to ({}, 29500).",
    "FileNotFoundError: [Errno 2] No such file or directory: '/data/{}/tokenizer.json'",
    "RuntimeError: CUDA error: out of memory in {} at step 3",
    "{}Error: boom",
    "KeyError: '{}'",
)


def exceptions(rng):
    word = name(rng)
    return [(form.replace("{}", word), word) for form in EXCEPTIONS]


def ids(rng):
    """Of an id, no digit may stay in its place, since the letters between could be guessed."""
    mac, instance = text(rng, 12, HEX), text(rng, 17, HEX)
    alternating = "".join(rng.choice(HEX[:10]) + rng.choice("bcdfghjklm") for _ in range(4))
    uuid = "-".join(text(rng, size, HEX) for size in (8, 4, 4, 4, 12))
    forms = [(f"{mac}-w", mac), (f"node-{alternating}", alternating), (f"i-{instance}", instance), (f"head.{uuid}.pcluster", uuid),
             (f"app-{alternating}c-x2k9p", alternating), (f"runner-{alternating}-project-4411", alternating)]
    return [(secret, re.compile(re.sub("[a-z]", "[a-z]", part))) for secret, part in forms if len(re.findall("[0-9]", part)) > 3 and re.search("[a-z]", part)]


def pieces_of_addresses(rng):
    a, b, c = (rng.randrange(101, 255) for _ in range(3))
    octets = f"n{a}-{b}-0{rng.randrange(10, 99)}"
    return [(one, one) for one in (f"eth0:{a}.{b}.{c}", f"eth0:{a}.{b}.", f"{a}.{b}.x.x", f"xxx.xxx.{a}.{b}", f"{a}.{b}.{c}.[1-4]", f"{a}.{b}.{c}.*", f"+{a % 90} {b} {c} {a} {b}",
                                   f"{a}.{b}.{c}.0/22", f"9.{b}.{c}/22", f"eth0:2001:6b{a % 10}:{b}", f"250.{a}.{b}.{c}", f"ip-24{a % 10}-{a}-{b}-{c}", f"127.{a}.{b}.{c}",
                                   octets)] + [(f"{a}.{b}/16", f"{a}.{b}/16"), (f"{a}.{b}.{c}.[{a}-{b}]", f"[{a}-{b}]"), (f"fabric UUID 8{a}d\u2026b5{b}7", f"8{a}d")]


KNOWN_WORDS = ("titan", "delta", "bridges", "ray", "page", "max", "lane")


def known_words(rng):
    """Words of the vocabulary where only a name or a secret can stand. What is looked for is the word in its place."""
    word, other, port = rng.choice(KNOWN_WORDS), rng.choice(KNOWN_WORDS), rng.randrange(30000, 60000)
    forms = (f"{word}<{port}>", f"{word}.{other}.com<{port}>", f"({word}, {port})", f"[{word}]:{port}", f"1 process returned on node {word}",
             f"srun: error: {word}[1-4],{other}: tasks 0-7: Killed", f"{word}: Test NCCL failure common.cu:1005", f"tcp://{word}:{port}", f"{word}@{other}.org",
             f"pid={port}, name={word}, GPU", f"Killed process {port} ({word})", f"user={word}", f"hostname={word}", f"owner={word}", f"cluster={word}",
             f"MASTER_ADDR={word}", f"DB_PASS={word}", f"secret={word}", f"--user {word}", f"mpirun -H {word}:8", f'"user": "{word}"', f"node='{word}'",
             f"ssh: connect to host {word} port 22", f"user {word} ", f"login node {word} is down", f"on host '{word}'", f"project {word} ", f"{word}[001-004]",
             f"{word}[1,3]", f"SLURM_JOB_USER={word}", f"uid={port}({word})", f"commName {word}_dp", f"/projects/{word}/{other}", f"~{word}/x", f"/scratch/{other}/{word}.pt")
    marks = {f"ssh: connect to host {word} port 22": f"host {word} port", f"login node {word} is down": f"node {word}", f"pid={port}, name={word}, GPU": f"name={word}", f"--user {word}": f"user {word}", f"mpirun -H {word}:8": f"{word}:8",
             f"1 process returned on node {word}": f"node {word}", f"/projects/{word}/{other}": f"/{word}/{other}", f"~{word}/x": f"~{word}/",
             f"/scratch/{other}/{word}.pt": f"/{word}.pt", f"commName {word}_dp": f"{word}_dp"}
    return [(form, re.compile(rf"{re.escape(marks.get(form, form))}(?![a-z])", re.IGNORECASE)) for form in forms]


def numeric_secrets(rng):
    number = str(rng.randrange(10 ** 7, 10 ** 8 - 1) // 2 * 2 + 1)
    return [(form.format(number), number) for form in ("password {}", "--token {}", "https://u:{}@git.example.org", "redis://:{}@cache:6379", "curl -u me:{}",
                                                       "pin={}", "otp: {}", "sid={}", "sig={}", "Bearer {}")]


def codes(rng):
    code = rng.randrange(1000, 9999)
    return [(form.format(code), needle.format(code)) for form, needle in (
        ("user u{}", "user u{}"), ("account dp{}", "dp{}"), ("project gen{}", "gen{}"), ("/lustre/gen{}/scratch", "/gen{}"), ("/home/s{}/x", "/s{}/"),
        ("/lustre/project7{}/x", "project7{}"), ("/gpfs/users{}/x", "users{}"), ("/nfs/node{}/x", "node{}"),
        ("/data/c{}/run", "/c{}/"), ("in group c{}", "group c{}"), ("/proj/e{}", "/e{}"))]


def numbers_of_owners(rng):
    number = str(rng.randrange(10 ** 6, 10 ** 7))
    serial = f"16{rng.randrange(10 ** 10, 10 ** 11)}"
    forms = ("job {}", "JOB {}", "uid={}(", "gid={}", "SLURM_JOB_ID={}", "user {}", "account {}", "/scratch/{}/x", "/run/user/{}/bus", "StepId={}.0", "serial {}", "job id {}",
             "badge {}", "employee number: {}", "LID {}", "Base lid: {}", "vlan {}", "S/N {}", "SN: {}", "sn={}", "Serial#: {}", "asset tag {}", "job allocation {}",
             "job array {}_7", "scancel {}", "user zorblax({})", "mailto:{}@qq.com", "password is {}", "passcode: {}", "pin code {}")
    return [(form.format(number), number) for form in forms] + [
        (f"slurmstepd: error: *** JOB {number} ON h-1 CANCELLED AT 2025-01-01T10:00:00 ***", number), (f"Serial Number : {serial}", serial),
        (f"h-1:1:1 [0] NCCL INFO NCCL_HOSTID set by environment to {number}", number)]


MAKERS = {"id": ids, "piece of an address": pieces_of_addresses, "known word": known_words, "numeric secret": numeric_secrets, "code": codes,
          "number of an owner": numbers_of_owners, "host": hosts, "address": addresses, "hardware": numbers_of_hardware, "user": users, "token": tokens, "setting": settings, "exception": exceptions}


def split_line(line):
    """The line's text and its newline."""
    bare = line.rstrip(b"\r\n")
    return bare, line[len(bare):]


def in_words(rng, line, secret):
    words = line.split(b" ")
    words.insert(rng.randrange(len(words) + 1), secret)
    return b" ".join(words)


PLACES = {
    "line": lambda rng, line, secret: line + b"\n" + secret,
    "line before": lambda rng, line, secret: secret + b"\n" + line,
    "start": lambda rng, line, secret: secret + b" " + line,
    "pdsh": lambda rng, line, secret: secret + b": " + line,
    "syslog": lambda rng, line, secret: b"Jan 01 10:00:00 " + secret + b" python[101]: " + line,
    "RFC 5424": lambda rng, line, secret: b"<14>1 2025-01-01T10:00:00Z " + secret + b" app 101 - - " + line,
    "end": lambda rng, line, secret: line + b" " + secret,
    "inside": in_words,
    # A number behind `bytes=` is a size, whoever wrote it, and one behind `ns=` a time.
    "glued": lambda rng, line, secret: line + (b"@" if line.endswith((b"bytes", b"ns", b"us", b"ms")) else b"=") + secret,
    "WARN": lambda rng, line, secret: line + b"\nhost-1:1:1 [0] misc/socket.cc:1 NCCL WARN Call to connect failed for peer " + secret + b" : refused",
    "peer": lambda rng, line, secret: line + b"\nhost-1:1:1 [0] NCCL WARN NET/IB : Got completion from peer " + secret + b"<1> with status=12",
    "exception": lambda rng, line, secret: line + b"\nRuntimeError: it failed for " + secret,
    "traceback": lambda rng, line, secret: line + b'\nTraceback (most recent call last):\n  File "/x/' + secret + b'", line 1, in f\nValueError: ' + secret,
    "watchdog": lambda rng, line, secret: line + b"\n[rank0]:[E101 10:00:00.1 ProcessGroupNCCL.cpp:1] " + secret + b" Process group watchdog thread terminated with exception",
    "slurm": lambda rng, line, secret: line + b"\nslurmstepd: error: *** STEP 1.0 ON " + secret + b" CANCELLED AT 2025-01-01T10:00:00 ***",
    "JSON": lambda rng, line, secret: line + b"\n" + json.dumps({"log": "h:1:1 [0] NCCL INFO Using network " + secret.decode() + "\n", "x": secret.decode()}).encode(),
    "ibstat": lambda rng, line, secret: line + b"\nCA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Active\n\t\tLink layer: " + secret + b"\n  " + secret,
    "manifest": lambda rng, line, secret: line + b"\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    a: " + secret + b"\nspec:\n  containers:\n  - name: t\n" + secret,
    "prefix": lambda rng, line, secret: line + b"\n" + secret + b":101:101 [0] NCCL INFO Using network IB",
    "arguments": lambda rng, line, secret: line + b"\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    " + secret + b": x\nspec:\n  containers:\n  - name: t\n    args:\n    - \"" + secret + b"\"\n    env:\n    - name: P\n      value: " + secret,
    "settings of a pod": lambda rng, line, secret: line + b"\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: t\n    env:\n    - name: NCCL_IB_HCA\n      value: " + secret + b"\n    - name: " + secret + b"\n      value: 1",
    "table": lambda rng, line, secret: line + b"\n#  size  count  type  redop  root  time  algbw  busbw #wrong\n# " + secret,
    "quote": lambda rng, line, secret: line + b' "' + secret,
    "broken UTF-8": lambda rng, line, secret: line + b" \xff\xc3" + secret,
}


def plant(rng, lines, count):
    """Puts `count` secrets into the lines, one in each, or into copies of them. Returns what must not be found, with its
    kind and place."""
    planted, free = [], list(range(len(lines)))
    rng.shuffle(free)
    originals = list(lines)
    additions = {}
    while len(planted) < count:
        kind = rng.choice(tuple(MAKERS))
        secret, needle = rng.choice(MAKERS[kind](rng))
        place = rng.choice(tuple(PLACES))
        if place == "inside" and secret.isdigit():  # it is a number where NCCL prints numbers
            continue
        at = free.pop() if free else rng.randrange(len(lines))
        line, newline = split_line(originals[at])
        made = PLACES[place](rng, line, secret.encode()) + (newline or b"\n")
        if lines[at] is originals[at]:
            lines[at] = made
        else:
            additions.setdefault(at, []).append(made)
        planted.append((kind, place, secret, needle))
    lines[:] = [part for at, line in enumerate(lines) for part in (line, *additions.get(at, ()))]
    return planted


def is_found(needle, text):
    if isinstance(needle, re.Pattern):
        return needle.search(text)
    return any(form in text for form in encodings(needle))


def encodings(needle):
    yield needle.lower()
    yield urllib.parse.quote(needle, safe="").lower()
    yield full_percent(needle).lower()
    yield unicode_escapes(needle).lower()


def cases():
    return sorted({log.parent for kind in KINDS for log in (program.TESTDATA / kind).rglob("*.log")})


def leaks_of(case, options=()):
    """Plants secrets in the logs of a case and returns how many, and those that are left."""
    rng = random.Random(f"{SEED} {case.relative_to(program.TESTDATA).as_posix()} {options}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        logs, planted = sorted(case.glob("*.log")), []
        for log in logs:
            lines = log.read_bytes().splitlines(keepends=True) or [b"\n"]
            planted += plant(rng, lines, max(1, SECRETS_OF_CASE // len(logs)))
            (folder / log.name).write_bytes(b"".join(lines))
        done = program.run("redact", "-o", folder / "out", *options, *(folder / log.name for log in logs))
        assert done.returncode == 0, done.stderr.decode()
        found = b"\n".join(path.read_bytes() for path in sorted((folder / "out").rglob("*")) if path.is_file())
        found = (found + done.stderr).decode(errors="replace").lower()
    left = [secret for secret in planted if is_found(secret[3], found)]
    return len(planted), [(kind, place, secret, str(needle), context(found, needle)) for kind, place, secret, needle in left]


def context(found, needle):
    at = needle.search(found).start() if isinstance(needle, re.Pattern) else found.find(needle.lower())
    return found[max(0, at - 60):at + 60]


class Secrets(unittest.TestCase):
    def check(self, options, fewest):
        total, left = 0, []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for count, leaks in pool.map(lambda case: leaks_of(case, options), cases()):
                total += count
                left += leaks
        print(f"{len(left)} of {total} planted secrets are left")  # lib/redact/README.md has the sum of the two tests
        self.assertGreaterEqual(total, fewest)
        kinds = collections.Counter(leak[0] for leak in left)
        self.assertEqual(left[:20], [], f"{len(left)} of {total} secrets are left: {dict(kinds)}")

    def test_none_of_the_planted_secrets_is_left(self):
        self.check((), 20000)

    def test_none_is_left_in_lines_of_other_programs(self):
        self.check(("--keep-other",), 20000)


if __name__ == "__main__":
    unittest.main()
