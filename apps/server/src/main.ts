import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config/config.ts';
import { ConfigError, readEnvironment } from './config/env.ts';
import { createLog } from './platform/log.ts';
import { runServer } from './run-server.ts';
import { version } from './version.ts';

/** Longest stop, in milliseconds: below what service managers wait before they kill. */
const stopLimit = 60_000;

/** A start that cannot succeed ends with plain words and status 1. */
function giveUp(error: unknown): never {
  const problems =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** The build of another app beside this one; undefined when it has not been built. */
function findBuilt(app: 'console' | 'agent' | 'manual', file: string): string | undefined {
  const directory = join(fileURLToPath(import.meta.url), '../../..', app, 'dist');
  return existsSync(join(directory, file)) ? directory : undefined;
}

async function main(): Promise<void> {
  const environment = readEnvironment({ env: process.env, directory: process.cwd() });
  const config = loadConfig(environment, { version });
  const log = createLog(config.app.logLevel);
  const consoleDirectory = findBuilt('console', 'index.html');
  const agentDirectory = findBuilt('agent', 'pult-agent.mjs');
  const manualDirectory = findBuilt('manual', 'en/index.html');
  if (!consoleDirectory) log.warn('the console is not built: only the API is served');

  let stopping = false;
  const stop = () => {
    // A second signal does not wait.
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), stopLimit).unref();
    starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  // Before the start: a signal during it must not leave a database behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  // Told to `npm start`, which writes its log there and not into that of a server that has the folder already.
  const onLocked = () => void process.send?.('locked', undefined, undefined, () => {});
  const starting = runServer({ config, log, consoleDirectory, agentDirectory, manualDirectory, onLocked });
  await starting;
}

main().catch(giveUp);
