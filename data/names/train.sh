#!/bin/sh
# Makes data/names/model.bin again, or says how good the model is on text it has not seen (five folds of each set):
#   data/names/train.sh DATA_DIR            data/names/train.sh DATA_DIR --folds
# DATA_DIR holds the labelled sets (*.jsonl.gz); see NOTICE. The same input gives the same file.
set -eu
data=${1:?usage: data/names/train.sh DATA_DIR [--folds]}
out=${2:-data/names/model.bin}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cargo build --release --example build_names --example train_names
examples=${CARGO_TARGET_DIR:-target}/release/examples
"$examples/build_names" --print data/names/words.fst > "$work/words.tsv"
python3 data/names/notes.py 9000 1 < "$work/words.tsv" > "$work/notes.jsonl"
"$examples/train_names" "$data" "$work/notes.jsonl" "$out"
