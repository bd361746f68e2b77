#!/bin/sh
# Builds the Dockerfile's image without docker or an image registry. Its base is built from Debian's packages and
# npm's Node package. Run as root, on Debian, with buildah and mmdebstrap:
#
#   tools/image.sh            builds localhost/superday
#   tools/image.sh FILE.tar   also writes it to a file for `docker load` and `podman load`
set -eu
cd "$(dirname "$0")/.."

base=$(sed -n 's/^ARG NODE_IMAGE=docker.io\/library\///p' Dockerfile)
version=$(echo "$base" | sed 's/node:\([0-9.]*\)-.*/\1/')
suite=$(echo "$base" | sed 's/.*-\(.*\)-slim/\1/')
work=${IMAGE_WORK:-/var/tmp/superday-image}
run() { buildah --storage-driver vfs --root "$work/store" --runroot "$work/run" "$@"; }
mkdir -p "$work"

if ! run inspect --type image "localhost/$base" >/dev/null 2>&1; then
  # Like the official image, this includes the libraries that node is linked with.
  [ -e "$work/$suite.tar" ] ||
    mmdebstrap --variant=minbase --include=ca-certificates,libstdc++6,libgcc-s1,libatomic1 "$suite" "$work/$suite.tar"
  mkdir -p "$work/node-$version"
  npm install --prefix "$work/node-$version" --no-audit --no-fund --no-save "node@$version" npm
  made=$(run from scratch)
  run add "$made" "$work/$suite.tar" /
  modules=$work/node-$version/node_modules
  run copy "$made" "$modules/node/bin/node" /usr/local/bin/node
  run copy "$made" "$modules/npm" /usr/local/lib/node_modules/npm
  root=$(run mount "$made")
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  # A network that intercepts TLS has its own certificate authority.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    mkdir -p "$root/usr/local/etc"
    cp "$NODE_EXTRA_CA_CERTS" "$root/usr/local/etc/extra-ca.pem"
    echo 'cafile=/usr/local/etc/extra-ca.pem' >"$root/usr/local/etc/npmrc"
  fi
  run umount "$made" >/dev/null
  run config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$made"
  run commit --quiet --rm "$made" "localhost/$base"
fi

# The OCI format has no HEALTHCHECK.
run build --isolation chroot --network host --format docker --layers \
  --build-arg "NODE_IMAGE=localhost/$base" --tag localhost/superday .
if [ $# -gt 0 ]; then run push --quiet localhost/superday "docker-archive:$1:superday:latest"; fi
