#!/bin/sh
# Repeats the masker's figures: benches/mask-figures.sh DATA_DIR [score.py options]
# DATA_DIR holds score.py and the labelled sets (*.jsonl.gz). The name model has learned from some of these sets; what it does on
# text it has not seen says `data/names/train.sh DATA_DIR --folds`.
set -eu
data=${1:?usage: benches/mask-figures.sh DATA_DIR [--limit N]}
shift
cargo build --release
binary=${CARGO_TARGET_DIR:-target}/release/hermes-mem

echo "## Labelled sets"
python3 "$data/score.py" --bin "$binary" "$@" "$data"/*.jsonl.gz

echo "## German notes"
cargo test --quiet --release --test mask -- --nocapture | grep 'aim'

echo "## Whole process, 1 KB of prose, 100 runs"
line='Die Gemeinde hat den alten Bahnhof gekauft, Zuständig ist Jonas Lehmann, Tel. 0171/1234567. '
text=$(for _ in 1 2 3 4 5 6 7 8 9 10 11; do printf '%s\n' "$line"; done)
before=$(date +%s%N)
for _ in $(seq 100); do printf '%s' "$text" | "$binary" mask >/dev/null; done
after=$(date +%s%N)
echo "$(((after - before) / 100000)) µs each"

echo "## 10 MB of one thing, seconds of processor time"
for unit in 7 a@ '(' x key- 'Anna ' 'Anna Meier '; do
    seconds=$({ time -p sh -c 'yes "$1" | tr -d "\n" | head -c 10000000 | "$2" mask >/dev/null' - "$unit" "$binary"; } 2>&1 | awk '/user/ { print $2 }')
    echo "'$unit' $seconds"
done

echo "## Megabytes per second, one thread"
cargo bench --bench mask
