import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { poll } from './poll.ts';
import { type CommandResult, type RunCommandOptions, runCommand } from './run-command.ts';
import { RunningProcess } from './running-process.ts';
import { makeTempDir } from './temp-dir.ts';

/** A machine of its own: this one's files under a layer that is thrown away, this one's network, and processes of its own. */
export interface Container extends AsyncDisposable {
  /** By `sh -c` as root of the container. */
  run(script: string, options?: RunCommandOptions): Promise<CommandResult>;
  stop(): Promise<void>;
}

interface ContainerOptions {
  /** With systemd; otherwise nothing runs in it but what is started. */
  isBooted: boolean;
  /** The files of another system in place of this machine's own, as `findDebianRoot` has them. */
  base?: string;
  /** By `sh -c` before it starts, with its files in $ROOT. */
  prepare?: string;
  /** Further ones of systemd-nspawn. */
  options?: readonly string[];
}

/** Why there can be none on this machine; undefined where there can. */
export function findContainerObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may start one';
  if (!existsSync('/usr/bin/systemd-nspawn')) return 'systemd-nspawn is missing';
  return existsSync('/lib/systemd/systemd') ? undefined : 'systemd is missing';
}

const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Boots as a device does: none of this machine's own services, nor its Node.js, is there. */
export async function startContainer({
  isBooted,
  base = '/',
  prepare = ':',
  options = [],
}: ContainerOptions): Promise<Container> {
  const folder = await makeTempDir('container');
  // Mounts of this process and those it starts alone: they are gone with it, however it ends.
  const script = `
    mount -t tmpfs tmpfs "$1" && mkdir "$1/upper" "$1/work" "$1/root" || exit 1
    mount -t overlay overlay -o "lowerdir=$3,upperdir=$1/upper,workdir=$1/work" "$1/root" || exit 1
    rm -rf "$1"/root/etc/systemd/system/*.wants "$1"/root/usr/bin/node "$1"/root/usr/local/bin/node
    rm -rf "$1"/root/etc/cron.*/* "$1"/root/etc/crontab "$1"/root/var/spool/cron/crontabs/*
    : >"$1/root/etc/machine-id"
    # Its /tmp is this machine's, and stays so when systemd starts: the repository may be there.
    export SYSTEMD_NSPAWN_TMPFS_TMP=0
    mkdir -p "$1/root/etc/tmpfiles.d" && ln -sf /dev/null "$1/root/etc/tmpfiles.d/tmp.conf"
    ROOT="$1/root" sh -c "$4" || exit 1
    root=$1 name=$2
    shift 4
    exec systemd-nspawn -q -D "$root/root" --register=no --keep-unit --resolv-conf=off --timezone=off \\
      --machine="$name" --console=pipe "$@" ${isBooted ? '--boot' : '--as-pid2 sleep infinity'}`;
  const name = `pult-${process.pid}-${Math.trunc(performance.now())}`;
  const running = new RunningProcess({
    name: 'container',
    command: 'unshare',
    args: ['--mount', 'sh', '-c', script, 'container', folder.path, name, base, prepare, ...options],
  });
  const findInit = async () => {
    if (!running.isRunning) throw new Error(`the container ended\n${running.tail()}`);
    // Before that it is the shell, whose children are mount and mkdir.
    const program = await readFile(`/proc/${running.pid}/comm`, 'utf8');
    if (program.trim() !== 'systemd-nspawn') return undefined;
    const children = await readFile(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8');
    const [init] = children.trim().split(' ');
    return init;
  };
  const stop = async () => {
    // Its first process takes all others along; nspawn, killed alone, leaves them behind.
    const init = await findInit().catch(() => undefined);
    if (init) process.kill(Number(init), 'SIGKILL');
    await running.kill();
    await folder.remove();
  };
  const run = async (command: string, options?: RunCommandOptions) => {
    const init = await findInit();
    if (!init) throw new Error('the container has not begun');
    const inside = ['-t', init, '-m', '-u', '-i', '-n', '-p', '-C'];
    const environment = ['env', '-i', path, 'HOME=/root', 'LANG=C.UTF-8'];
    return runCommand('nsenter', [...inside, ...environment, 'sh', '-c', command], options);
  };
  const isUp = async () => {
    if (!(await findInit())) return false;
    const probe = isBooted
      ? 'systemctl is-system-running'
      : 'test "$(cat /proc/1/comm)" = "(sd-stubinit)" && echo running';
    // Degraded: something of this machine's cannot be started in a container.
    return /^(running|degraded)/.test((await run(probe)).stdout);
  };
  try {
    await poll(isUp, { what: 'the container is up', timeoutMs: 120_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { run, stop, [Symbol.asyncDispose]: stop };
}
