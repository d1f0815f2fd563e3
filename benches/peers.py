#!/usr/bin/env python3
"""Times the program beside its peers, in turn, and prints the ratios.

usage: benches/peers.py [--runs N] [--bin FILE] [--floor FILE]

Without --bin it builds the `dist` profile first. Peers are run where they are installed: sqlite3, jq, task (taskwarrior).
Each pair is run in turn (A B A B …) after a warm-up. A figure is the median of the wall time in ms; a ratio is the median of
the ratios pair by pair, which a machine's drift does not touch. Nothing is written outside a temporary folder.
"""
import argparse, datetime, json, os, platform, shutil, statistics, subprocess, sys, tempfile, time

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build():
    subprocess.run(["cargo", "build", "--profile", "dist", "--bin", "hermes-mem", "--example", "floor"], cwd=REPO, check=True)
    target = json.loads(subprocess.run(["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=REPO, check=True,
                                       stdout=subprocess.PIPE).stdout)["target_directory"]
    return f"{target}/dist/hermes-mem", f"{target}/dist/examples/floor"


def once(command, env, stdin=None):
    with open(stdin or os.devnull, "rb") as source:
        start = time.perf_counter()
        done = subprocess.run(command, env=env, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took = (time.perf_counter() - start) * 1000
    if done.returncode != 0:
        sys.exit(f"{command} exited {done.returncode}")
    return took


def pair(name, a, b, runs, env, goal, prepare=lambda: None, startup=None):
    """A beside B; with `startup`, two commands whose times are taken off A and B first."""
    times_a, times_b, ratios = [], [], []
    for turn in range(runs + 2):
        prepare()
        off_a, off_b = (once(command, env) for command in startup) if startup else (0, 0)
        took_a, took_b = once(*a), once(*b)
        if turn >= 2:
            times_a.append(took_a)
            times_b.append(took_b)
            ratios.append((took_a - off_a) / (took_b - off_b))
    ratio = statistics.median(ratios)
    print(f"| {name} | {statistics.median(times_a):.2f} | {statistics.median(times_b):.2f} | {ratio:.2f} | {goal} |", flush=True)


def reviews(root, count):
    base = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=5)
    stamp = lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ")
    for i in range(count):
        at = base + datetime.timedelta(seconds=i)
        name = f"REVIEW-{at:%Y%m%d-%H%M%S}-vento-kanal-{i}"
        review = {
            "schema_version": 1, "review_id": name, "source_session": "SESSION-carlo-20260521-a3f7b2", "source_turn": 3,
            "agent": "hermes-carlo", "kind": "fact", "project": "Vento",
            "proposed_fact": f"Vento unterstützt Kanal {i} (zusätzlich zu WhatsApp)", "fact_status": "user_stated",
            "proposed_obsidian_page": "03-Projekte/LP-VENTO.md", "proposed_change": "Technik-Sektion: Kanal ergänzen",
            "confidence": "unverified", "requires": "Technische Bestätigung + Quellcode-Nachweis", "created_at": stamp(at),
            "expires_at": stamp(at + datetime.timedelta(days=14)), "status": "pending", "flags": [],
            "obsidian_write_allowed": False, "graphiti_write_allowed": False, "seen_count": 1, "history": [],
        }
        with open(f"{root}/review-queue/{name}.json", "w") as file:
            json.dump(review, file, indent=2, ensure_ascii=False)


def turn(n):
    return json.dumps({
        "user_input_summary": f"User fragt nach Schritt {n} des Deployments von Vento",
        "retrieval_meta": {"query": "Deployment Vento", "obsidian_sources": 1, "graphiti_facts": 10, "confidence": "medium"},
        "conversation_summary": f"Schritt {n} erklärt: Container bauen, Konfiguration prüfen, Dienst neu starten. " * 4,
    })


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--runs", type=int, default=40)
    args.add_argument("--bin")
    args.add_argument("--floor")
    args = args.parse_args()
    ours, floor = (args.bin, args.floor) if args.bin and args.floor else build()
    with tempfile.TemporaryDirectory() as temp:
        env = {"PATH": os.environ["PATH"], "HOME": temp, "TZ": "UTC", "LANG": "C.UTF-8"}
        cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
        print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} × {cpu}, {args.runs} pairs\n")
        print("| what | ours, ms | beside it, ms | ratio | goal |\n| --- | --- | --- | --- | --- |")
        version = [ours, "--version"]
        if shutil.which("sqlite3"):
            pair("`--version` beside `sqlite3 --version`", (version, env), (["sqlite3", "--version"], env), args.runs, env, "≤ 1.5")
        roots = {count: f"{temp}/{count}" for count in (100, 10_000)}
        for count, root in roots.items():
            once([ours, "--root", root, "init"], env)
            reviews(root, count)
        pending = lambda count: [ours, "--root", roots[count], "review", "pending"]
        queue = f"{roots[100]}/review-queue"
        files = sorted(f"{queue}/{name}" for name in os.listdir(queue) if name.endswith(".json"))
        if shutil.which("jq"):
            pair("`review pending`, 100 reviews, beside jq reading them", (pending(100), env), (["jq", "-r", ".proposed_fact", *files], env),
                 args.runs, env, "≤ 0.12")
        if shutil.which("task"):
            with open(f"{temp}/.taskrc", "w") as file:
                file.write(f"data.location={temp}/tasks\nconfirmation=no\n")
            tasks = "".join(json.dumps({"description": f"Vento Kanal {i} prüfen", "project": "Vento", "status": "pending",
                                        "entry": "20260521T143000Z"}) + "\n" for i in range(100))
            subprocess.run(["task", "rc.verbose=nothing", "import", "-"], env=env, input=tasks.encode(), check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            pair("`review pending`, 100 reviews, beside `task list` of 100", (pending(100), env), (["task", "list"], env), args.runs, env, "≤ 0.5")
        pair("`review pending`, 10,000 reviews, beside reading the files", (pending(10_000), env),
             ([floor, "read", f"{roots[10_000]}/review-queue"], env), max(args.runs // 2, 5), env, "≤ 3")
        root = f"{temp}/append"
        once([ours, "--root", root, "init"], env)
        append = [ours, "--root", root, "session", "append", "--agent", "carlo"]
        with open(f"{temp}/turn.json", "w") as file:
            file.write(turn(1))
        for _ in range(50):
            once(append, env, f"{temp}/turn.json")
        active = f"{root}/sessions/active"
        [name] = os.listdir(active)
        size = os.path.getsize(f"{active}/{name}")
        kept = {path: open(path, "rb").read() for path in (f"{active}/{name}",)}
        os.mkdir(f"{temp}/floor")
        os.mkdir(f"{temp}/empty")

        def restore():
            # Always the 50-turn session, not one that grows.
            for path, data in kept.items():
                with open(path, "wb") as file:
                    file.write(data)
        pair("`session append` to 50 turns beside its writes and fsyncs, both less start-up", (append, env, f"{temp}/turn.json"),
             ([floor, "write", f"{temp}/floor", str(size)], env), args.runs, env, "≤ 2", restore, (version, [floor, "read", f"{temp}/empty"]))


main()
