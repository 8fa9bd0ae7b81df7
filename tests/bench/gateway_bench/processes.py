# SPDX-License-Identifier: MIT
"""Servers, each pinned to a core: what is proxied to, and who proxies."""
import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import time

from .bodies import (ALIAS, BIG, BIG_ALIAS, BIG_MODEL, OTHER_MODEL, PATH, PLAIN_MODEL, SIZES, STREAM_ALIAS, STREAM_MODEL,
                     TOKEN, answer_body, request_body)
from .machine import LOAD_CORE, PROXY_CORE, TOP, descendants, working_below


def tell(pid, number):
    """False where it is gone."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


class Process:
    """One server pinned to a core, with every process it starts."""

    def __init__(self, name, command, port, core, folder, env=None, data=None, headers=None):
        self.name, self.port, self.data, self.headers = name, port, data, headers or {}
        self.log_path = folder / (name.replace(" ", "-").replace(",", "") + ".log")
        self.log = open(self.log_path, "wb")
        self.child = subprocess.Popen(["taskset", "-c", core, *command], env={**os.environ, **(env or {})},
                                      stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)

    def wait_until_answering(self, ask, patience=60):
        """`ask(port)` is true once it answers rightly."""
        end = time.monotonic() + patience
        while time.monotonic() < end and self.child.poll() is None:
            try:
                if ask(self.port):
                    return self
            except OSError:
                pass
            time.sleep(0.05)
        raise SystemExit(f"{self.name} does not answer; its log:\n{self.log_path.read_text(errors='replace')[-3000:]}")

    def pids(self):
        return descendants(self.child.pid)

    def database(self):
        return working_below(self.data) if self.data else []

    def move_database(self):
        """Our database is no part of the proxy: it works beside the load, and behind it, so that the load has the same core to
        itself whoever is measured, as if the database were on another machine."""
        for pid in self.database():
            subprocess.run(["taskset", "-apc", LOAD_CORE, str(pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
            except ProcessLookupError:
                pass  # one that worked for a moment only

    @contextlib.contextmanager
    def held_database(self):
        """Our database stands still meanwhile, and works off what was recorded behind it."""
        held = [pid for pid in self.database() if tell(pid, signal.SIGSTOP)]
        try:
            yield
        finally:
            for pid in held:
                tell(pid, signal.SIGCONT)

    def stored(self):
        """Rows, and how many there will be."""
        return metric(self.port, "signalbox_evidence_stored_total"), metric(self.port, "signalbox_decisions_total")

    def wait_until_stored(self, patience=120):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            stored, decided = self.stored()
            if stored == decided:
                return
            time.sleep(0.5)  # asking costs, too
        raise SystemExit(f"{self.name}: {decided - stored:.0f} decisions are no rows after {patience} s")

    def stop(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(40)
            except subprocess.TimeoutExpired:
                os.killpg(self.child.pid, signal.SIGKILL)
                self.child.wait()
        self.log.close()


def headers_for(process, big=False):
    """Portkey is told by a header where its upstream is; the others' path says which body it answers."""
    own = {key: value.replace("/v1", BIG + "/v1") if big else value for key, value in process.headers.items()}
    return {"Content-Type": "application/json", "Authorization": "Bearer " + TOKEN, **own}


def ask(process, path, body, expected, big=False):
    """True for a 200 with exactly these bytes; another body ends the bench."""
    connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=10)
    connection.request("POST", path, body, headers_for(process, big))
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status == 200 and content != expected.encode() and json.loads(content) != json.loads(expected):
        raise SystemExit(f"{process.name} answers other bytes:\n{content[:600]!r}")
    return answer.status == 200


def get_text(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Authorization": "Bearer " + TOKEN})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    if answer.status != 200:
        raise SystemExit(f"GET {path}: {answer.status} {text[:300]}")
    return text


def metric(port, name):
    """Of one line, named with its labels, or the sum over all labels."""
    lines = [line for line in get_text(port, "/metrics").splitlines() if line.startswith((name + " ", name + "{"))]
    return sum(float(line.split()[-1]) for line in lines)


NGINX_FRAME = """
worker_processes 1; daemon off; pid {folder}/{name}.pid; error_log {folder}/{name}-error.log warn;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  access_log off; default_type application/json; keepalive_requests 1000000; client_body_buffer_size 256k;
  client_body_temp_path {folder}/{name}-body; proxy_temp_path {folder}/{name}-proxy;
  fastcgi_temp_path {folder}/{name}-f; uwsgi_temp_path {folder}/{name}-u; scgi_temp_path {folder}/{name}-s;
  {inner}
}}
"""


def nginx(name, inner, port, core, folder):
    config = folder / (name + ".conf")
    config.write_text(NGINX_FRAME.format(folder=folder, name=name, inner=inner))
    return Process(name, ["nginx", "-e", str(folder / (name + "-start.log")), "-c", str(config)], port, core, folder)


def upstream(port, folder):
    """Answers 1 KB at PATH and 100 KB below BIG, whatever is asked."""
    files = folder / "answers"
    files.mkdir()
    files.chmod(0o755)
    (files / "big.json").write_text(answer_body(SIZES["100 KB"]))
    # nginx takes no literal of 100 KB and answers 405 to a POST for a file: that answer is made the file.
    return nginx("upstream", f"""
  open_file_cache max=10; client_max_body_size 8m;
  server {{ listen 127.0.0.1:{port};
    location / {{ return 200 '{answer_body(SIZES["1 KB"])}'; }}
    location {BIG}/ {{ root {files}; error_page 405 =200 /big.json; try_files /big.json =404; }}
    location = /big.json {{ root {files}; error_page 405 =200 $uri; }} }}""", port, LOAD_CORE, folder)


def nginx_proxy(name, port, upstream_port, folder):
    return nginx(name, f"""
  client_max_body_size 8m; proxy_buffer_size 16k; proxy_buffers 16 16k;
  upstream model {{ server 127.0.0.1:{upstream_port}; keepalive 1024; keepalive_requests 1000000; }}
  server {{ listen 127.0.0.1:{port}; location / {{
    proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_buffering {"off" if "stream" in name else "on"}; }} }}""", port, PROXY_CORE, folder)


def haproxy(port, upstream_port, folder):
    config = folder / "haproxy.cfg"
    config.write_text(f"""
global
  nbthread 1
  maxconn 1024
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend edge
  bind 127.0.0.1:{port}
  default_backend model
backend model
  server one 127.0.0.1:{upstream_port}
""")
    return Process("haproxy", ["haproxy", "-db", "-f", str(config)], port, PROXY_CORE, folder)


def install_portkey(build):
    """Into the build folder, by the lock file beside this package; None and why when that cannot be."""
    target = build / "portkey"
    target.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(TOP / "tests" / "bench" / "portkey" / name, target)
    start = target / "node_modules" / "@portkey-ai" / "gateway" / "build" / "start-server.js"
    if not shutil.which("npm"):
        return None, "there is no npm"
    done = subprocess.run(["npm", "ci", "--prefix", str(target), "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
                          capture_output=True, text=True)
    if done.returncode != 0 or not start.exists():
        return None, "npm cannot install it: " + (done.stderr.strip().splitlines() or ["no message"])[-1]
    return start, ""


def portkey(start, port, upstream_port, folder):
    host = f"http://127.0.0.1:{upstream_port}"
    return Process("Portkey", ["node", str(start), f"--port={port}", "--headless"], port, PROXY_CORE, folder,
                   {"NODE_ENV": "production", "TRUSTED_CUSTOM_HOSTS": "127.0.0.1"},
                   headers={"x-portkey-provider": "openai", "x-portkey-custom-host": host + "/v1"})


def group(alias, provider, models):
    return f'[routing.groups.{alias}]\naliases = ["{alias}"]\n' + "".join(
        f'[[routing.groups.{alias}.candidates]]\nprovider = "{provider}"\nmodel = "{model}"\nquality = {0.9 - 0.2 * place}\n'
        for place, model in enumerate(models))


def gateway_toml(port, upstream_port, evidence):
    """The demo's table over one upstream, and smart groups in shadow mode: each request is scored and compared."""
    presets = json.loads((TOP / "resources" / "demo" / "routing-table.json").read_text())["presets"]
    bindings = "".join(f'[presets."{p["preset_key"]}"]\nprovider = "bench"\nmodel = "{p["served_model_name"]}"\n'
                       for p in presets)
    models = sorted({p["served_model_name"] for p in presets} | {OTHER_MODEL, STREAM_MODEL})
    groups = (group(ALIAS, "bench", [PLAIN_MODEL, OTHER_MODEL]) + group(STREAM_ALIAS, "bench", [STREAM_MODEL, OTHER_MODEL]) +
              group(BIG_ALIAS, "big", [BIG_MODEL, OTHER_MODEL]))
    return f"""
[server]
listen = "127.0.0.1:{port}"
auth = "token"
max_concurrent_requests = 1024
[auth]
token_env = "BENCH_TOKEN"
[evidence]
enabled = {"true" if evidence else "false"}
[providers.bench]
protocol = "openai_compat"
base_url = "http://127.0.0.1:{upstream_port}/v1"
models = {json.dumps(models)}
[providers.big]
protocol = "openai_compat"
base_url = "http://127.0.0.1:{upstream_port}{BIG}/v1"
models = {json.dumps([BIG_MODEL, OTHER_MODEL])}
[routing]
mode = "shadow"
{groups}{bindings}"""


def signalbox(ctl, name, port, upstream_port, folder, evidence):
    workspace = folder / name.replace(" ", "-").replace(",", "")
    workspace.mkdir()
    shutil.copy(TOP / "resources" / "demo" / "routing-table.json", workspace)
    (workspace / "gateway.toml").write_text(gateway_toml(port, upstream_port, evidence))
    # Apart from the workspace: root's database runs as another user, who has to get into this folder. Its path is short
    # because a socket's is bounded.
    data = folder / f"d{port}"
    data.mkdir(mode=0o711)
    data.chmod(0o711)
    return Process(name, [str(ctl), "serve", str(workspace), "--log-level", "warn"], port, PROXY_CORE, folder,
                   {"BENCH_TOKEN": TOKEN, "SIGNALBOX_DATA_DIR": str(data)}, data)


def first_answer(process, model=PLAIN_MODEL):
    expected = answer_body(SIZES["1 KB"])
    return process.wait_until_answering(lambda _: ask(process, PATH, request_body(model, SIZES["1 KB"]), expected))
