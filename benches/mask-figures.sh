#!/bin/sh
# Repeats the masker's figures: benches/mask-figures.sh DATA_DIR [score.py options]
# DATA_DIR holds score.py and the labelled sets (*.jsonl.gz).
set -eu
data=${1:?usage: benches/mask-figures.sh DATA_DIR [--limit N]}
shift
cargo build --release
binary=${CARGO_TARGET_DIR:-target}/release/hermes-mem
python3 "$data/score.py" --bin "$binary" "$@" "$data"/*.jsonl.gz
