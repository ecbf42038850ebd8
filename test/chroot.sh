#!/usr/bin/env bash
# A clone on a machine with nothing installed: makes a minimal Debian 12 in a folder, clones this
# repository's HEAD into it and runs the two commands of the README there. Needs root and
# debootstrap. Takes the package sources, certificates and pip settings of this machine.
#
#   test/chroot.sh FOLDER [COMMAND...]      default commands: samples/run.sh, test/run.sh
#
# A command is a script of the repository and its words: "test/run.sh --quick".
set -euo pipefail

folder=${1:?usage: test/chroot.sh FOLDER [COMMAND...]}
shift
commands=("${@:-samples/run.sh}")
[ $# -gt 0 ] || commands+=(test/run.sh)
repository=$(cd "$(dirname "$0")/.." && pwd)

if [ ! -e "$folder/etc/debian_version" ]; then
  echo "== a minimal Debian 12 in $folder"
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  debootstrap --variant=minbase bookworm "$folder" "$mirror"
fi

# What lets the package clients reach what they reach here.
cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
rm -f "$folder/etc/apt/sources.list"
cp /etc/apt/sources.list.d/debian.sources "$folder/etc/apt/sources.list.d/"
mkdir -p "$folder/usr/local/share/ca-certificates"
authorities=usr/local/share/ca-certificates
cp /$authorities/*.crt "$folder/$authorities/" 2>/dev/null || true
if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$folder/etc/"; fi

# A root that is a mount, as namespaces of mounts want it.
mountpoint -q "$folder" || mount --bind "$folder" "$folder"
mountpoint -q "$folder/proc" || mount -t proc proc "$folder/proc"
mountpoint -q "$folder/dev" || mount --bind /dev "$folder/dev"
trap 'umount "$folder/dev" "$folder/proc" "$folder"' EXIT

rm -rf "$folder/tessera"
git clone -q "$repository" "$folder/tessera"
for command in "${commands[@]}"; do
  echo "== $command in a fresh clone"
  chroot "$folder" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c "bash /tessera/$command"
done
