import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../processes.mjs';

/** What a process that tries hostile texts says: what it is about to try, and what was slow in it. */
export interface Trial {
  where: string;
  slow?: unknown;
}

export interface Trials {
  /** All that was tried, in its order. */
  tried: string[];
  /** With the last that was tried when the process did not end. */
  slow: Trial[];
  exitCode: number | null;
}

/** Has a process of its own try hostile texts: what takes for ever can only be ended from outside. */
export async function runTrials(script: string, { timeoutMs }: { timeoutMs: number }): Promise<Trials> {
  const child = fork(join(root, script), {
    execArgv: ['--import', 'tsx'],
    signal: AbortSignal.timeout(timeoutMs),
    killSignal: 'SIGKILL',
  });
  const tried: string[] = [];
  const slow: Trial[] = [];
  child.on('message', (trial: Trial) => {
    if (trial.slow === undefined) tried.push(trial.where);
    else slow.push(trial);
  });
  child.on('error', () => slow.push({ where: tried.at(-1) ?? script, slow: 'does not end' }));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { tried, slow, exitCode };
}
