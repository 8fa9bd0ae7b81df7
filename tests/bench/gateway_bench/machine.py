# SPDX-License-Identifier: MIT
"""Where things run, and what the kernel says of them."""
import os
import socket
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
PROXY_CORE, LOAD_CORE = "0", "1"
TICKS = os.sysconf("SC_CLK_TCK")


def say(text):
    print(text, file=sys.stderr, flush=True)


def free_ports(count):
    """Ports that were free a moment ago; held together so that they differ."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def descendants(pid):
    """pid and all processes below it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path("/proc", entry, "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        current = todo.pop()
        found.append(current)
        todo += parents.get(current, [])
    return found


def working_below(folder):
    """Processes whose current folder is below: the private database, which is nobody's child."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and Path(os.readlink(f"/proc/{entry}/cwd")).is_relative_to(folder):
                found.append(int(entry))
        except OSError:
            continue
    return found


def cpu_ticks(pids):
    total = 0
    for pid in pids:
        try:
            fields = Path("/proc", str(pid), "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total


def cpu_ns(pids):
    """Of all their threads, as exactly as the scheduler knows it: a tick is a hundredth of a second. A thread that has ended is
    not in it."""
    total = 0
    for pid in pids:
        try:
            tasks = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        for task in tasks:
            try:
                total += int(Path("/proc", str(pid), "task", task, "schedstat").read_text().split()[0])
            except OSError:
                continue
    return total


def resident_kib(pids):
    """VmRSS of all of them; pages that two share count twice, as in every such sum."""
    total = 0
    for pid in pids:
        try:
            text = Path("/proc", str(pid), "status").read_text()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:")), 0)
    return total
