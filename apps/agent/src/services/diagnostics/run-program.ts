import { spawn } from 'node:child_process';

export interface ProgramOptions {
  args: readonly string[];
  timeoutMs: number;
  /** Of the output only so much of the end is kept. */
  maxBytes: number;
  signal: AbortSignal;
  cwd?: string;
}

/** How a program went: `outcome` is in words, for people. */
export interface ProgramResult {
  output: Buffer;
  outcome: string;
  isMissing: boolean;
  isSuccess: boolean;
}

/**
 * Runs a program with what it has started, and ends all of it when its time is over or nobody waits any more. Never
 * rejects. It gets nothing of the agent's own environment, where secrets may be.
 */
export function runProgram(program: string, options: ProgramOptions): Promise<ProgramResult> {
  const { args, timeoutMs, maxBytes, signal, cwd } = options;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isCut = false;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', PAGER: 'cat' },
      ...(cwd ? { cwd } : {}),
    });
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      while (chunks[0] && size - chunks[0].length >= maxBytes) {
        size -= chunks.shift()?.length ?? 0;
        isCut = true;
      }
    };
    const finish = (outcome: string, flags: { isMissing?: boolean; isSuccess?: boolean } = {}) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      const output = Buffer.concat(chunks);
      resolve({
        output: output.subarray(Math.max(0, output.length - maxBytes)),
        outcome: isCut ? `${outcome}; only the end of the output is here` : outcome,
        isMissing: flags.isMissing ?? false,
        isSuccess: flags.isSuccess ?? false,
      });
    };
    const kill = (outcome: string) => {
      try {
        // The whole group: a shell's children would go on.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
      finish(outcome);
    };
    const onAbort = () => kill('broken off');
    const timer = setTimeout(() => kill(`ended after ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error: NodeJS.ErrnoException) => {
      finish(`not run: ${error.code ?? error.message}`, { isMissing: error.code === 'ENOENT' });
    });
    child.once('close', (code, by) => {
      finish(code === null ? `ended by ${by}` : `exit code ${code}`, { isSuccess: code === 0 });
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
