import { readdir, readFile } from 'node:fs/promises';
import { cpus, loadavg, release, type as systemName, totalmem } from 'node:os';
import { runCommand } from '@pult/testkit';

/** What has to stand beside every published figure. */
export async function describeMachine(): Promise<string> {
  // OpenSSH writes its version to stderr.
  const { stderr } = await runCommand('ssh', ['-V']);
  const processors = cpus();
  return [
    `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB memory, ${systemName()} ${release()}, load before the start ${loadavg()[0]?.toFixed(1)}`,
    `Node ${process.version}, ${stderr.trim().split(',')[0]}`,
  ].join('\n');
}

/** Resident memory in MiB. */
export async function readResidentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Milliseconds that a process has computed: its main thread, and all its others together. */
export async function readThreadTimes(pid: number): Promise<{ main: number; others: number }> {
  const times = { main: 0, others: 0 };
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    // The first figure is the time on a processor, in nanoseconds; a thread may have ended meanwhile.
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
    times[thread === String(pid) ? 'main' : 'others'] += Number(text.split(' ')[0]) / 1e6;
  }
  return times;
}
