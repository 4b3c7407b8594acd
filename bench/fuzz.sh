#!/usr/bin/env bash
# Fuzzes readers, loaders and interfaces with many inputs; see CONTRIBUTING.md.
#   bench/fuzz.sh [INPUTS] [SEED] [TARGET,TARGET…]    100000 inputs, a seed from the clock, all targets by default
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
exec mvn -q -pl app -am verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
    -Dit.test=FuzzIT -Dfailsafe.failIfNoSpecifiedTests=false \
    -Dfuzz.inputs="${1:-100000}" -Dfuzz.seed="${2:-$(date +%s)}" -Dfuzz.targets="${3:-}"
