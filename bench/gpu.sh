# Runs benchmarks on a GPU. The other scripts source it from the root of the repository.
plant=${PLANT:-./plant}
options=-Dorg.bytedeco.javacpp.maxPhysicalBytes=0 # as in ./plant
# Keep checkpoints, which are not timed, in memory if there is enough.
[ "$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 8000000 ] 2>/dev/null && options+=" -Djava.io.tmpdir=/dev/shm"
export JAVA_OPTS="$options ${JAVA_OPTS-}" PLANT_JAVA_OPTS="$options ${PLANT_JAVA_OPTS-}"

bench() {
    # shellcheck disable=SC2086 # $plant may be a command with arguments
    timeout 120 $plant bench "$@" --device cuda 2>&1 | sed '/─/d'
}
