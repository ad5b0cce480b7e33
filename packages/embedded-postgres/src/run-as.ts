import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

/** What PostgreSQL's programs see of our environment: nothing, for PG* and LC_* variables change what they do. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', HOME: '/' } as const;

/** Runs a short program as the database's user. `code` is null when it could not be started or was killed. */
export function runAs(
  account: Account,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...account.switchTo,
      cwd: '/',
      env: { ...cleanEnvironment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Not spawn's own timeout: Node 20 leaves its timer running when the program cannot be started.
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const end = (code: number | null) => {
      clearTimeout(timer);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output = error.message;
      end(null);
    });
    child.once('close', end);
  });
}

/** Whether the database's user can enter a folder, as the kernel sees it (modes, ACLs, mounts). */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  const { code } = await runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder]);
  return code === 0;
}
