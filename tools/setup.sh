# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared with the caller, both ways
# Set-up shared by ./hamel and ./test: Debian packages, configuration, builds.
#
# Sourced, never run. The caller has set
#   root     absolute path of the repository
#   program  name that opens every message ("hamel", "test")
# Everything here talks on stderr, keeps the output of long commands in build/*.log and leaves the
# working directory alone.

# What the program needs to be built and to draw its figures ...
program_packages=(
  g++ cmake ninja-build
  libcli11-dev libfmt-dev libhdf5-dev libtomlplusplus-dev nlohmann-json3-dev
  gnuplot-nox fonts-dejavu-core
)
# ... what the tests need on top ...
test_packages=(
  clang-format-14 groff-base libgtest-dev librapidcheck-dev pkg-config python3
  furo libjs-mathjax python3-myst-parser python3-sphinx
)
# ... what libFuzzer needs on top of the program's (tools/fuzz) ...
fuzz_packages=(
  clang-19 libclang-rt-19-dev
)
# ... what the benchmarks need on top of the program's (benchmark/run) ...
benchmark_packages=(
  libbenchmark-dev libboost-dev python3
)
# ... with the programs that they compare with ...
peer_packages=(
  libdart-dev libdart-external-convhull-3d-dev libdart-external-ikfast-dev
  libdart-external-odelcpsolver-dev libeigen3-dev libmujoco-dev libsimbody-dev libsundials-dev
)
# ... and what only ./test --full needs.
full_packages=(
  "${fuzz_packages[@]}"
  clang-tidy-19 git libbenchmark-dev libboost-dev shellcheck
  python3-h5py
)

release_dir=$root/build/release
binary=$release_dir/bin/hamel
# Created at the start of the last successful build of the program; holds the root it was built for.
stamp=$release_dir/.program-built
# A change in one of these means that the program has to be built again.
program_sources=(
  "$root/CMakeLists.txt" "$root/cmake" "$root/include" "$root/src" "$root/apps"
  "$root/tools/setup.sh"
)

exit_setup_failed=4 # the program's own code for "input or output failed"

say() { printf '%s: %s\n' "$program" "$*" >&2; }

die() {
  say "$@"
  end_commands
  exit "$exit_setup_failed"
}

# --- the question asked at every start; no process is started but one find -------------------------

# True if the program is built, for this place, and no source is newer. Directories count too: a
# file that was added or removed makes its directory newer.
program_is_fresh() {
  local built_for='' newer
  [[ -x $binary && -r $stamp ]] || return 1
  [[ -n ${HAMEL_SKIP_PACKAGES:-} ]] || type -P gnuplot >/dev/null || return 1
  IFS= read -r built_for <"$stamp" || true
  [[ $built_for == "$root" ]] || return 1
  newer=$(find "${program_sources[@]}" -newer "$stamp" -print -quit 2>/dev/null) || true
  [[ -z $newer ]]
}

# --- long commands ---------------------------------------------------------------------------------

child='' # process group of the long command that is running, if any
aside='' # process group of the build that goes on beside it, if any
group='' # process group that was started last, until it is one of these

# Ends the running commands.
end_commands() {
  local each
  for each in $group $child $aside; do kill -s INT -- "-$each" 2>/dev/null || true; done
  for each in $group $child $aside; do wait "$each" 2>/dev/null || true; done
}

# Passes an interruption on to the running commands, so that Ctrl-C and a plain kill both end set-up.
interrupted() {
  trap '' INT TERM HUP
  end_commands
  clear_progress
  say "interrupted; the next call goes on from here"
  exit $((128 + $1))
}

catch_interruptions() {
  trap 'interrupted 2' INT
  trap 'interrupted 15' TERM
  trap 'interrupted 1' HUP
}

clear_progress() { if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi; }

# show_progress LOG SECONDS: the log's last line, rewritten in place on a terminal; elsewhere a plain
# line every half minute.
show_progress() {
  local line
  if [[ ! -t 2 ]] && ((SECONDS < next_report)); then return; fi
  next_report=$((SECONDS + 30))
  line=$(tail -n 1 -- "$1" 2>/dev/null | tr -d '\r\033') || true
  line=${line//"$root"\//}
  if [[ -t 2 ]]; then
    printf '\r\033[K%4d s  %.68s' "$2" "$line" >&2
  else
    printf '%s:   %4d s  %.90s\n' "$program" "$2" "$line" >&2
  fi
}

# run_logged WHAT LOG COMMAND...: runs COMMAND with its output in LOG; stops everything with the end
# of the log if it fails.
run_logged() {
  local what=$1 log=$2
  say "$what (log: ${log#"$root"/})"
  start_logged "${@:2}"
  child=$group
  group=''
  await_logged "$what" "$log"
}

# start_logged LOG COMMAND...: the command has a process group of its own (set -m), which is what
# interrupted() ends; its number is in `group`.
start_logged() {
  local log=$1
  shift
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  group=$!
  set +m
}

# await_logged WHAT LOG: waits for `child`.
await_logged() {
  local what=$1 log=$2 started=$SECONDS status=0
  next_report=$((SECONDS + 30))
  while kill -0 "$child" 2>/dev/null; do
    show_progress "$log" $((SECONDS - started))
    sleep 0.2
  done
  wait "$child" || status=$?
  child=''
  clear_progress
  if ((status != 0)); then
    say "failed after $((SECONDS - started)) s. The last lines of $log:"
    tail -n 40 -- "$log" >&2 || true
    die "giving up: ${what%%:*}"
  fi
  if ((SECONDS - started >= 5)); then say "  done in $((SECONDS - started)) s"; fi
}

# --- one set-up at a time --------------------------------------------------------------------------

# Holds build/.lock until release_lock. The running commands inherit it, so that a set-up whose shell
# was killed still keeps others out while its compiler works.
take_lock() {
  if ! mkdir -p -- "$root/build" 2>/dev/null || [[ ! -w $root/build ]]; then
    die "cannot write to $root/build, where the program is built"
  fi
  exec {lock}>>"$root/build/.lock"
  if ! flock --nonblock "$lock"; then
    say "another build is under way; waiting for it"
    flock "$lock"
  fi
}

release_lock() { exec {lock}>&-; }

# --- packages --------------------------------------------------------------------------------------

# missing_packages NAME...: those of the packages that are not installed, in the array `missing`.
missing_packages() {
  local status name
  local -A installed=()
  while read -r status name; do
    if [[ $status == installed ]]; then installed[$name]=1; fi
  done < <(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  missing=()
  for name; do
    if [[ -z ${installed[$name]:-} ]]; then missing+=("$name"); fi
  done
}

# packages_to_install NAME...: the missing ones, in the array `missing`; none where packages are left
# to the user, by HAMEL_SKIP_PACKAGES=1 or another system.
packages_to_install() {
  missing=()
  if [[ -n ${HAMEL_SKIP_PACKAGES:-} ]]; then return; fi
  if ! type -P dpkg-query apt-get >/dev/null; then
    say "not a Debian system: taking the packages for installed (needed: $*)"
    return
  fi
  missing_packages "$@"
}

# install_packages NAME...: installs what is missing; calls apt only if something is.
install_packages() {
  local missing=() log=$root/build/packages.log
  local -a as_root=() run=(run_logged)
  packages_to_install "$@"
  if ((${#missing[@]} == 0)); then return; fi

  if ((EUID != 0)); then
    type -P sudo >/dev/null ||
      die "not root and no sudo; as root, do: apt-get install --no-install-recommends ${missing[*]}"
    # sudo may ask for a password, and its child can be signalled only by the terminal: so the
    # commands below stay in the foreground.
    say "sudo is needed to install: ${missing[*]}"
    sudo -v || die "sudo refused; as root, do: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
    run=(run_in_foreground)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C)

  # An earlier installation that was interrupted has to be finished first.
  if [[ -n $(dpkg --audit 2>/dev/null) ]]; then
    "${run[@]}" "finishing an interrupted installation" "$log" \
      "${as_root[@]}" dpkg --configure --pending
  fi
  "${run[@]}" "installing ${#missing[@]} packages with what they need: ${missing[*]}" "$log" \
    "${as_root[@]}" sh -c '
      # Old lists may still do if the update fails; the installation decides.
      apt-get --quiet --option DPkg::Lock::Timeout=600 update || echo "apt-get update failed"
      exec apt-get --quiet --yes --no-install-recommends --option DPkg::Lock::Timeout=600 \
        --option Acquire::Retries=3 install "$@"' sh "${missing[@]}"
}

# run_in_foreground WHAT LOG COMMAND...: run_logged for commands that may need the terminal.
run_in_foreground() {
  local what=$1 log=$2 started=$SECONDS
  shift 2
  say "$what (log: ${log#"$root"/})"
  "$@" >"$log" 2>&1 || {
    say "failed. The last lines of $log:"
    tail -n 40 -- "$log" >&2 || true
    die "giving up: ${what%%:*}"
  }
  say "  done in $((SECONDS - started)) s"
}

# --- builds ----------------------------------------------------------------------------------------

# Compilers to run at once: one per core, but 1.2 GB of free memory for each.
build_jobs() {
  local cores kilobytes jobs
  cores=$(nproc)
  kilobytes=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null) || true
  jobs=$((${kilobytes:-9999999} / 1200000))
  if ((jobs > cores)); then jobs=$cores; fi
  if ((jobs < 1)); then jobs=1; fi
  echo "$jobs"
}

# configure DIRECTORY OPTION...: runs CMake; starts afresh if the tree was moved since.
configure() {
  local directory=$1 cache=$1/CMakeCache.txt
  shift
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf -- "$directory"
  fi
  mkdir -p -- "$directory"
  run_logged "configuring ${directory#"$root"/}" "$root/build/configure-${directory##*/}.log" \
    cmake -S "$root" -B "$directory" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
}

# build DIRECTORY WHAT TARGET...
build() {
  local directory=$1 what=$2
  shift 2
  run_logged "building $what" "$root/build/build-${directory##*/}.log" \
    cmake --build "$directory" --parallel "$(build_jobs)" --target "$@"
}

# build_aside DIRECTORY WHAT TARGET...: begins to build while something else goes on, which comes
# first; end_aside waits for it.
build_aside() {
  local directory=$1 what=$2
  shift 2
  aside_log=$root/build/build-${directory##*/}.log
  say "building $what meanwhile (log: ${aside_log#"$root"/})"
  start_logged "$aside_log" nice cmake --build "$directory" --parallel "$(build_jobs)" --target "$@"
  aside=$group
  group=''
}

end_aside() {
  if [[ -z $aside ]]; then return; fi
  child=$aside
  aside=''
  await_logged "the build that went on meanwhile" "$aside_log"
}

# set_up_program: packages and program, unless another process has just done it.
set_up_program() {
  local begun
  catch_interruptions
  take_lock
  if ! program_is_fresh; then
    install_packages "${program_packages[@]}"
    begun=$(start_of_build)
    if [[ ! -f $release_dir/build.ninja ]] ||
      ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$release_dir/CMakeCache.txt"; then
      configure "$release_dir" -DCMAKE_BUILD_TYPE=Release
    fi
    build "$release_dir" "the program" hamel_program
    program_was_built "$begun"
  fi
  release_lock
  trap - INT TERM HUP
}

# The stamp bears the time at which the build began: what changed since is newer.
start_of_build() {
  local begun=$root/build/.program-build-began
  printf '%s\n' "$root" >"$begun"
  printf '%s' "$begun"
}

program_was_built() {
  [[ -x $binary ]] || die "the build made no $binary"
  mv -f -- "$1" "$stamp"
}
