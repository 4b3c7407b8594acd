#!/usr/bin/env bash
# Fuzzes readers, loaders and interfaces with many inputs; see CONTRIBUTING.md.
#   bench/fuzz.sh [INPUTS] [SEED] [TARGET,TARGET…]    100000 inputs, a seed from the clock, all targets by default
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# With the optimizing compiler, which tests of seconds do without.
exec mvn -q -pl app -am verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dtest.jvm=-Xmx1g -Dorg.bytedeco.javacpp.maxPhysicalBytes=0" -Dit.test=FuzzIT -Dfailsafe.failIfNoSpecifiedTests=false \
    -Dfuzz.inputs="${1:-100000}" -Dfuzz.seed="${2:-$(date +%s)}" -Dfuzz.targets="${3:-}"
