# shellcheck shell=bash
# Machines with nothing installed, as folders to change the root to: for scripts that source this.
# Needs root, debootstrap and the registries of packages.

passed=0 failed=0
machine= # the folder of the machine that `inside` runs in

# Makes a minimal system, unless the folder is one, and lets its package clients reach what they
# reach here. Debian's suites come from this machine's mirror.
make_machine() { # FOLDER SUITE PACKAGES
  machine=$1
  local mirror scripts=/usr/share/debootstrap/scripts components=main
  command -v debootstrap >/dev/null || apt-get -q install -y debootstrap >/dev/null
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  local options=()
  case $2 in
  jammy | noble) # debootstrap of Debian 12 may know neither the suite nor its key
    mirror=http://archive.ubuntu.com/ubuntu scripts=$scripts/jammy components=main,universe
    options=(--no-check-gpg)
    ;;
  *) scripts=$scripts/$2 ;;
  esac
  if [ ! -e "$machine/etc/os-release" ]; then
    debootstrap "${options[@]}" --variant=minbase --include="$3" --components="$components" \
      "$2" "$machine" "$mirror" "$scripts" >/dev/null
  fi
  cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
  local authorities=usr/local/share/ca-certificates
  mkdir -p "$machine/$authorities" "$machine/trial"
  cp /$authorities/*.crt "$machine/$authorities/" 2>/dev/null || true
  if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$machine/etc/"; fi
  mountpoint -q "$machine/proc" || mount -t proc proc "$machine/proc"
  mountpoint -q "$machine/dev" || mount --bind /dev "$machine/dev"
  inside "update-ca-certificates" >/dev/null 2>&1 || true
}

leave_machine() { umount "$machine/dev" "$machine/proc"; }

# Runs a command in /trial of the machine.
inside() {
  chroot "$machine" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 bash -c "cd /trial && $1"
}

# Does the command's output have the pattern?
check() { # WHAT PATTERN COMMAND
  local said
  said=$(inside "$3" 2>&1 || true)
  if grep -qE "$2" <<<"$said"; then
    passed=$((passed + 1))
    echo "passed: $1"
  else
    failed=$((failed + 1))
    printf 'FAILED: %s\n%s\n' "$1" "$said"
  fi
}
