/** What the script is told of the server. None of them has a quote: they are a host name, a port, a line of known_hosts. */
export interface InstallTarget {
  publicUrl: string;
  host: string;
  port: number;
  /** Type and base64. */
  hostKeyLine: string;
}

/** The script that connects a device by the SSH client it has: for POSIX sh, busybox included. */
export function createInstallScript({ publicUrl, host, port, hostKeyLine }: InstallTarget): string {
  return script
    .replaceAll('@SERVER_URL@', publicUrl)
    .replaceAll('@HOST@', host)
    .replaceAll('@PORT@', String(port))
    .replaceAll('@HOST_KEY@', hostKeyLine);
}

const script = String.raw`#!/bin/sh
# Connects this device to @SERVER_URL@ by its SSH client (OpenSSH, or dropbear from 2020.79).
#
#   sh ssh-install.sh [--serial NAME] [--http ADDRESS] [--ssh ADDRESS] [--forward PORT]...
#                     [--enrolment-key KEY] [--init systemd|openrc|procd|cron|none]
#   sh ssh-install.sh --uninstall
#
# --http 127.0.0.1:80, --ssh 127.0.0.1:22: what is reached; off leaves it out. --forward 8080: a named service.
# PULT_DIRECTORY (/etc/pult-ssh): key and settings. PULT_ROOT: service files are put under it, and no service is started.
set -e

HOST='@HOST@'
PORT='@PORT@'
HOST_KEY='@HOST_KEY@'
DIRECTORY=$PULT_DIRECTORY
[ -n "$DIRECTORY" ] || DIRECTORY=/etc/pult-ssh
ROOT=$PULT_ROOT
LOCALE=$LC_ALL
[ -n "$LOCALE" ] || LOCALE=$LC_CTYPE
[ -n "$LOCALE" ] || LOCALE=$LANG
TERMINAL=$TERM
set -u
SYSTEMD=$ROOT/etc/systemd/system/pult-ssh.service
INITD=$ROOT/etc/init.d/pult-ssh
SERIAL=
HTTP=127.0.0.1:80
SSH=127.0.0.1:22
FORWARDS=
KEY=
INIT=
UNINSTALL=

fail() {
  echo "ssh-install: $1" >&2
  exit 1
}
has() {
  command -v "$1" >/dev/null 2>&1
}
# Everything here ends up in a command line.
check() {
  case $2 in
    '' | *[!A-Za-z0-9.:-]*) fail "$1: '$2' cannot be used" ;;
  esac
}

while [ $# -gt 0 ]; do
  case $1 in
    --uninstall) UNINSTALL=yes ;;
    --serial | --http | --ssh | --forward | --enrolment-key | --enrollment-key | --init)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in
        --enrolment-key | --enrollment-key) KEY=$2 ;;
        *) check "$1" "$2" ;;
      esac
      case $1 in
        --serial) SERIAL=$2 ;;
        --http) HTTP=$2 ;;
        --ssh) SSH=$2 ;;
        --forward) FORWARDS="$FORWARDS -R $2:127.0.0.1:$2" ;;
        --init) INIT=$2 ;;
      esac
      shift
      ;;
    *) fail "unknown option $1" ;;
  esac
  shift
done

# The service manager, which knows nothing of files under another root.
manage() {
  [ -n "$ROOT" ] || "$@"
}
stop_loop() {
  if [ -f "$DIRECTORY/loop.pid" ]; then
    LOOP=$(cat "$DIRECTORY/loop.pid")
    rm -f "$DIRECTORY/loop.pid"
    # The loop ends its client with it.
    kill "$LOOP" 2>/dev/null || :
  fi
}
remove_cron() {
  has crontab || return 0
  (crontab -l 2>/dev/null || :) | grep -vF "$DIRECTORY/loop" | crontab - || :
}

if [ -n "$UNINSTALL" ]; then
  if [ -f "$SYSTEMD" ]; then
    manage systemctl disable --now pult-ssh.service || :
    rm -f "$SYSTEMD"
    manage systemctl daemon-reload || :
  fi
  if [ -f "$INITD" ]; then
    manage "$INITD" stop || :
    if has rc-update; then manage rc-update del pult-ssh || :; else manage "$INITD" disable || :; fi
    rm -f "$INITD"
  fi
  remove_cron
  stop_loop
  rm -rf "$DIRECTORY"
  echo 'Removed. The server keeps the controller until it is deleted there.'
  exit 0
fi

# Which client there is: on OpenWrt "ssh" is dropbear, too.
if has ssh && ssh -V 2>&1 | grep -qi openssh; then
  CLIENT=openssh
elif has dbclient; then
  CLIENT=dbclient
else
  fail 'there is no SSH client here: install OpenSSH or dropbear'
fi

if [ -z "$INIT" ]; then
  if [ -d /run/systemd/system ]; then INIT=systemd
  elif [ -x /sbin/openrc-run ]; then INIT=openrc
  elif [ -x /sbin/procd ]; then INIT=procd
  elif has crontab; then INIT=cron
  else INIT=none
  fi
fi
case $INIT in
  systemd | openrc | procd | cron | none) ;;
  *) fail "--init: $INIT is not known" ;;
esac

umask 077
mkdir -p "$DIRECTORY/.ssh" || fail "$DIRECTORY cannot be written"
if [ ! -f "$DIRECTORY/key" ]; then
  if [ $CLIENT = openssh ]; then ssh-keygen -q -t ed25519 -N '' -C pult -f "$DIRECTORY/key"
  else dropbearkey -t ed25519 -f "$DIRECTORY/key" >/dev/null 2>&1
  fi || fail 'no key could be made'
fi
# OpenSSH writes the port beside the host, dropbear does not.
printf '%s\n' "[$HOST]:$PORT $HOST_KEY" "$HOST $HOST_KEY" >"$DIRECTORY/.ssh/known_hosts"

NAME=device
[ -z "$SERIAL" ] || NAME="device+$SERIAL"
[ "$HTTP" = off ] || FORWARDS="-R pult-http:80:$HTTP $FORWARDS"
[ "$SSH" = off ] || FORWARDS="-R pult-ssh:22:$SSH $FORWARDS"
[ -n "$FORWARDS" ] || fail 'nothing is to be reached'
if [ $CLIENT = openssh ]; then
  OPTIONS="-F none -i $DIRECTORY/key -o IdentitiesOnly=yes -o IdentityAgent=none -o ServerAliveInterval=30"
  OPTIONS="$OPTIONS -o ServerAliveCountMax=3 -o ExitOnForwardFailure=yes -o StrictHostKeyChecking=yes"
  OPTIONS="$OPTIONS -o UserKnownHostsFile=$DIRECTORY/.ssh/known_hosts -o GlobalKnownHostsFile=/dev/null"
  OPTIONS="$OPTIONS -o ConnectTimeout=30 -p $PORT"
  PROGRAM=ssh
else
  OPTIONS="-i $DIRECTORY/key -K 30 -o ExitOnForwardFailure=yes -p $PORT"
  PROGRAM=dbclient
fi

cat >"$DIRECTORY/run" <<END
#!/bin/sh
HOME=$DIRECTORY
export HOME
exec $PROGRAM $OPTIONS -N $FORWARDS $NAME@$HOST
END
# For where nothing restarts a program: one of it at a time, and its client ends with it.
cat >"$DIRECTORY/loop" <<END
#!/bin/sh
if [ -f $DIRECTORY/loop.pid ] && kill -0 "\$(cat $DIRECTORY/loop.pid)" 2>/dev/null; then exit 0; fi
echo \$\$ >$DIRECTORY/loop.pid
CLIENT=
trap 'kill \$CLIENT 2>/dev/null; exit 0' TERM INT
while [ -f $DIRECTORY/run ]; do
  $DIRECTORY/run </dev/null >$DIRECTORY/log 2>&1 &
  CLIENT=\$!
  wait \$CLIENT
  sleep 10 &
  CLIENT=\$!
  wait \$CLIENT
done
END
chmod 700 "$DIRECTORY/run" "$DIRECTORY/loop"

# How the link is asked for: as a QR code as well where a terminal shows UTF-8 and tells its columns.
LINK=link
case $LOCALE in
  *[Uu][Tt][Ff]*8*)
    if [ -t 1 ] && [ "$TERMINAL" != dumb ] && SIZE=$(stty size 2>/dev/null </dev/tty); then LINK="link $(echo "$SIZE" | cut -d ' ' -f 2)"; fi
    ;;
esac
# The first login enrols the key; what it answers is the activation link.
enrol() {
  if [ -z "$KEY" ]; then
    HOME=$DIRECTORY $PROGRAM $OPTIONS -T "$NAME@$HOST" "$LINK" </dev/null
  elif [ $CLIENT = openssh ]; then
    printf '%s\n' "$KEY" >"$DIRECTORY/enrollment-key"
    printf '#!/bin/sh\ncat %s\n' "$DIRECTORY/enrollment-key" >"$DIRECTORY/askpass"
    chmod 700 "$DIRECTORY/askpass"
    HOME=$DIRECTORY DISPLAY=none SSH_ASKPASS=$DIRECTORY/askpass SSH_ASKPASS_REQUIRE=force \
      $PROGRAM $OPTIONS -T "$NAME@$HOST" "$LINK" </dev/null
  else
    HOME=$DIRECTORY $PROGRAM $OPTIONS -T "$NAME:$KEY@$HOST" "$LINK" </dev/null
  fi
}
ENROLLED=
if STATE=$(enrol 2>"$DIRECTORY/log"); then ENROLLED=yes; fi
rm -f "$DIRECTORY/enrollment-key" "$DIRECTORY/askpass"

case $INIT in
  systemd)
    mkdir -p "$(dirname "$SYSTEMD")"
    cat >"$SYSTEMD" <<END
[Unit]
Description=Connection of this device to Pult by SSH
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=$DIRECTORY/run
Restart=always
RestartSec=10
CapabilityBoundingSet=
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
ProtectHome=yes

[Install]
WantedBy=multi-user.target
END
    chmod 644 "$SYSTEMD"
    manage systemctl daemon-reload
    manage systemctl enable pult-ssh.service
    manage systemctl restart pult-ssh.service
    ;;
  openrc)
    mkdir -p "$(dirname "$INITD")"
    cat >"$INITD" <<END
#!/sbin/openrc-run
description="Connection of this device to Pult by SSH"
supervisor=supervise-daemon
command=$DIRECTORY/run
respawn_delay=10
respawn_max=0
depend() {
  use net
}
END
    chmod 755 "$INITD"
    manage rc-update add pult-ssh default
    manage "$INITD" restart
    ;;
  procd)
    mkdir -p "$(dirname "$INITD")"
    cat >"$INITD" <<END
#!/bin/sh /etc/rc.common
START=95
USE_PROCD=1
start_service() {
  procd_open_instance
  procd_set_param command $DIRECTORY/run
  procd_set_param respawn 0 10 0
  procd_set_param stdout 1
  procd_set_param stderr 1
  procd_close_instance
}
END
    chmod 755 "$INITD"
    manage "$INITD" enable
    manage "$INITD" restart
    ;;
  cron)
    # Each minute, since busybox knows no @reboot; a loop that runs already lets the other one go.
    remove_cron
    (crontab -l 2>/dev/null || :; echo "* * * * * $DIRECTORY/loop") | crontab -
    stop_loop
    "$DIRECTORY/loop" </dev/null >/dev/null 2>&1 &
    ;;
  none) echo "Nothing here starts programs. Run this at each start: $DIRECTORY/loop" ;;
esac

if [ -n "$ENROLLED" ]; then
  printf '%s\n' "$STATE"
else
  echo 'The server could not be reached or did not let this device in yet; it goes on trying. The client said:' >&2
  cat "$DIRECTORY/log" >&2
fi
`;
