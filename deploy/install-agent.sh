#!/bin/sh
# Installs the Pult agent on this controller, or brings it up to date. Run as root:
#   curl -fsSL @SERVER_URL@/agent/install.sh | sh
# PULT_ROOT=/mnt/image installs into the file system of a device image instead and starts nothing.
set -eu

server='@SERVER_URL@'
root="${PULT_ROOT:-}"

fail() {
  echo "pult-agent: $1" >&2
  exit 1
}

# Everything is inside a function, so that a download that was cut off runs nothing.
install_agent() {
  [ "$(id -u)" = 0 ] || fail 'run this as root (with sudo).'
  command -v curl >/dev/null || fail 'curl is missing.'
  if [ -z "$root" ]; then
    [ -d /run/systemd/system ] || fail 'systemd does not run here; start the agent by hand, see the documentation.'
    node="$(command -v node)" || fail 'Node.js 20.19 or newer is missing.'
    "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
      fail "Node.js 20.19 or newer is needed, this is $("$node" --version)."
  fi

  mkdir -p "$root/usr/lib/pult-agent" "$root/etc/systemd/system"
  for file in pult-agent.mjs pult-agent.service; do
    curl -fsSL -o "$root/usr/lib/pult-agent/$file.new" "$server/agent/$file" || fail "$server/agent/$file cannot be fetched."
  done
  # Whole files take the place of the old ones, so that a running agent never sees half of one.
  mv "$root/usr/lib/pult-agent/pult-agent.mjs.new" "$root/usr/lib/pult-agent/pult-agent.mjs"
  if [ -z "$root" ]; then
    sed -i "s#^ExecStart=/usr/bin/node #ExecStart=$node #" "$root/usr/lib/pult-agent/pult-agent.service.new"
  fi
  mv "$root/usr/lib/pult-agent/pult-agent.service.new" "$root/etc/systemd/system/pult-agent.service"
  # Settings made by hand stay.
  [ -e "$root/etc/pult-agent.json" ] || printf '{ "server": "%s" }\n' "$server" >"$root/etc/pult-agent.json"

  [ -z "$root" ] || { echo "Installed into $root."; exit 0; }
  systemctl daemon-reload
  systemctl enable --quiet pult-agent
  systemctl restart pult-agent
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    if "$node" /usr/lib/pult-agent/pult-agent.mjs status; then exit 0; fi
  done
  fail 'the agent does not start: see journalctl -u pult-agent.'
}

install_agent
