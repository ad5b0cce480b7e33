import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@pult/embedded-postgres';
import { findLeftovers } from '@pult/embedded-postgres/testing';
import { expect } from 'vitest';
import { type Former, log, look, password } from './former.fixture.ts';

const fixture = fileURLToPath(new URL('move-process.fixture.ts', import.meta.url));

/** A server's start that moves the database; `diesAt`: the words of its log at which it kills itself. */
export async function startMove(dataDir: string, diesAt = ''): Promise<ChildProcess> {
  const child = fork(fixture, [dataDir, password, diesAt], { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return child;
}

/** Kills the server, and at a power cut the databases as well. */
export async function cutOff(
  child: ChildProcess,
  { dataDir, isPowerCut }: { dataDir: string; isPowerCut: boolean },
): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const exited = hasEnded ? undefined : once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  if (!isPowerCut) return;
  for (const cluster of ['postgres', 'postgres.moving/postgres']) {
    for (const { pid } of await findLeftovers(join(dataDir, cluster))) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
    }
  }
}

/** That there is one database, with all rows, whichever of the two it is; returns its major version. */
export async function assertWhole({ digests }: Former, dataDir: string): Promise<string | undefined> {
  const postgres = await startEmbeddedPostgres({ dataDir, password, log });
  try {
    const found = await look(postgres);
    expect([...found.digests].sort()).toEqual([...digests].sort());
    return found.major;
  } finally {
    await postgres.stop();
  }
}
