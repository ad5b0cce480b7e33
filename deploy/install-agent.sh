#!/bin/sh
# Installs the Pult agent on this controller, or brings it up to date. Run as root:
#   curl -fsSL @SERVER_URL@/agent/install.sh | sh
#   curl -fsSL @SERVER_URL@/agent/install.sh | sh -s -- [--init systemd|openrc|procd|cron] [--own-node] [--enrolment-key KEY]
#   curl -fsSL @SERVER_URL@/agent/install.sh | sh -s -- --uninstall
# --own-node: the server's Node.js also where the machine has one that is new enough.
# --enrolment-key (or --enrollment-key): the key of an organization, by which this controller claims itself; also for one that is installed already.
# PULT_ROOT=/mnt/image installs into the file system of a device image instead and starts nothing; PULT_ARCH=x64, arm64 or
# armv7l puts the server's Node.js into it.
set -eu

server='@SERVER_URL@'
# Processor, version and SHA-256 of the Node.js that this server hands out, a line each.
runtimes='@NODE_RUNTIMES@'
root="${PULT_ROOT:-}"
arch="${PULT_ARCH:-}"
init=
own_node=
enrollment_key=
uninstall=
home=/usr/lib/pult-agent
state=/var/lib/pult-agent
config=/etc/pult-agent.json
unit=/etc/systemd/system/pult-agent.service
account=/usr/lib/sysusers.d/pult-agent.conf
script=/etc/init.d/pult-agent

fail() {
  echo "pult-agent: $1" >&2
  exit 1
}
has() {
  command -v "$1" >/dev/null 2>&1
}
fetch() {
  if has curl; then curl -fsSL -o "$2" "$server/agent/$1"
  elif has wget; then wget -q -O "$2" "$server/agent/$1"
  else fail 'curl or wget is needed.'
  fi || fail "$server/agent/$1 cannot be fetched."
}

find_arch() {
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    armv7l | armv8l) arch=armv7l ;;
    *) arch= ;;
  esac
  # A 64-bit kernel below a 32-bit system, as on many boards.
  if [ "$arch" = arm64 ] && [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" = 32 ]; then arch=armv7l; fi
}
is_new_enough() {
  "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 18 || (a === 18 && b >= 19) ? 0 : 1)' 2>/dev/null
}
# Before it takes the place of one that runs.
try_node() {
  ! is_new_enough "$1" || return 0
  why="$("$1" --version 2>&1 | tail -n 1)"
  rm -f "$home/node.new"
  case $why in
    *libatomic*) fail "libatomic.so.1 is missing, without which the Node.js of the server does not start: install it (Debian: apt-get install libatomic1) and run this once more, or connect by SSH ($server/agent/ssh-install.sh)." ;;
  esac
  fail "the Node.js of the server does not run here (glibc 2.28 or newer is needed): $why"
}
unpack() {
  if has xz; then xz -dc "$1"
  elif has unxz; then unxz -c "$1"
  elif has python3; then python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), sys.stdout.buffer)' "$1"
  else fail 'xz is needed to unpack Node.js: install xz-utils, or Node.js 18.19 or newer.'
  fi
}
# The Node.js of the machine, otherwise the server's own; its path in $node.
find_node() {
  node=/usr/bin/node
  if [ -z "$root" ] && [ -z "$own_node" ]; then
    node="$(command -v node || :)"
    [ -z "$node" ] || ! is_new_enough "$node" || return 0
    # Of an installation before this one.
    node=
  elif [ -n "$root" ] && [ -z "$arch" ]; then
    return 0
  fi
  [ -n "$arch" ] || find_arch
  line="$(printf '%s\n' "$runtimes" | grep "^$arch " || :)"
  if [ -z "$arch" ] || [ -z "$line" ]; then
    fail "Node.js 18.19 or newer is missing, and this server has none for $(uname -m): install it, or connect by SSH ($server/agent/ssh-install.sh)."
  fi
  if [ -z "$root" ] && ls /lib/ld-musl-* >/dev/null 2>&1; then
    fail 'the Node.js of the server is for glibc, this system has musl: install its own (apk add nodejs), or connect by SSH.'
  fi
  sum="${line##* }"
  node=$home/node
  if [ "$(sha256sum "$root$node" 2>/dev/null | cut -d ' ' -f 1)" != "$sum" ]; then
    fetch "node/$arch.xz" "$root$home/node.xz"
    unpack "$root$home/node.xz" >"$root$home/node.new" || fail 'Node.js cannot be unpacked.'
    rm -f "$root$home/node.xz"
    if [ "$(sha256sum "$root$home/node.new" | cut -d ' ' -f 1)" != "$sum" ]; then
      rm -f "$root$home/node.new"
      fail 'the Node.js that came is not the one that was pinned: nothing was installed.'
    fi
    chmod 755 "$root$home/node.new"
    [ -n "$root" ] || try_node "$home/node.new"
    mv "$root$home/node.new" "$root$node"
  fi
  [ -n "$root" ] || try_node "$node"
  if [ -n "$root" ] && [ "$arch" = armv7l ] && ! find "$root/lib/" "$root/usr/lib/" -name 'libatomic.so.1*' 2>/dev/null | grep -q .; then
    echo "pult-agent: $root has no libatomic.so.1, without which this Node.js does not start: put it there (Debian: libatomic1)." >&2
  fi
}

find_init() {
  [ -z "$init" ] || return 0
  if [ -n "$root" ] || [ -d /run/systemd/system ]; then init=systemd
  elif [ -x /sbin/openrc-run ]; then init=openrc
  elif [ -x /sbin/procd ]; then init=procd
  elif has crontab; then init=cron
  else fail 'neither systemd, OpenRC, procd nor cron is here; start the agent by hand, see the documentation.'
  fi
}

# An account without a login and without rights; where none can be made the agent runs as root.
make_account() {
  user=pult-agent
  if [ "$init" = systemd ]; then
    mkdir -p "$root${account%/*}"
    echo 'u pult-agent - "Pult agent" /var/lib/pult-agent' >"$root$account"
    [ -n "$root" ] || systemd-sysusers "$account"
  fi
  if [ -n "$root" ]; then
    make_image_account
  elif [ "$init" = systemd ]; then :
  elif id pult-agent >/dev/null 2>&1; then :
  elif has useradd; then useradd --system --user-group --no-create-home --home-dir "$state" --shell /bin/false pult-agent
  elif has adduser && has addgroup; then addgroup -S pult-agent && adduser -S -D -H -h "$state" -s /bin/false -G pult-agent pult-agent
  else
    user=root
    echo 'pult-agent: no account can be made here (useradd or adduser is missing): the agent will run as root.' >&2
  fi
}

# Never on the machine that makes the image. systemd makes it at the first start as well, unless its root is read-only.
make_image_account() {
  ! grep -qs '^pult-agent:' "$root/etc/passwd" || return 0
  if [ -e "$root/etc/passwd" ] && has useradd &&
    useradd --prefix "$root" --system --user-group --no-create-home --home-dir "$state" --shell /bin/false pult-agent; then return 0; fi
  [ "$init" != systemd ] || return 0
  user=root
  echo "pult-agent: no account can be made in $root: the agent will run as root." >&2
}

# Settings made by hand stay. The key goes by the environment, which other accounts do not see.
add_key() {
  runner="$node"
  [ -z "$root" ] || runner="$(command -v node || :)"
  [ -n "$runner" ] || fail "Node.js is needed here to add the key to $root$config: add \"enrollmentKey\" by hand."
  KEY="$enrollment_key" "$runner" -e '
    const fs = require("fs");
    const settings = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
    fs.writeFileSync(process.argv[1], JSON.stringify({ ...settings, enrollmentKey: process.env.KEY }, null, 2) + "\n");
  ' "$root$config" || fail "the key cannot be added to $root$config."
}
write_settings() {
  if [ ! -e "$root$config" ]; then
    (
      [ -n "$root" ] || umask 077
      key=
      [ -z "$enrollment_key" ] || key=", \"enrollmentKey\": \"$enrollment_key\""
      printf '{ "server": "%s"%s }\n' "$server" "$key" >"$root$config"
    )
  elif [ -n "$enrollment_key" ]; then
    add_key
  fi
  if [ -z "$root" ]; then
    # They may hold a password of a proxy.
    if [ $user = root ]; then chmod 600 "$config"; else chgrp pult-agent "$config" && chmod 640 "$config"; fi
  fi
}

# Starts the agent where no systemd does, and the command for people.
write_programs() {
  options='--max-semi-space-size=1 --max-old-space-size=48 --initial-old-space-size=24'
  cat >"$root$home/start" <<END
#!/bin/sh
# Begins as root, because only root may read the serial number of some boards; the agent itself is $user.
PULT_STATE_DIR=$state
MALLOC_ARENA_MAX=1
PULT_BOARD_SERIAL="\$(wb-gen-serial -s 2>/dev/null || :)"
export PULT_STATE_DIR MALLOC_ARENA_MAX PULT_BOARD_SERIAL
if [ ! -d $state ]; then mkdir -p $state && chmod 700 $state && chown $user $state; fi
umask 077
if [ $user = root ]; then exec $home/launcher $node $options
elif command -v setpriv >/dev/null && setpriv --version >/dev/null 2>&1; then
  exec setpriv --reuid $user --regid $user --init-groups --no-new-privs $home/launcher $node $options
else exec su -s /bin/sh $user -c 'exec $home/launcher $node $options'
fi
END
  cat >"$root$home/agents" <<END
#!/bin/sh
# The processes of the agent and its launcher, a line each; not those of containers on this machine.
cd /proc
for process in [0-9]*; do
  case \$({ tr '\\0' ' ' <"\$process/cmdline"; } 2>/dev/null) in
    *" $home/launcher "* | *" $home/pult-agent.mjs run "* | *" $state/slots/"[ab]".mjs run "*) [ "\$(readlink "\$process/ns/pid")" != "\$(readlink self/ns/pid)" ] || echo "\$process" ;;
  esac
done
END
  cat >"$root$home/loop" <<END
#!/bin/sh
# Called each minute by cron: one loop at a time, and its agent ends with it.
if [ -f /run/pult-agent.pid ] && kill -0 "\$(cat /run/pult-agent.pid)" 2>/dev/null; then exit 0; fi
echo \$\$ >/run/pult-agent.pid
agent=
trap 'kill \$agent 2>/dev/null; rm -f /run/pult-agent.pid; exit 0' TERM INT
# Of a loop that was killed: two agents of one controller would take the link from each other.
for process in \$($home/agents); do kill -9 "\$process" 2>/dev/null; done
while [ -f $home/start ]; do
  $home/start </dev/null >>/run/pult-agent.log 2>&1 &
  agent=\$!
  wait \$agent
  # Not more than it takes to see why it ended.
  tail -n 200 /run/pult-agent.log >/run/pult-agent.log.new && mv /run/pult-agent.log.new /run/pult-agent.log
  sleep 5 &
  agent=\$!
  wait \$agent
done
END
  mkdir -p "$root/usr/bin"
  cat >"$root/usr/bin/pult-agent" <<END
#!/bin/sh
# pult-agent status, doctor, enroll, unlink: as the account of the agent, so that what they write stays its own.
PULT_STATE_DIR=\${PULT_STATE_DIR:-$state}
export PULT_STATE_DIR
if [ "\$(id -u)" = 0 ] && [ $user != root ] && command -v setpriv >/dev/null && setpriv --version >/dev/null 2>&1; then
  exec setpriv --reuid $user --regid $user --init-groups $node $home/pult-agent.mjs "\$@"
fi
exec $node $home/pult-agent.mjs "\$@"
END
  chmod 755 "$root$home/start" "$root$home/agents" "$root$home/loop" "$root/usr/bin/pult-agent"
}

write_openrc() {
  mkdir -p "$root/etc/init.d"
  cat >"$root$script" <<END
#!/sbin/openrc-run
description="Pult agent: link to the Pult server"
supervisor=supervise-daemon
command=$home/start
respawn_delay=5
respawn_max=0
depend() {
  use net
}
END
  chmod 755 "$root$script"
}
write_procd() {
  mkdir -p "$root/etc/init.d"
  cat >"$root$script" <<END
#!/bin/sh /etc/rc.common
START=95
USE_PROCD=1
start_service() {
  procd_open_instance
  procd_set_param command $home/start
  procd_set_param respawn 0 5 0
  procd_set_param stdout 1
  procd_set_param stderr 1
  procd_close_instance
}
END
  chmod 755 "$root$script"
}

remove_cron() {
  has crontab || return 0
  (crontab -l 2>/dev/null || :) | grep -vF "$home/loop" | crontab - || :
}
stop_loop() {
  if [ -f /run/pult-agent.pid ]; then
    loop=$(cat /run/pult-agent.pid)
    kill "$loop" 2>/dev/null || :
    for _ in 1 2 3 4 5; do kill -0 "$loop" 2>/dev/null || break; sleep 1; done
    rm -f /run/pult-agent.pid
  fi
}
# Its account cannot be removed before its last process has ended.
end_agents() {
  [ -x $home/agents ] || return 0
  # What started them has told them to end.
  for _ in 1 2 3 4 5; do
    [ -n "$($home/agents)" ] || return 0
    sleep 1
  done
  for process in $($home/agents); do kill -9 "$process" 2>/dev/null || :; done
  sleep 1
}

# systemd would do it at the first start, unless the root of the image is read-only.
enable_in_image() {
  case $init in
    systemd)
      mkdir -p "$root${unit%/*}/multi-user.target.wants"
      ln -sf ../pult-agent.service "$root${unit%/*}/multi-user.target.wants/pult-agent.service"
      ;;
    openrc)
      mkdir -p "$root/etc/runlevels/default"
      ln -sf "$script" "$root/etc/runlevels/default/pult-agent"
      ;;
    procd)
      mkdir -p "$root/etc/rc.d"
      ln -sf ../init.d/pult-agent "$root/etc/rc.d/S95pult-agent"
      ;;
    cron) echo "pult-agent: put this line into the crontab of root in $root: * * * * * $home/loop" >&2 ;;
  esac
}
start_agent() {
  case $init in
    systemd)
      systemctl daemon-reload
      systemctl enable --quiet pult-agent
      systemctl restart pult-agent
      ;;
    openrc)
      rc-update -q add pult-agent default
      "$script" restart
      ;;
    procd)
      "$script" enable
      "$script" restart
      ;;
    cron)
      # Each minute, since busybox knows no @reboot; a loop that runs already lets the other one go.
      stop_loop
      end_agents
      remove_cron
      (crontab -l 2>/dev/null || :; echo "* * * * * $home/loop") | crontab -
      "$home/loop" </dev/null >/dev/null 2>&1 &
      ;;
  esac
}

remove_agent() {
  if [ -e "$root$unit" ]; then
    [ -n "$root" ] || systemctl disable --quiet --now pult-agent || :
    rm -f "$root$unit" "$root/etc/systemd/system/multi-user.target.wants/pult-agent.service"
    [ -n "$root" ] || systemctl daemon-reload || :
  fi
  if [ -e "$root$script" ]; then
    if [ -z "$root" ]; then
      "$script" stop || :
      if has rc-update; then rc-update -q del pult-agent || :; else "$script" disable || :; fi
    fi
    rm -f "$root$script"
    [ -z "$root" ] || rm -f "$root/etc/runlevels/default/pult-agent" "$root/etc/rc.d/S95pult-agent"
  fi
  if [ -z "$root" ]; then
    remove_cron
    stop_loop
    end_agents
  fi
  rm -rf "$root$home" "$root$state" "$root$config" "$root$account" "$root/usr/bin/pult-agent"
  if [ -n "$root" ]; then
    ! grep -qs '^pult-agent:' "$root/etc/passwd" || userdel --prefix "$root" pult-agent || :
    ! grep -qs '^pult-agent:' "$root/etc/group" || groupdel --prefix "$root" pult-agent || :
  elif id pult-agent >/dev/null 2>&1; then
    if has userdel; then userdel pult-agent || :; elif has deluser; then deluser pult-agent || :; fi
  fi
  echo 'Removed, with the key of this machine. The server keeps the controller until it is deleted there.'
}

# Everything is inside functions, so that a download that was cut off runs nothing.
install_agent() {
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) uninstall=yes ;;
      --own-node) own_node=yes ;;
      --init)
        [ $# -ge 2 ] || fail '--init needs a value'
        init=$2
        shift
        ;;
      --enrolment-key | --enrollment-key)
        [ $# -ge 2 ] || fail "$1 needs a value"
        enrollment_key=$2
        shift
        ;;
      *) fail "unknown option $1" ;;
    esac
    shift
  done
  [ "$(id -u)" = 0 ] || fail 'run this as root (with sudo).'
  if [ -n "$uninstall" ]; then
    remove_agent
    exit 0
  fi
  case $init in
    '' | systemd | openrc | procd | cron) ;;
    *) fail "--init: $init is not known" ;;
  esac
  case $enrollment_key in
    *[!A-Za-z0-9._~+/=-]*) fail "--enrollment-key has characters that no key of an organization has: write another one into $config." ;;
  esac
  find_init
  umask 022
  if ! mkdir -p "$root$home" "$root/etc" 2>/dev/null || [ ! -w "$root$home" ] || [ ! -w "$root/etc" ]; then
    fail "$root/usr/lib and $root/etc cannot be written. Where the root is read-only: mount -o remount,rw / for as long as this takes, or install into the image of the device (PULT_ROOT)."
  fi
  # Where a data partition is mounted over it, on a root that cannot be written later.
  [ -z "$root" ] || mkdir -p "$root$state"
  find_node
  # Whole files take the place of the old ones, so that a running agent never sees half of one.
  fetch pult-agent.mjs "$root$home/pult-agent.mjs.new"
  fetch launcher "$root$home/launcher.new"
  chmod 755 "$root$home/launcher.new"
  mv "$root$home/launcher.new" "$root$home/launcher"
  if [ "$init" = systemd ]; then
    mkdir -p "$root${unit%/*}"
    fetch pult-agent.service "$root$home/unit.new"
    sed "s#^\(ExecStart=[^ ]*\) /usr/bin/node #\1 $node #" "$root$home/unit.new" >"$root$unit.new"
    rm "$root$home/unit.new"
    mv "$root$unit.new" "$root$unit"
  fi
  mv "$root$home/pult-agent.mjs.new" "$root$home/pult-agent.mjs"
  # What came as an update before is not started instead of it.
  rm -rf "$root$state/slots"
  make_account
  write_settings
  write_programs
  case $init in
    openrc) write_openrc ;;
    procd) write_procd ;;
  esac
  if [ -n "$root" ]; then
    enable_in_image
    echo "Installed into $root."
    exit 0
  fi
  start_agent
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 1
    if shown="$(/usr/bin/pult-agent status)" && case $shown in *starting* | *enrolling*) false ;; esac then
      # By itself once more: to a terminal it shows the link as a QR code as well.
      /usr/bin/pult-agent status || printf '%s\n' "$shown"
      exit 0
    fi
  done
  if [ "$init" = systemd ]; then fail 'the agent does not connect: see journalctl -u pult-agent, and ask pult-agent doctor.'; fi
  fail 'the agent does not connect: see the log of the system or /run/pult-agent.log, and ask pult-agent doctor.'
}

install_agent "$@"
