import { readFile } from 'node:fs/promises';
import { availableParallelism, release, totalmem } from 'node:os';
import { version } from '../version.ts';

/** On what the server runs. */
export async function describeVersions(): Promise<Record<string, unknown>> {
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const [, system] = /^PRETTY_NAME="?([^"\n]*)/m.exec(osRelease) ?? [];
  return {
    pult: version,
    node: process.version,
    system: system ?? process.platform,
    kernel: release(),
    architecture: process.arch,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    time: new Date().toISOString(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
