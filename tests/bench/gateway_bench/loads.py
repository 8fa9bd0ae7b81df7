# SPDX-License-Identifier: MIT
"""Three kinds of load on core 1: as fast as it goes (wrk), at a given rate (h2load), and many open streams (stream_load)."""
import contextlib
import json
import os
import statistics
import subprocess
import time

from .bodies import TOKEN
from .machine import LOAD_CORE, TICKS, cpu_ns, cpu_ticks, resident_kib
from .processes import headers_for

WRK_SCRIPT = """
wrk.method = "POST"
wrk.body = [==[%s]==]
%s
function done(summary, latency)
  io.write(string.format("RESULT %%d %%d %%d %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write, summary.errors.timeout, summary.bytes))
end
"""


class Contestant:
    """One line of a table: a process, what it is asked, and whether its database works meanwhile or behind the load."""

    def __init__(self, name, process, path, body, expected, big, beside=False):
        self.name, self.process, self.path, self.body, self.expected, self.beside = name, process, path, body, expected, beside
        self.headers = headers_for(process, big)
        self.requests = 0  # of all loads so far


def wrk(contestant, script, seconds, connections):
    """requests, seconds, p50 and p99 in microseconds; any failed request ends the bench."""
    headers = "\n".join(f'wrk.headers["{key}"] = "{value}"' for key, value in contestant.headers.items())
    script.write_text(WRK_SCRIPT % (contestant.body, headers))
    out = subprocess.run(["taskset", "-c", LOAD_CORE, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "-s", str(script),
                          f"http://127.0.0.1:{contestant.process.port}{contestant.path}"],
                         capture_output=True, text=True, timeout=seconds + 30)
    lines = [line for line in out.stdout.splitlines() if line.startswith("RESULT")]
    if not lines:
        raise SystemExit("wrk gave no result:\n" + out.stdout + out.stderr)
    requests, micros, p50, p99, status, broken, late, received = map(int, lines[0].split()[1:])
    if status or broken or late:
        raise SystemExit(f"{contestant.name}: {status} wrong statuses, {broken} broken connections, {late} timeouts")
    if received < requests * len(contestant.expected):
        raise SystemExit(f"{contestant.name}: {received} bytes for {requests} answers of {len(contestant.expected)}")
    return requests, micros / 1e6, p50, p99


def measure(contestant, load, beside):
    """`load()` gives a dictionary with `requests`; adds what it cost the proxy and its database, from /proc, up to the last
    row: what was decided and not yet stored when the load ended is waited for, and counts. The proxy's core is what bounds
    a rate, so what it did after the load is taken off the rate as if it had been done meanwhile. What earlier loads, and the
    database's rows of them, left to be written goes to the disk before: the machine writes it on either core.
    A database that works in the pauses of the load's core makes each message that wakes the load there dearer for its sender: by 24
    us on a virtual machine, where waking an idle core takes 7 (wake_cost). On a machine of its own it would not, so it stands still
    meanwhile unless it is to work `beside`."""
    os.sync()
    process = contestant.process
    process.move_database()
    proxy, database = process.pids(), process.database()
    stored_before = process.stored()[0] if process.data else 0
    before, database_before = cpu_ns(proxy), cpu_ticks(database)
    with contextlib.nullcontext() if beside else process.held_database():
        result = load()
    prompt, at_end = 0, cpu_ns(proxy)
    if database:
        prompt = process.stored()[0] - stored_before
        process.wait_until_stored()
    used, database_used = cpu_ns(proxy) - before, cpu_ticks(database) - database_before
    contestant.requests += result["requests"]
    if database and "rps" in result:
        result["rps"] = 1 / (1 / result["rps"] + (before + used - at_end) / 1e9 / result["requests"])
    return {**result, "cpu": used / 1e3 / result["requests"], "prompt": prompt / result["requests"],
            "database": database_used / TICKS * 1e6 / result["requests"]}


def closed_loop(contestant, folder, seconds, connections):
    def load():
        requests, took, p50, p99 = wrk(contestant, folder / "post.lua", seconds, connections)
        return {"requests": requests, "rps": requests / took, "p50": p50, "p99": p99}
    return measure(contestant, load, contestant.beside)


def open_loop(contestant, folder, seconds, rate, connections=64):
    """Requests at a fixed rate, whatever the answers do; percentiles in microseconds out of h2load's log. h2load waits for
    an answer before it uses the connection again, so the rate that was really sent is given, too."""
    body, log = folder / "open-body.json", folder / "open.log"
    body.write_text(contestant.body)
    headers = [word for key, value in contestant.headers.items() for word in ("-H", f"{key}: {value}")]

    def load():
        log.unlink(missing_ok=True)
        count = int(rate * seconds / connections) * connections
        out = subprocess.run(["taskset", "-c", LOAD_CORE, "h2load", "--h1", "-t1", f"-c{connections}", f"-n{count}",
                              f"--rps={rate / connections:.3f}", "-d", str(body), f"--log-file={log}", *headers,
                              f"http://127.0.0.1:{contestant.process.port}{contestant.path}"],
                             capture_output=True, text=True, timeout=10 * seconds + 60)
        rows = [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []
        wrong = sum(row[1] != "200" for row in rows)
        if len(rows) != count or wrong:
            raise SystemExit(f"{contestant.name}: {len(rows)} of {count} answers, {wrong} of them no 200:\n{out.stdout}{out.stderr}")
        begun = [int(row[0]) for row in rows]
        times = sorted(int(row[2]) for row in rows)
        return {"requests": count, "p50": times[len(times) // 2], "p99": times[int(len(times) * 0.99)],
                "rate": count / ((max(begun) - min(begun)) / 1e6)}
    return measure(contestant, load, beside=True)


def streams(tool, upstream_port, port, model, process, count, rate, seconds):
    """Delays of chunks and CPU time for each in microseconds and, of a process that is fresh, what each open stream added to
    its memory."""
    before = resident_kib(process.pids()) if process else 0
    child = subprocess.Popen(["taskset", "-c", LOAD_CORE, str(tool), "--upstream", str(upstream_port), "--port", str(port),
                              "--model", model, "--token", TOKEN, "--streams", str(count), "--rate", str(rate),
                              "--seconds", str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    opened = child.stdout.readline()
    if process:
        process.move_database()
    ticks = cpu_ticks(process.pids()) if process else 0
    time.sleep(1 + seconds / 2)
    during = resident_kib(process.pids()) if process else 0
    time.sleep(seconds / 2)
    ticks = cpu_ticks(process.pids()) - ticks if process else 0
    out, err = child.communicate(timeout=seconds + 60)
    if opened != "OPEN\n" or child.returncode != 0:
        raise SystemExit(f"streams through port {port} failed: {opened}{out}{err}")
    return {**json.loads(out), "kib": (during - before) / count,
            "cpu": ticks / TICKS * 1e6 / (count * rate * (1 + seconds))}


def median(rows, key):
    return statistics.median(row[key] for row in rows)
