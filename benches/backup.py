#!/usr/bin/env python3
"""How long a backup takes to make and to verify, beside tar, zstd and gpg on the same files.

    benches/backup.py [--sessions 10000,100000] [--rounds 3] [--bin target/release/hermes-mem] [--dir DIR]

The trees are those of benches/retention.py. The tools do what the program does: make one file, make it durable, read it
back and check it, to the same certificate; what takes longest there, the reading back, is also shown alone. Times are
medians of wall clock seconds, the two sides in turn; memory is the peak of the resident set.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from retention import NOW, peak, size, stamp


def seconds(command, **more):
    """Runs a command to its end and answers how long that took."""
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    took = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr.decode()}")
    return took


def keys(binary, base, env):
    """A pair of keys, in the program's hands and in gpg's; answers gpg's home and the certificate's fingerprint."""
    public, secret = base / "keys" / "public.asc", base / "keys" / "secret.asc"
    public.parent.mkdir()
    subprocess.run([binary, "backup", "keygen", "--public", public, "--secret", secret], env=env, check=True, capture_output=True)
    home = base / "gnupg"
    home.mkdir(mode=0o700)
    gpg = ["gpg", "--homedir", str(home), "--batch", "--quiet"]
    subprocess.run([*gpg, "--import", secret], check=True, capture_output=True)
    listed = subprocess.run([*gpg, "--with-colons", "--list-keys"], check=True, capture_output=True, text=True).stdout
    return public, secret, gpg, next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:"))


def bench(binary, base, count, rounds):
    root, target = base / f"tree-{count}", base / f"backups-{count}"
    env = {"HERMES_MEM_ROOT": str(root), "HERMES_MEM_NOW": stamp(NOW), "PATH": os.environ["PATH"], "HOME": str(base)}
    subprocess.run([binary, "init"], env=env, check=True, capture_output=True)
    subprocess.run([sys.executable, pathlib.Path(__file__).with_name("retention.py"), "--make", root, str(count)], check=True)
    public, secret, gpg, fingerprint = keys(binary, base, env)
    (root / "config.toml").write_text(f'[backup]\ntarget = "{target}"\nrecipient = "{public}"\n')
    files, volume = size(root / "sessions", "*.json*")
    print(f"\n{files} sessions, {volume / 1e6:.0f} MB")
    print(f"{'':58}{'s':>8}{'files/s':>10}{'MB/s':>8}{'MB peak':>9}")

    def row(name, took, memory=None):
        memory = f"{memory:9.1f}" if memory is not None else ""
        print(f"{name:58}{took:8.2f}{files / took:10.0f}{volume / 1e6 / took:8.1f}{memory}", flush=True)

    theirs = base / "theirs.tar.zst.pgp"
    quoted = " ".join(gpg)
    pack = (f"tar -C {root} -cf - sessions review-queue audit config.toml | zstd -q -3 | "
            f"{quoted} --trust-model always --compress-algo none --cipher-algo AES256 -r {fingerprint} -e -o {theirs} && sync {theirs}")
    unpack = f"{quoted} -d {theirs} | zstd -q -d | tar -tf - > /dev/null"
    bash = ["bash", "-o", "pipefail", "-c"]
    run = [str(binary), "backup", "run"]
    verify = [str(binary), "backup", "verify", "latest", "--secret-key", str(secret)]
    took = {name: [] for name in ("ours", "pack", "checked", "verify", "unpack")}
    for _ in range(rounds):
        for path in (theirs, target):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        took["ours"].append(seconds(run, env=env))
        pack_took = seconds([*bash, pack])
        took["pack"].append(pack_took)
        took["unpack"].append(seconds([*bash, unpack]))
        took["checked"].append(pack_took + took["unpack"][-1])
        took["verify"].append(seconds(verify, env=env))
    made = next(target.glob("*.pgp")).stat().st_size
    took = {name: statistics.median(values) for name, values in took.items()}
    shutil.rmtree(target)
    row("backup run (durable, read back, every sum compared)", took["ours"], peak(run, env))
    row("tar | zstd -3 | gpg, sync", took["pack"])
    row("tar | zstd -3 | gpg, sync; then gpg | zstd | tar t", took["checked"])
    row("backup verify (every sum compared)", took["verify"], peak(verify, env))
    row("gpg | zstd | tar t (no sums)", took["unpack"])
    row("find | xargs cat (reading every file)", seconds([*bash, f"find {root} -type f -print0 | xargs -0 cat > /dev/null"]))
    print(f"size: {made / 1e6:.1f} MB, theirs {theirs.stat().st_size / 1e6:.1f} MB")
    print(f"run against the tools without reading back: {took['ours'] / took['pack']:.2f} (goal: up to 1)")
    print(f"run against the tools with reading back:    {took['ours'] / took['checked']:.2f}")
    print(f"verify against the tools:                   {took['verify'] / took['unpack']:.2f} (goal: under 1)")
    subprocess.run(["gpgconf", "--homedir", gpg[2], "--kill", "all"], check=False)
    shutil.rmtree(root)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", default="10000,100000")
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--bin", default="target/release/hermes-mem", type=pathlib.Path)
    parser.add_argument("--dir", type=pathlib.Path)
    args = parser.parse_args()
    for count in args.sessions.split(","):
        with tempfile.TemporaryDirectory(dir=args.dir) as base:
            bench(args.bin.resolve(), pathlib.Path(base), int(count), args.rounds)


if __name__ == "__main__":
    main()
