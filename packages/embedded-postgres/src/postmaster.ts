import { join } from 'node:path';
import { type Connection, waitUntilReady } from './connection.ts';
import { type Engine, restoreEngine } from './engine.ts';
import type { InstallDirectory } from './install-directory.ts';
import { stopLeftovers } from './leftovers.ts';
import type { Log } from './log.ts';
import { yieldReserve } from './reserve.ts';
import { dataLinkOf, ensureRunFolder, linkData } from './run-folder.ts';
import { requiredSettings } from './settings.ts';
import { type SupervisedProcess, startSupervised } from './supervisor.ts';

export interface Plan {
  readonly directory: InstallDirectory;
  readonly engine: Engine;
  readonly runFolder: string;
  readonly connection: Connection;
  /** Above our own. */
  readonly settings: Readonly<Record<string, string>>;
  readonly readyWithinMs: number;
  /** From each stage of a shutdown to the next, harder one. */
  readonly shutdownGraceMs: number;
  readonly log: Log;
}

const linesKept = 20;

/** One life of the database server: starts it on an existing cluster and resolves when it answers. */
export async function startPostmaster(
  plan: Plan,
  { stopping, onLaunch }: { stopping?: AbortSignal; onLaunch?: (() => void) | undefined },
): Promise<SupervisedProcess> {
  const { directory, engine, runFolder, connection, log } = plan;
  await stopLeftovers(directory.cluster, log);
  await yieldReserve(directory.cluster, log);
  await ensureRunFolder(runFolder, directory.account);
  await restoreEngine(engine, runFolder, directory.account);
  await linkData(runFolder, directory.cluster);

  let ready = false;
  const lines: string[] = [];
  let isYielding = false;
  const onLine = (line: string) => {
    lines.push(line);
    if (lines.length > linesKept) lines.shift();
    if (ready && !isYielding && isRefusalForRoom(line)) {
      isYielding = true;
      void yieldReserve(directory.cluster, log)
        .catch((error) => log.warn({ err: error }, 'giving the reserve up'))
        .finally(() => {
          isYielding = false;
        });
    }
    // Until it is ready, our own first connections are refused, and the error below tells of a failed start.
    if (ready || isAboutCrash(line)) report(line, log);
  };
  const settings = Object.entries({ ...requiredSettings(runFolder), ...plan.settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  );
  const child = startSupervised(
    directory.account,
    [join(engine.folder, 'bin', 'postgres'), '-D', dataLinkOf(runFolder), ...settings],
    { runFolder, onLine, graceMs: plan.shutdownGraceMs },
  );
  onLaunch?.();
  const waiting = new AbortController();
  void child.ended.then((how) =>
    waiting.abort(new Error(`PostgreSQL ended while starting (${how}): ${lines.join(' ')}`)),
  );
  const timeout = setTimeout(
    () => waiting.abort(new Error(`PostgreSQL was not ready after ${plan.readyWithinMs / 1000} s`)),
    plan.readyWithinMs,
  );
  const giveUp = () => waiting.abort(new Error('PostgreSQL was stopped while starting'));
  stopping?.addEventListener('abort', giveUp, { once: true });
  try {
    if (stopping?.aborted) giveUp();
    await waitUntilReady(connection, waiting.signal);
    ready = true;
    return child;
  } catch (error) {
    await child.end();
    throw error;
  } finally {
    clearTimeout(timeout);
    stopping?.removeEventListener('abort', giveUp);
  }
}

/** PostgreSQL's own words, by its severity; of the routine ones only those that tell of a crash and the way back. */
function report(line: string, log: Log): void {
  const [, severity, message] = /^([A-Z]+): {2}(.*)$/.exec(line) ?? [];
  if (severity === 'PANIC') log.error({ postgres: message }, 'database');
  else if (severity === 'FATAL' || severity === 'WARNING') log.warn({ postgres: message }, 'database');
  else if (severity === undefined) log.warn({ postgres: line }, 'database');
  else if (isAboutCrash(line)) log.warn({ postgres: message }, 'database');
}

/** A session needs a few pages of the disk before it is let in; without them the server runs, and nobody can ask it anything. */
const isRefusalForRoom = (line: string) => /^FATAL: .*No space left on device/.test(line);

const isAboutCrash = (line: string) =>
  /^PANIC|terminated by|interrupted|not properly shut down|automatic recovery|exited with/.test(line);
