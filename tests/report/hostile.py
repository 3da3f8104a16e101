"""Logs with markup, links and commands in every place that a report shows."""
import re

PAYLOADS = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<b>bold</b>", "&lt;b&#62;",
            "[click](http://evil.example)", "![x](http://evil.example/x.png)", "<http://evil.example>",
            "http://evil.example/a_b_c", "www.evil.example", "@everyone", "see #1 and !2", ":100::rocket:",
            "`code` ``more``", "```", "~~gone~~ **loud** _low_ __x__", "| a | b |", "# head", "1. one", "- item", "> quote",
            "===", "$x^2$", "\\", "</details>", "-->", "<!--", "\u202eright to left", "x" * 10000)


def write_log(folder, payload):
    """A log with the payload as host, network, setting, plugin, warning and exception, and in its own name."""
    lines = [f"{payload}:1:1 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>",
             "h:1:1 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>",
             f"h:1:1 [0] NCCL INFO Using network {payload}",
             f"h:1:1 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to {payload}",
             f"h:1:1 [0] NCCL INFO NET/Plugin: Failed to load {payload}",
             f"h:1:1 [0] NCCL WARN Cuda failure 2 '{payload}'",
             f"h:1:1 [0] NCCL WARN {payload}", f"h:1:1 [0] NCCL INFO {payload}",
             f"RuntimeError: {payload}"]
    log = folder / re.sub(r"[/\0]", "_", payload[:60])
    log.write_bytes("\n".join(lines).encode() + b"\n")
    return log
