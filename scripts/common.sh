# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts/try and scripts/test: where the project is, what to install, how to build.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '\n== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "packages have to be installed: run this as root, or install sudo, or install them yourself: $*" >&2
    return 1
  fi
}

# Mirrors and locks refuse now and then: three more tries with growing pauses.
retry() {
  local pause
  for pause in 10 30 60; do
    "$@" && return 0
    echo "refused: $*; trying again in $pause seconds" >&2
    sleep "$pause"
  done
  "$@"
}

# packages_of SECTION: the names in that section of packages.txt.
packages_of() {
  sed -n "/^\[$1\]\$/,/^\[/p" "$root/scripts/packages.txt" | grep -v -e '^\[' -e '^#' -e '^$'
}

is_installed() {
  dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# install_missing SECTION…: only what dpkg does not have yet.
install_missing() {
  local missing=() package section
  for section in "$@"; do
    for package in $(packages_of "$section"); do
      is_installed "$package" || missing+=("$package")
    done
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "packages: all there"
    return
  fi
  say "packages: installing ${missing[*]}"
  retry as_root apt-get update -qq
  retry as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "${missing[@]}"
}

# build PRESET [TARGET…]: into build/PRESET; the default target is everything a user needs. A new folder is built
# several files at a time (CMAKE_UNITY_BUILD), which takes half the time; one that was configured by hand stays as it
# is.
build() {
  local preset="$1" unity=()
  shift
  [ -e "$root/build/$preset/CMakeCache.txt" ] || unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=20)
  say "building ($preset${*:+: $*})"
  (cd "$root" && cmake --preset "$preset" "${unity[@]}" >"$root/build/$preset.configure.log" 2>&1) || {
    cat "$root/build/$preset.configure.log" >&2
    return 1
  }
  cmake --build "$root/build/$preset" ${*:+--target "$@"}
}

mkdir -p "$root/build"
