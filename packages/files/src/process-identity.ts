import { readFile, readlink } from 'node:fs/promises';

/** Names one process for good: a pid alone is used again, after a restart of the machine or of a container at once. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from the machine's start to the process's, field 22 of /proc/<pid>/stat. */
  readonly startTime: string;
  readonly bootId: string;
  /** Pids of another namespace (another container) say nothing here. */
  readonly pidNamespace: string;
}

export async function readOwnIdentity(): Promise<ProcessIdentity> {
  const { bootId, pidNamespace } = await readScope();
  return {
    pid: process.pid,
    startTime: (await readStat(process.pid))?.startTime ?? '',
    bootId,
    pidNamespace,
  };
}

/** `elsewhere`: a process of another container, or of this machine before its restart; /proc cannot tell. */
export async function findOut(identity: ProcessIdentity): Promise<'alive' | 'dead' | 'elsewhere'> {
  const scope = await readScope();
  if (scope.bootId !== identity.bootId || scope.pidNamespace !== identity.pidNamespace) return 'elsewhere';
  const stat = await readStat(identity.pid);
  if (stat === undefined) return isHidden(identity.pid) ? 'alive' : 'dead';
  const ended = stat.state === 'Z' || stat.state === 'X';
  return !ended && stat.startTime === identity.startTime ? 'alive' : 'dead';
}

async function readScope(): Promise<{ bootId: string; pidNamespace: string }> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return { bootId: bootId.trim(), pidNamespace: await readlink('/proc/self/ns/pid') };
}

async function readStat(pid: number): Promise<{ state: string; startTime: string } | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The second field is the name in brackets and may itself hold brackets and spaces (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** /proc mounted with hidepid shows nothing of another user's process, but a signal to it is refused, not unknown. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
