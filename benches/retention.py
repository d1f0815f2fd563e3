#!/usr/bin/env python3
"""How long retention takes on trees of many sessions, beside plain tools on the same files.

    benches/retention.py [--sessions 10000,100000] [--without-gzip] [--bin target/release/hermes-mem] [--dir DIR]

For each size a tree is made: one session in ten is open or just closed, three in ten are due to be archived, four in ten
lie in archived/ with nothing due, two in ten are due to be deleted; each is about 2 kB of JSON. The clock is fixed, so that
nothing depends on the day. Times are wall clock seconds, memory is the peak of the resident set.
"""

import argparse
import datetime
import gzip
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

NOW = datetime.datetime(2026, 5, 21, 14, 30, tzinfo=datetime.timezone.utc)
TEXT = "Vento ist zu neunzig Prozent fertig, nicht live; offen sind die Dialogfehler und das Deployment. "


def stamp(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def session(nth, at, state, stripped):
    """A session of three turns; `stripped`: as it is once its texts have gone."""
    ident = f"SESSION-carlo-{at:%Y%m%d}-{nth & 0xFFFFFF:06x}"
    turns = []
    for number in range(1, 4):
        when = at + datetime.timedelta(minutes=number)
        turn = {"turn_id": number, "timestamp": stamp(when)}
        if not stripped:
            turn |= {
                "user_input_summary": f"Frage {nth} nach dem Stand von Vento, die {number}.",
                "retrieval_meta": {"query": "Stand von Vento", "project": "Vento", "obsidian_sources": 1,
                                   "graphiti_facts": 10, "confidence": "medium",
                                   "source_paths": ["03-Projekte/LP-VENTO.md"]},
                "conversation_summary": TEXT * 2 + str(nth),
                "proposed_facts": [],
            }
        turn |= {"pending_tasks": ["Deployment prüfen"], "decisions": [f"Entscheidung {nth} fällt im Juni"]}
        turns.append(turn)
    last = at + datetime.timedelta(minutes=3)
    doc = {
        "schema_version": 1, "session_id": ident, "agent_id": "hermes-carlo", "created_at": stamp(at),
        "last_active": stamp(last), "status": state, "turns": turns,
        "accumulated_context": {"active_projects": [] if stripped else ["Vento"], "open_tasks": ["Deployment prüfen"],
                                "decisions_this_session": [f"Entscheidung {nth} fällt im Juni"],
                                "user_stated_facts": []},
        "review_queue": [],
    }
    if state in ("closed", "archived"):
        closed = last + datetime.timedelta(minutes=120)
        doc["closed_at"] = stamp(closed)
        if state == "archived":
            doc["archived_at"] = stamp(closed + datetime.timedelta(days=7))
    return ident, json.dumps(doc, ensure_ascii=False, indent=2).encode() + b"\n"


def make(root, count):
    """The tree."""
    folders = {state: root / "sessions" / state for state in ("active", "idle", "closed", "archived")}
    for nth in range(count):
        kind = nth % 10
        spread = datetime.timedelta(seconds=nth * 7919 % 86400)
        if kind == 0:  # this morning, or just now
            age, state = datetime.timedelta(minutes=nth % 300), "active"
        elif kind <= 3:  # closed, and due to be archived
            age, state = datetime.timedelta(days=7 + kind, hours=3) + spread, "closed"
        elif kind <= 7:  # archived, nothing due
            age, state = datetime.timedelta(days=10 + kind) + spread, "archived"
        else:  # archived, due to be deleted
            age, state = datetime.timedelta(days=38 + kind) + spread, "archived"
        ident, data = session(nth, NOW - age, state, state == "archived")
        if state == "archived":
            (folders[state] / f"{ident}.json.gz").write_bytes(gzip.compress(data, mtime=0))
        else:
            (folders[state] / f"{ident}.json").write_bytes(data)
    # Half the life of a session later nothing of it is left in the page cache's debt.
    subprocess.run(["sync"], check=True)


def timed(command, **more):
    """Runs a command; answers seconds, peak memory in MB, and the result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    out, err = done.communicate()
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{err.decode()}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def peak(command, env):
    """The peak memory of a command, in MB."""
    text = subprocess.run(
        [sys.executable, "-c",
         "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
         "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", *command],
        env=env, check=True, capture_output=True).stdout
    return int(text) / 1024


def size(folder, pattern):
    files = [path.stat().st_size for path in folder.rglob(pattern)]
    return len(files), sum(files)


def bench(binary, base, count, with_gzip):
    root = base / f"tree-{count}"
    env = {"HERMES_MEM_ROOT": str(root), "HERMES_MEM_NOW": stamp(NOW), "PATH": os.environ["PATH"]}
    run = lambda *args: [str(binary), *args]
    subprocess.run(run("init"), env=env, check=True, capture_output=True)
    made, _, _ = timed([sys.executable, __file__, "--make", str(root), str(count)])
    sessions = root / "sessions"
    files, total = size(sessions, "*.json*")
    closed = sessions / "closed"
    due, due_bytes = size(closed, "*.json")
    print(f"\n{files} sessions, {total / 1e6:.0f} MB, made in {made:.0f} s; {due} of {due_bytes / 1e6:.0f} MB to archive")
    print(f"{'':44}{'s':>9}{'cpu s':>9}{'files/s':>10}{'MB/s':>8}{'MB peak':>9}")

    def row(name, seconds, cpu, files, volume, memory=None):
        memory = f"{memory:9.1f}" if memory is not None else ""
        print(f"{name:44}{seconds:9.2f}{cpu:9.2f}{files / seconds:10.0f}{volume / 1e6 / seconds:8.1f}{memory}", flush=True)

    # The floor: names, and the bytes of every file, by plain tools.
    listing, cpu, _ = timed(["find", str(sessions), "-type", "f"])
    row("find (listing)", listing, cpu, files, 0)
    reading, cpu, _ = timed(["sh", "-c", f"find {sessions} -type f -print0 | xargs -0 cat > /dev/null"])
    row("find | xargs cat (reading)", reading, cpu, files, total)
    # gzip on a copy of what is due, then sync: what a script would do, not durable file by file.
    if with_gzip:
        copy = base / "copy"
        shutil.copytree(closed, copy)
        subprocess.run(["sync"], check=True)
        zipped, cpu, _ = timed(["sh", "-c", f"find {copy} -name '*.json' -exec gzip {{}} \\; && sync"])
        row("find -exec gzip; sync (those to archive)", zipped, cpu, due, due_bytes)
        shutil.rmtree(copy)
    plan, cpu, _ = timed(run("retention", "plan", "--json"), env=env)
    row("retention plan --json", plan, cpu, files, total, peak(run("retention", "plan", "--json"), env))
    first_memory = None
    start = time.monotonic()
    first, cpu, out = timed([sys.executable, "-c",
                             "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
                             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
                             *run("retention", "run", "--accept-clock")], env=env)
    first_memory = int(out.split()[-1]) / 1024
    row("retention run, the first (durable)", first, cpu, files, total, first_memory)
    counts = subprocess.run(run("audit", "show", "--op", "retention.run", "--json"), env=env, capture_output=True).stdout
    print("  ", json.loads(counts)["entries"][-1]["counts"])
    files, total = size(sessions, "*.json*")
    listing, cpu, _ = timed(["find", str(sessions), "-type", "f"])
    row("find (listing), after it", listing, cpu, files, 0)
    reading, cpu, _ = timed(["sh", "-c", f"find {sessions} -type f -print0 | xargs -0 cat > /dev/null"])
    row("find | xargs cat (reading), after it", reading, cpu, files, total)
    second, cpu, _ = timed(run("retention", "run"), env=env)
    row("retention run, the second (nothing due)", second, cpu, files, total, peak(run("retention", "run"), env))
    listed, cpu, _ = timed(run("session", "list", "--json"), env=env)
    row("session list --json", listed, cpu, files, total, peak(run("session", "list", "--json"), env))
    print(f"second run against 3 x listing + 1.5 x reading: {second / (3 * listing + 1.5 * reading):.2f} (goal: up to 1)")
    if with_gzip:
        print(f"first run against gzip of what was archived: {zipped / first:.1f} times as fast (goal: 3)")
    shutil.rmtree(root)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", default="10000,100000")
    parser.add_argument("--without-gzip", action="store_true", help="leave out what takes longest at a million")
    parser.add_argument("--bin", default="target/release/hermes-mem", type=pathlib.Path)
    parser.add_argument("--dir", type=pathlib.Path)
    parser.add_argument("--make", nargs=2, metavar=("ROOT", "COUNT"), help="only make the sessions of a tree")
    args = parser.parse_args()
    if args.make:
        return make(pathlib.Path(args.make[0]), int(args.make[1]))
    with tempfile.TemporaryDirectory(dir=args.dir) as base:
        for count in args.sessions.split(","):
            bench(args.bin.resolve(), pathlib.Path(base), int(count), not args.without_gzip)


if __name__ == "__main__":
    main()
