#!/usr/bin/env bash
# The fault harness: every writing command killed, and every file-changing system call of it failing, once each; kills at random
# moments; the power cut while all write. Prints what each test says, and the sums. `--long`: many more kills and cuts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ ${1:-} == --long ]] && export HERMES_MEM_TESTS_LONG=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo test --test cli -- crash:: fire:: power:: retention::runs_that_are_killed 2>&1 | tee "$log"
awk '/injection points and runs/ {
         commands++
         for (i = 1; i <= NF; i++) if ($i == "injection") { points += $(i - 1) }
     }
     / killed, / { random++ }
     /power cuts, acknowledged/ { for (i = 1; i <= NF; i++) if ($i == "power") cuts += $(i - 1) }
     /test result: ok/ { fine = 1 }
     END {
         printf "%d commands, %d injection points and runs, %d series of random kills, %d power cuts: ", commands, points, random, cuts
         if (fine) print "lost turns 0, lost decisions 0, trees that doctor could not mend 0"
         else { print "something was lost, see above"; exit 1 }
     }' "$log"
