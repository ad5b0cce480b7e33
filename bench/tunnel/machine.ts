import { readFile } from 'node:fs/promises';
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
