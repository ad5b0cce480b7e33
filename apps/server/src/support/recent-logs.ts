import { execFile } from 'node:child_process';
import { open, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findLockOwner } from '@pult/files';

export interface RecentLog {
  name: string;
  text: string;
}

/** Of each log, in bytes, and of a journal in lines. */
const longestLog = 5_000_000;
const journalLines = 20_000;

/**
 * The last lines wherever the server’s output went: the file of `npm start`, the file that its output was sent to, the
 * journal of its unit. Empty where nothing of it is to be found.
 */
export async function readRecentLogs(dataDir: string): Promise<RecentLog[]> {
  const found: RecentLog[] = [];
  for (const name of ['start.log', 'start.log.1']) {
    const text = await readEnd(join(dataDir, name));
    if (text !== undefined) found.push({ name, text });
  }
  const owner = await findLockOwner(join(dataDir, 'server.lock'));
  if (!owner) return found;
  const output = await readEnd(`/proc/${owner.pid}/fd/1`);
  if (output !== undefined) found.push({ name: 'output.log', text: output });
  const journal = await readJournal(owner.pid);
  if (journal !== undefined) found.push({ name: 'journal.log', text: journal });
  return found;
}

/** Of a file that is one: a pipe or a terminal would be waited for. */
async function readEnd(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path).then((found) => (found.isFile() ? found : { size: 0 }));
    if (size === 0) return undefined;
    const file = await open(path, 'r');
    try {
      const length = Math.min(size, longestLog);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const text = buffer.toString('utf8', 0, bytesRead);
      // The first line may be half of one.
      return size > length ? text.slice(text.indexOf('\n') + 1) : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function readJournal(pid: number): Promise<string | undefined> {
  try {
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8');
    const names = groups.split('\n').map((line) => line.split('/').at(-1) ?? '');
    const unit = names.find((name) => name.endsWith('.service'));
    // A server that somebody has started by hand is in the unit of their login.
    if (unit === undefined || unit.startsWith('user@') || !(await isInJournal(pid))) return undefined;
    const args = [
      '--unit',
      unit,
      '--lines',
      String(journalLines),
      '--output',
      'cat',
      '--no-pager',
      '--quiet',
    ];
    const limits = { timeout: 20_000, maxBuffer: 64 * 2 ** 20 };
    const { stdout } = await promisify(execFile)('journalctl', args, limits);
    return stdout === '' ? undefined : stdout.slice(-longestLog);
  } catch {
    return undefined;
  }
}

/** The journal takes output by a socket. */
async function isInJournal(pid: number): Promise<boolean> {
  return (await readlink(`/proc/${pid}/fd/1`)).startsWith('socket:');
}
