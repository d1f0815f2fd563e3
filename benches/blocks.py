#!/usr/bin/env python3
"""Times structured memory blocks: as a whole process beside the sqlite3 shell, and within one process.

usage: benches/blocks.py [--sizes 1000,100000,1000000] [--runs N] [--bin FILE] [--inside FILE]

Without --bin it builds the `dist` profile first. Each size is loaded by `block import` from JSON lines made here, always
the same ones. Then, in turn and after a warm-up: `get`, `list` (type and entity, newest 50), `about`, `search` and `add`,
each beside the same question in SQL to the sqlite3 shell, on a random block each time. `--inside` is the example
`blocks_inside`, which asks within one process. A figure is the median of the wall time in ms, then the 99th percentile.
Nothing is written outside a temporary folder.
"""
import argparse, json, os, platform, random, shutil, statistics, subprocess, sys, tempfile, time

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TYPES = ["user_preference", "project_state", "learned_pattern", "entity_relationship", "procedural"]
CATEGORIES = ["formatting", "workflow", "tech_stack", "contact", "project", "skill"]
WORDS = """Termin Buchung Kalender Server Abgleich Freigabe Rechnung Gutschein Dialog Fehler Deployment Bericht Vorlage Tabelle
Farbe Schrift Antwort Sprache Kanal Telegram WhatsApp Webhook Datenbank Sicherung Prüfung Regel Liste Notiz Entwurf Plan
release build cache index query token review branch merge deploy rollback latency budget customer invoice schedule""".split()


def build():
    subprocess.run(["cargo", "build", "--profile", "dist", "--bin", "hermes-mem", "--example", "blocks_inside"],
                   cwd=REPO, check=True)
    metadata = subprocess.run(["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=REPO, check=True,
                              stdout=subprocess.PIPE).stdout
    target = json.loads(metadata)["target_directory"]
    return f"{target}/dist/hermes-mem", f"{target}/dist/examples/blocks_inside"


def record(nth, chance, entities):
    """One record; an entity's share falls with its number, as it does with real projects."""
    about = {f"projekt-{min(int(chance.paretovariate(0.6)), entities)}"}
    if nth % 3 == 0:
        about.add(f"person-{chance.randrange(entities)}")
    day = 1 + nth % 28
    return {
        "id": f"{chance.getrandbits(32):08x}-{nth >> 12 & 0xffff:04x}-4{nth & 0xfff:03x}-8{chance.getrandbits(12):03x}-{nth:012x}",
        "type": TYPES[nth % 5], "category": CATEGORIES[nth % 6], "key": f"key_{nth}",
        "value": " ".join(chance.choice(WORDS) for _ in range(9)) + f" {nth}",
        "source": "bench", "confidence": round(chance.random(), 2), "entities": sorted(about),
        "created_at": f"2026-{1 + nth % 12:02}-{day:02}T{nth % 24:02}:{nth % 60:02}:00Z",
    }


def write_records(path, number):
    chance = random.Random(7)
    ids = []
    with open(path, "w", encoding="utf-8") as out:
        for nth in range(number):
            line = record(nth, chance, max(10, number // 50))
            ids.append(line["id"])
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    return ids


def once(command, env):
    start = time.perf_counter()
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    took = (time.perf_counter() - start) * 1000
    if done.returncode != 0:
        sys.exit(f"{command} exited {done.returncode}: {done.stderr.decode()}")
    return took


def show(name, times):
    times = sorted(times)
    last = times[min(len(times) - 1, int(len(times) * 0.99))]
    print(f"  {name:<44} {statistics.median(times):8.2f} ms   p99 {last:8.2f} ms", flush=True)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="1000,100000,1000000")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--bin")
    parser.add_argument("--inside")
    args = parser.parse_args()
    binary, inside = (args.bin, args.inside) if args.bin else build()
    shell = shutil.which("sqlite3")
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}; median of {args.runs}")
    base = tempfile.mkdtemp(prefix="hermes-mem-blocks-")
    shell_get = {}
    try:
        for size in (int(size) for size in args.sizes.split(",")):
            root = f"{base}/{size}"
            env = {"HERMES_MEM_ROOT": root, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
            subprocess.run([binary, "init"], env=env, check=True, stdout=subprocess.DEVNULL)
            ids = write_records(f"{base}/records.jsonl", size)
            took = once([binary, "block", "import", f"{base}/records.jsonl"], env) / 1000
            bytes_ = os.path.getsize(f"{root}/blocks.db")
            print(f"\n{size} blocks: loaded in {took:.1f} s, {size / took:.0f} blocks/s, {bytes_ / 1e6:.1f} MB", flush=True)
            chance = random.Random(size)
            db = f"{root}/blocks.db"
            entity = lambda: f"projekt-{1 + chance.randrange(20)}"
            words = lambda: " ".join(chance.sample(WORDS, 2))
            sql_get = lambda id_: [shell, db, f"SELECT * FROM blocks WHERE id = '{id_}'"]
            sql_list = lambda name: [shell, db, "SELECT b.* FROM links l JOIN blocks b USING (block) JOIN aliases x "
                f"USING (entity) WHERE x.alias = '{name}' AND l.type = 'project_state' ORDER BY l.updated_at DESC LIMIT 50"]
            asks = {
                "get": (lambda: [binary, "block", "get", chance.choice(ids), "--json"], lambda: sql_get(chance.choice(ids))),
                "get --peek": (lambda: [binary, "block", "get", chance.choice(ids), "--json", "--peek"], None),
                "list --type --entity --limit 50": (
                    lambda: [binary, "block", "list", "--type", "project_state", "--entity", entity(), "--limit", "50", "--json"],
                    lambda: sql_list(entity())),
                "about --peek (a rare entity)": (
                    lambda: [binary, "block", "about", f"person-{chance.randrange(max(10, size // 50))}", "--peek", "--json"], None),
                "search": (lambda: [binary, "block", "search", words(), "--json"], None),
                "add": (lambda: [binary, "block", "add", "--type", "procedural", "--category", "skill", "--key",
                                 f"new_{chance.getrandbits(60)}", "--value", words()], None),
            }
            for name, (ours, theirs) in asks.items():
                if name == "search" and subprocess.run([binary, "block", "search", "--help"], stdout=subprocess.DEVNULL,
                                                       stderr=subprocess.DEVNULL).returncode != 0:
                    continue
                mine, others = [], []
                for turn in range(args.runs + 3):
                    a = once(ours(), env) if name != "about --peek (a rare entity)" else try_once(ours(), env)
                    b = once(theirs(), env) if theirs and shell else None
                    if turn >= 3:
                        mine.append(a)
                        others.append(b)
                median = show(name, mine)
                if theirs and shell:
                    theirs_median = show(f"sqlite3 shell, the same", others)
                    if name == "get":
                        shell_get[size] = theirs_median
                        if size == 1_000_000 and 100_000 in shell_get:
                            ratio = median / shell_get[100_000]
                            print(f"  get at 1,000,000 / the shell at 100,000: {ratio:.2f} (goal 0.8)")
            if inside:
                subprocess.run([inside, "ask", root], check=True)
                load = f"{base}/load"
                subprocess.run([binary, "init"], env={**env, "HERMES_MEM_ROOT": load}, check=True, stdout=subprocess.DEVNULL)
                subprocess.run([inside, "load", load, str(size)], check=True)
                shutil.rmtree(load)
    finally:
        shutil.rmtree(base)


def try_once(command, env):
    """An entity that no block is about is answered with 5."""
    start = time.perf_counter()
    subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
