# SPDX-License-Identifier: MIT
"""The tables, and what was aimed at beside what was measured."""
import statistics

from .loads import median


def ratio(rows, yardstick, key):
    """Of each round, then the median: what held the machine back held back both."""
    return statistics.median(a[key] / b[key] for a, b in zip(rows, yardstick) if b[key])


def closed_table(title, results):
    yardstick = results["nginx"]
    print(f"\n**{title}**\n")
    print("| proxy | requests/s | of nginx's | p50 us | p99 us | CPU us/request | of nginx's | spread of requests/s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, rows in results.items():
        rates = [row["rps"] for row in rows]
        print(f"| {name} | {median(rows, 'rps'):,.0f} | {ratio(rows, yardstick, 'rps'):.2f} | {median(rows, 'p50'):,.0f} | "
              f"{median(rows, 'p99'):,.0f} | {median(rows, 'cpu'):.1f} | {ratio(rows, yardstick, 'cpu'):.2f} | "
              f"{min(rates):,.0f} to {max(rates):,.0f} |")
    tell_database(results)


def open_table(results, rate):
    print(f"\n**Open loop, 1 KB, {rate:,.0f} requests/s (60 % of our capacity above)**\n")
    print("| proxy | p50 us | p99 us | p99 of nginx's | CPU us/request | requests/s that were sent |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, rows in results.items():
        print(f"| {name} | {median(rows, 'p50'):,.0f} | {median(rows, 'p99'):,.0f} | {ratio(rows, results['nginx'], 'p99'):.2f} | "
              f"{median(rows, 'cpu'):.1f} | {median(rows, 'rate'):,.0f} |")
    tell_database(results)


def tell_database(results):
    for name, rows in results.items():
        if any(row["database"] for row in rows):
            print(f"\nThe database of \"{name}\" used {median(rows, 'database'):.1f} CPU us a request on the other core; "
                  f"{100 * min(1, median(rows, 'prompt')):.0f} % of the rows were stored before the load ended.")


def stream_table(results, count, rate):
    direct = results["direct"]
    print(f"\n**{count} open streams, {rate} chunks a second each**\n")
    print("| through | p50 us | p99 us | added p50 us | added p99 us | added p99 of nginx's | CPU us/chunk | KiB a stream |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, rows in results.items():
        row = f"| {name} | {median(rows, 'p50'):,.0f} | {median(rows, 'p99'):,.0f} | "
        if name != "direct":
            row += (f"{added(rows, direct, 50):,.0f} | {added(rows, direct, 99):,.0f} | {of_nginx(results, name)} | "
                    f"{median(rows, 'cpu'):.1f} | {median(rows, 'kib'):.1f} |")
        print(row if name != "direct" else row + "| | | | |")


def added(rows, direct, percentile):
    """Over the direct connection of the same round."""
    key = f"p{percentile}"
    return statistics.median(row[key] - plain[key] for row, plain in zip(rows, direct))


def of_nginx(results, name):
    base = added(results["nginx"], results["direct"], 99)
    return f"{added(results[name], results['direct'], 99) / base:.2f}" if base > 0 else "nginx added nothing"


def idle_table(rows):
    print("\n**Idle, headless, after the first answer**\n")
    print("| | resident MB | its threads |\n|---|---:|---:|")
    for name, kib, threads in rows:
        print(f"| {name} | {kib * 1024 / 1e6:.1f} | {threads} |")


class Aims:
    """What issue 5 asks for, line by line."""

    def __init__(self):
        self.lines, self.missed = [], 0

    def add(self, what, measured, holds, aim):
        self.missed += not holds
        self.lines.append(f"| {what} | {measured} | {aim} | {'holds' if holds else '**missed**'} |")

    def print(self):
        print("\n**What was aimed at**\n\n| what | measured | aim | |\n|---|---:|---:|---|")
        print("\n".join(self.lines))
