# SPDX-License-Identifier: MIT
"""Who is measured, in which order, and that everything was answered and recorded."""
import os
import socket
import statistics
import time

from . import processes
from .bodies import (ALIAS, BIG, BIG_ALIAS, OTHER_MODEL, PATH, PLAIN_MODEL, SIZES, STREAM_ALIAS, answer_body, request_body)
from .loads import Contestant, closed_loop, median, open_loop, streams
from .machine import LOAD_CORE, TOP, resident_kib, say

OURS, BESIDE = "signalbox", "signalbox (database beside)"


class Stage:
    """Processes of one run; whatever was started is stopped with it."""

    def __init__(self, arguments, folder, ports, started):
        self.arguments, self.folder, self.ports, self.started = arguments, folder, iter(ports), started

    def start(self, process):
        self.started.append(process)
        return process

    def end(self, process):
        process.stop()
        self.started.remove(process)


def interleaved(contestants, rounds, measure, tell):
    """Another order each round: whoever comes after our database's work must not always be the same."""
    results = {name: [] for name in contestants}
    for number in range(rounds):
        names = list(contestants)
        place = number % len(names)
        for name in names[place:] + names[:place]:
            results[name].append(measure(contestants[name]))
        say(f"round {number + 1}: " + ", ".join(f"{name} {tell(rows[-1])}" for name, rows in results.items()))
    return results


class Proxies:
    """All that stay up while bodies are measured, to one upstream."""

    def __init__(self, stage):
        arguments, folder = stage.arguments, stage.folder
        port = next(stage.ports)
        upstream = stage.start(processes.upstream(port, folder))
        upstream.wait_until_answering(lambda _: processes.ask(upstream, PATH, "{}", answer_body(SIZES["1 KB"])))
        self.ours = stage.start(processes.signalbox(arguments.ctl, OURS, next(stage.ports), port, folder, True))
        self.bare = stage.start(processes.signalbox(arguments.ctl, "signalbox without evidence", next(stage.ports), port, folder, False))
        self.others = [stage.start(processes.nginx_proxy("nginx", next(stage.ports), port, folder)),
                       stage.start(processes.haproxy(next(stage.ports), port, folder))]
        self.without = ""
        if arguments.portkey:
            start, self.without = processes.install_portkey(TOP / "build" / "bench")
            if start:
                self.others.append(stage.start(processes.portkey(start, next(stage.ports), port, folder)))
        for process in [self.ours, self.bare, *self.others]:
            processes.first_answer(process)
        self.asked = 1  # of ours, by hand

    def contestants(self, size):
        """By name; the alias is a smart group in shadow mode: the request is scored, compared, and goes on to the table."""
        big = size == "100 KB"
        alias, expected = BIG_ALIAS if big else ALIAS, answer_body(SIZES[size])
        rows = [(OURS, self.ours, alias)]
        if not big:
            rows += [(BESIDE, self.ours, alias), ("signalbox (plain model)", self.ours, PLAIN_MODEL)]
        rows.append(("signalbox without evidence", self.bare, alias))
        rows += [(process.name, process, PLAIN_MODEL) for process in self.others]
        out = {}
        for name, process, model in rows:
            # We are told the upstream's path by the provider, Portkey by a header, the others by the client.
            path = (BIG if big and process.name in ("nginx", "haproxy") else "") + PATH
            body = request_body(model, SIZES[size])
            if not processes.ask(process, path, body, expected, big):
                raise SystemExit(f"{name} does not answer {size} with 200")
            self.asked += process is self.ours
            out[name] = Contestant(name, process, path, body, expected, big, name == BESIDE)
        return out

    def check_evidence(self, sent):
        """A request is a row: what the gateway served, recorded and stored must be what the loads counted. wrk leaves requests
        behind at its end, whose answers it does not count; at most its connections a load."""
        port, fewest = self.ours.port, sent["fewest"]
        for _ in range(600):
            decisions = processes.metric(port, "signalbox_decisions_total")
            if processes.metric(port, "signalbox_evidence_stored_total") == decisions and processes.metric(port, "signalbox_in_flight_requests") == 0:
                break
            time.sleep(0.2)
        stored = processes.metric(port, "signalbox_evidence_stored_total")
        dropped = processes.metric(port, "signalbox_evidence_dropped_total")
        shadow = processes.metric(port, "signalbox_shadow_decisions_total")
        if stored != decisions or dropped or not fewest <= stored <= fewest + sent["left"]:
            raise SystemExit(f"{fewest} answers were counted (and up to {sent['left']} left behind), {decisions:.0f} recorded, "
                             f"{stored:.0f} stored, {dropped:.0f} dropped")
        if shadow < sent["shadow"]:
            raise SystemExit(f"{sent['shadow']} requests asked for a group in shadow mode, {shadow:.0f} were compared")
        return stored, shadow


def measure_only(stage, proxies):
    """Some of them, 1 KB, as fast as it goes: for whoever works on one."""
    arguments, folder = stage.arguments, stage.folder
    wanted = arguments.only.split(",")
    some = {name: contestant for name, contestant in proxies.contestants("1 KB").items() if name in wanted}
    if len(some) != len(wanted):
        raise SystemExit(f"--only: there are {', '.join(proxies.contestants('1 KB'))}")
    return interleaved(some, arguments.rounds, lambda c: closed_loop(c, folder, arguments.seconds, arguments.connections),
                       lambda row: f"{row['rps']:,.0f}/s {row['cpu']:.1f} us")


def measure_bodies(stage, proxies):
    """Closed loop for both sizes, and open loop at 60 % of what we could; (tables, rate, what was sent to us)."""
    arguments, folder = stage.arguments, stage.folder
    tables, sent = {}, {"fewest": 0, "left": 0, "shadow": 0}
    for size in SIZES:
        contestants = proxies.contestants(size)
        for contestant in contestants.values():
            closed_loop(contestant, folder, 1, arguments.connections)
        tables[size] = interleaved(contestants, arguments.rounds, lambda c: closed_loop(c, folder, arguments.seconds, arguments.connections),
                                   lambda row: f"{row['rps']:,.0f}/s {row['cpu']:.1f} us")
        count(sent, contestants, proxies, arguments)
    rate = 0.6 * median(tables["1 KB"][OURS], "rps")
    pair = {name: contestant for name, contestant in proxies.contestants("1 KB").items() if name in (OURS, "nginx")}
    tables["open"] = interleaved(pair, arguments.rounds, lambda c: open_loop(c, folder, arguments.seconds, rate),
                                 lambda row: f"p99 {row['p99']:,} us")
    count(sent, pair, proxies, arguments)
    sent["fewest"] += proxies.asked
    return tables, rate, sent


def count(sent, contestants, proxies, arguments):
    for contestant in contestants.values():
        if contestant.process is proxies.ours:
            sent["fewest"] += contestant.requests
            sent["left"] += arguments.connections * (arguments.rounds + 1)
            sent["shadow"] += contestant.requests * ("plain" not in contestant.name)


def measure_streams(stage):
    """Each round with fresh proxies, so that what an open stream takes is not hidden by what earlier ones left."""
    arguments, folder = stage.arguments, stage.folder
    results = {"direct": [], OURS: [], "nginx": []}
    stored = 0
    for number in range(arguments.rounds):
        names = list(results)
        for name in names[number % 3:] + names[:number % 3]:
            upstream_port, port = next(stage.ports), next(stage.ports)
            process = stage.start(make_streamer(stage, name, port, upstream_port, number)) if name != "direct" else None
            if process:
                wait_for_port(process)
            results[name].append(streams(arguments.stream_load, upstream_port, port if process else upstream_port,
                                         STREAM_ALIAS if name == OURS else OTHER_MODEL, process, arguments.streams, 20,
                                         arguments.stream_seconds))
            if name == OURS:
                stored += stored_streams(process, arguments.streams)
            if process:
                stage.end(process)
        say(f"streams, round {number + 1}: " + ", ".join(f"{n} p99 {rows[-1]['p99']:,.0f} us" for n, rows in results.items()))
    return results, stored


def make_streamer(stage, name, port, upstream_port, number):
    if name == OURS:
        return processes.signalbox(stage.arguments.ctl, f"signalbox-stream-{number}", port, upstream_port, stage.folder, True)
    return processes.nginx_proxy(f"nginx-stream-{number}", port, upstream_port, stage.folder)


def wait_for_port(process):
    def listens(port):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    process.wait_until_answering(listens)
    if process.data:
        process.wait_until_answering(lambda port: processes.metric(port, 'signalbox_evidence_state{state="ready"}') == 1)
        time.sleep(1)  # its database has come up and is quiet


def stored_streams(process, count):
    for _ in range(100):
        stored = processes.metric(process.port, "signalbox_evidence_stored_total")
        if stored == count:
            return stored
        time.sleep(0.1)
    raise SystemExit(f"{count} streams, {stored:.0f} rows")


def measure_idle(stage):
    """After the first answer, and after the caches of the start are quiet."""
    rows = []
    for name, evidence in (("with evidence", True), ("without evidence", False)):
        kib, threads = [], 0
        for number in range(3):
            port, upstream_port = next(stage.ports), next(stage.ports)
            upstream = stage.start(processes.nginx(f"up-idle-{evidence}-{number}", "server { listen 127.0.0.1:%d; location / "
                                                   "{ return 200 '%s'; } }" % (upstream_port, answer_body(1024)), upstream_port, LOAD_CORE, stage.folder))
            process = stage.start(processes.signalbox(stage.arguments.ctl, f"idle-{evidence}-{number}", port, upstream_port, stage.folder, evidence))
            processes.first_answer(process, ALIAS)
            time.sleep(3)
            pid = process.child.pid  # taskset becomes what it starts
            kib.append(resident_kib([pid]))
            threads = len(os.listdir(f"/proc/{pid}/task"))
            stage.end(process)
            stage.end(upstream)
        rows.append((f"`signalboxctl serve` {name}", statistics.median(kib), threads))
    return rows
