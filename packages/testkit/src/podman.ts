import { existsSync } from 'node:fs';
import { type CommandResult, runCommand } from './run-command.ts';
import { makeTempDir } from './temp-dir.ts';

/** podman with a store of its own, which is thrown away. */
export interface Podman extends AsyncDisposable {
  run(...args: string[]): Promise<CommandResult>;
  /** What it prints; throws where it does not succeed. */
  must(...args: string[]): Promise<string>;
}

/** Why there is none on this machine; undefined where there is. */
export function findPodmanObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may start one';
  const missing = ['podman', 'crun', 'mmdebstrap', 'unshare', 'busybox'].find(
    (name) => !existsSync(`/usr/bin/${name}`),
  );
  return missing && `${missing} is missing`;
}

/** A machine with both hierarchies of control groups is taken for one with the old: crun does not manage with both. */
const script = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"';

/** Below what podman gives: where this machine itself is in a container, nobody may raise them. */
const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];

export async function openPodman(): Promise<Podman> {
  const folder = await makeTempDir('podman');
  const store = ['root', 'runroot', 'tmpdir'].map((name) => `--${name}=${folder.path}/${name}`);
  const run = (command = '', ...args: string[]) => {
    // Health is asked by hand: its timer is systemd's.
    const more = command === 'run' ? [...limits, '--health-interval=disable'] : [];
    const whole = [...store, '--cgroup-manager=cgroupfs', command, ...more, ...args];
    return runCommand('unshare', ['--mount', 'sh', '-c', script, 'podman', ...whole], { timeoutMs: 180_000 });
  };
  const must = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    if (code !== 0) throw new Error(`podman ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
    return stdout;
  };
  const dispose = async () => {
    await run('rm', '--force', '--all', '--time=10');
    await folder.remove();
  };
  return { run, must, [Symbol.asyncDispose]: dispose };
}
